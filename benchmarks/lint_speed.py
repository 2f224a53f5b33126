"""Measures the budgets of the linter's speed, each against something that a user would otherwise run.

    python -m benchmarks.lint_speed [--cache FOLDER] [--json FILE] [--rounds 3] [--only TEXT]

Packages, peers and generated repositories are made below FOLDER unless they are there; without it, in a folder that is
removed at the end. Prints a table in Markdown. Exits with 1 when a budget is missed.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.corpora import PINNED
from benchmarks.lint_budgets import BUDGETS, Bench, Row
from benchmarks.lint_peers import PINNED as PINNED_PEERS

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> int:
    """Measure every budget, or those whose title holds a text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="where everything is kept")
    parser.add_argument("--json", type=Path, help="where the figures are written as JSON")
    parser.add_argument("--rounds", type=int, default=3, help="how often fast commands run; the best counts")
    parser.add_argument("--only", default="", help="measure only the budgets whose title holds this")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench((options.cache or Path(scratch)).resolve(), options.rounds)
        for title, measure in BUDGETS.items():
            if options.only in title:
                print(f"measuring: {title}", file=sys.stderr)
                rows += measure(bench, title)
    print(f"{surroundings()}\n\n{table(rows)}")
    if options.json:
        figures = [{**row._asdict(), "ratio": row.ratio, "holds": row.holds} for row in rows]
        found = {"surroundings": surroundings(), "rows": figures}
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0 if all(row.holds for row in rows) else 1


def surroundings() -> str:
    """What was measured, with what."""
    own = ", ".join(f"{name} {version(name)}" for name in ("pleach-lint", "click", "libcst"))
    peers = ", ".join(f"{name} {pinned}" for name, pinned in PINNED_PEERS.items())
    corpora = ", ".join(f"{name} {pinned}" for name, pinned in PINNED.items())
    return f"Python {platform.python_version()}; {own}. Peers: {peers}. Packages: {corpora}."


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown."""
    lines = [
        "| what | files | MB | ours | against | theirs | ratio | budget | |",
        "|---|--:|--:|--:|---|--:|--:|--:|---|",
    ]
    for row in rows:
        theirs = f"{row.theirs:.2f} {row.unit}"
        budget = "" if row.budget is None else f"≤ {row.budget:g}"
        verdict = "" if row.budget is None else "holds" if row.holds else "missed"
        cells = [row.what, str(row.files), f"{row.megabytes:.1f}", f"{row.ours:.2f} {row.unit}", row.against, theirs]
        lines.append(f"| {' | '.join([*cells, f'{row.ratio:.3f}', budget, verdict])} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
