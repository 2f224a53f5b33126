"""Counts what is found in real packages that use no call class: by default nothing may be.

    python -m benchmarks.precision [--cache FOLDER] [--json FILE]

The packages are downloaded into FOLDER, and unpacked there, unless they are there already; without it, into a folder
that is removed at the end. Prints a table. Exits with 1 when the default mode reports anything.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TypedDict

from benchmarks.corpora import PINNED, python_files, unpacked


class Row(TypedDict):
    """What was found in one package."""

    package: str
    version: str
    files: int
    default: dict[str, int]
    """Findings by code."""
    strict: dict[str, int]


def main() -> int:
    """Check every package in both modes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, help="where the packages are kept")
    parser.add_argument("--json", type=Path, help="where the counts are written as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = [measured(name, folder) for name, folder in unpacked(PINNED, options.cache or Path(scratch)).items()]
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 1 if any(row["default"] for row in rows) else 0


def measured(package: str, folder: Path) -> Row:
    """The findings in one package."""
    return Row(
        package=package,
        version=PINNED[package],
        files=len(python_files(folder)),
        default=found_in(folder),
        strict=found_in(folder, "--strict"),
    )


def found_in(folder: Path, *options: str) -> dict[str, int]:
    """Count findings by code."""
    command = [sys.executable, "-m", "pleach_lint", "check", "--isolated", "--no-cache", "--quiet"]
    checked = subprocess.run(
        [*command, "--output-format", "json", *options, "."], cwd=folder, capture_output=True, check=False
    )
    if checked.returncode not in {0, 1}:
        raise SystemExit(f"exit code {checked.returncode} on {folder}: {checked.stderr.decode(errors='replace')}")
    return dict(sorted(Counter(finding["code"] for finding in json.loads(checked.stdout)).items()))


def table(rows: list[Row]) -> str:
    """The counts as Markdown."""
    lines = ["| package | version | files | by default | strict |", "|---|---|--:|--:|---|"]
    for row in rows:
        strict = ", ".join(f"{count} {code}" for code, count in row["strict"].items()) or "0"
        cells = (row["package"], row["version"], row["files"], sum(row["default"].values()), strict)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
