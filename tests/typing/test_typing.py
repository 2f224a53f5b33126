"""Both type checkers accept what is right and reject what is wrong, line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "fixtures" / "typing"
REJECTED = PROGRAMS / "rejected.py"


def marked_lines() -> set[tuple[str, int]]:
    """Return the lines that must be rejected, 1-based."""
    lines = REJECTED.read_text(encoding="utf-8").splitlines()
    return {(REJECTED.name, number) for number, line in enumerate(lines, start=1) if line.endswith("# E")}


def run(*command: str) -> str:
    """Run a checker over the programs, and return what it says."""
    ran = subprocess.run(
        [sys.executable, "-m", *command, str(PROGRAMS)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1, ran.stderr
    return ran.stdout


def mypy_errors() -> set[tuple[str, int]]:
    """Return where mypy reports an error."""
    printed = run("mypy", "--config-file=", "--strict", "--warn-unreachable", "--python-version=3.10", "--output=json")
    found = [json.loads(line) for line in printed.splitlines()]
    return {(Path(item["file"]).name, item["line"]) for item in found if item["severity"] == "error"}


def pyright_errors() -> set[tuple[str, int]]:
    """Return where pyright reports an error."""
    found = json.loads(run("pyright", "--outputjson"))["generalDiagnostics"]
    return {(Path(item["file"]).name, item["range"]["start"]["line"] + 1) for item in found}


@pytest.mark.parametrize(
    "errors", [pytest.param(mypy_errors, id="mypy strict"), pytest.param(pyright_errors, id="pyright strict")]
)
def test_exactly_the_marked_lines_are_rejected(errors: Callable[[], set[tuple[str, int]]]) -> None:
    """Every line marked as wrong is an error, and no other line of any program is."""
    assert errors() == marked_lines()
