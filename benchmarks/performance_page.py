"""Puts measured figures into the page that shows them.

    python -m benchmarks.performance_page docs/performance.md lint=lint.json calls=calls.json

Each NAME=FILE is a file that a benchmark wrote with `--json`; its table replaces what stands between the page's lines
`<!-- NAME -->` and `<!-- end of NAME -->`. The rest of the page is written by hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TypedDict

from benchmarks.lint_budgets import Row
from benchmarks.lint_speed import table


class Found(TypedDict, total=False):
    """What a benchmark wrote: of the linter with `surroundings`, of the runtime with a `title`."""

    surroundings: str
    title: str
    versions: dict[str, str]
    rows: list[dict[str, str | float | None]]


def main(arguments: list[str]) -> int:
    """Fill the page in."""
    page, *given = arguments
    text = Path(page).read_text(encoding="utf-8")
    for name, _, path in (each.partition("=") for each in given):
        found: Found = json.loads(Path(path).read_text(encoding="utf-8"))
        text = filled(text, name, lint_figures(found) if "surroundings" in found else runtime_figures(found))
    Path(page).write_text(text, encoding="utf-8")
    return 0


def filled(text: str, name: str, figures: str) -> str:
    """Return the page with the figures in their place.

    Raises:
        ValueError: if the page has no such place.
    """
    before, opening, rest = text.partition(f"<!-- {name} -->\n")
    _, closing, after = rest.partition(f"<!-- end of {name} -->\n")
    if not opening or not closing:
        raise ValueError(f"the page has no lines `<!-- {name} -->` and `<!-- end of {name} -->`")
    return f"{before}{opening}\n{figures}\n\n{closing}{after}"


def lint_figures(found: Found) -> str:
    """The figures of `lint_speed`."""
    fields = Row._fields
    rows = [Row(**{key: value for key, value in row.items() if key in fields}) for row in found["rows"]]  # type: ignore[arg-type] # JSON of the same class
    return f"{found['surroundings']}\n\n{table(rows)}"


def runtime_figures(found: Found) -> str:
    """The figures of a benchmark of the runtime: CPU microseconds at the median."""
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    lines = [f"With {versions}.", "", "| what | µs | against | ratio | budget | |", "|---|--:|---|--:|--:|---|"]
    for row in found["rows"]:
        value, share, budget = (float(row[key] or 0) for key in ("value", "share", "budget"))
        against = row["against"] or "the budget, in µs"
        verdict = "holds" if share <= budget else "missed"
        lines.append(f"| {row['what']} | {value:.1f} | {against} | {share:.3f} | ≤ {budget:.3g} | {verdict} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
