"""What fixes make of small programs, and what holds for every fix of every program."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pleach_lint.engine import check_source
from pleach_lint.fixing.edits import applied
from pleach_lint.project import Project, Settings
from pleach_lint.source import decode
from pleach_lint.syntax import parse
from tests.lint.fixed import fixed_text, fixes_of
from tests.lint.test_programs import SEAM, programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _pytest.mark import ParameterSet

    from pleach_lint.finding import Fix
    from pleach_lint.rule import Example

PROGRAMS = Path(__file__).parent / "fixes"


class Case(NamedTuple):
    """A program, and what becomes of it."""

    before: str
    safely: str
    """After the safe fixes."""
    after: str
    """After all fixes."""
    files: Mapping[str, str]
    """Other modules, by path."""


def cases() -> list[ParameterSet]:
    """Each section `### title`: a program, `=== safe` or `=== unsafe` and what comes of it, `--- path` and a module."""
    found = []
    for file in sorted(PROGRAMS.glob("*.txt")):
        for section in file.read_text(encoding="utf-8").split("### ")[1:]:
            program, *others = section.split("\n--- ")
            title, _, code = program.partition("\n")
            before, is_fixed, fixed = f"{code.rstrip()}\n".partition("\n=== ")
            kind, _, after = fixed.partition("\n")
            before = f"{before.rstrip()}\n"
            safely = after if kind == "safe" else before
            files = {path: text for path, _, text in (other.partition("\n") for other in others)}
            case = Case(before, safely, after if is_fixed else before, files)
            found.append(pytest.param(case, id=f"{file.stem}: {title}"))
    return found


def write(files: Mapping[str, str], root: Path) -> None:
    """Write modules out."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("case", cases())
@pytest.mark.parametrize("unsafe", [pytest.param(False, id="safe"), pytest.param(True, id="unsafe")])
def test_fixes_make_of_a_program_what_it_says(case: Case, tmp_path: Path, *, unsafe: bool) -> None:
    """All fixes of a kind give the program that is written down, or leave it as it is."""
    write({**case.files, "program.py": case.before}, tmp_path)
    fixed = fixed_text(case.before, tmp_path / "program.py", Settings(tmp_path), unsafe=unsafe)
    assert fixed == (case.after if unsafe else case.safely)


@pytest.mark.parametrize("newline", [pytest.param("\r\n", id="CRLF"), pytest.param("\r", id="CR")])
@pytest.mark.parametrize("case", cases())
def test_line_endings_stay(case: Case, newline: str, tmp_path: Path) -> None:
    """A file with other line endings gets the same fixes, and no ending of another kind."""
    write({**case.files, "program.py": case.before}, tmp_path)
    fixed = fixed_text(case.before.replace("\n", newline), tmp_path / "program.py", Settings(tmp_path))
    assert fixed == case.after.replace("\n", newline)


@pytest.mark.parametrize("program", programs())
def test_every_fix_mends_its_finding(program: Example, tmp_path: Path) -> None:
    """Each fix by itself leaves valid code, other rows, comments, and as many findings fewer as it mends."""
    write({"app/seams/__init__.py": SEAM, **(program.files or {})}, tmp_path)
    path, settings = tmp_path / "program.py", Settings(tmp_path)
    before = check_source(path, program.text.encode(), Project(settings)).findings
    for fix in set(fixes_of(program.text, path, settings)):
        text, _ = applied(program.text, [fix])
        after = check_source(path, text.encode(), Project(settings)).findings
        parse(decode(text.encode()))
        assert comments(text) == comments(program.text)
        assert are_within(untouched_rows(program.text, fix), text.split("\n"))
        assert len(after) == len(before) - [finding.fix for finding in before].count(fix)


@pytest.mark.parametrize("program", programs())
def test_fixes_come_to_an_end(program: Example, tmp_path: Path) -> None:
    """What is fixed has nothing left to fix, whatever the program."""
    write({"app/seams/__init__.py": SEAM, **(program.files or {})}, tmp_path)
    path, settings = tmp_path / "program.py", Settings(tmp_path)
    fixed = fixed_text(program.text, path, settings)
    assert fixes_of(fixed, path, settings) == []
    parse(decode(fixed.encode()))


def untouched_rows(text: str, fix: Fix) -> list[str]:
    """The rows of a text in which a fix edits nothing."""
    touched = {row for edit in fix.edits for row in range(edit.span.row, edit.span.end_row + 1)}
    return [line for row, line in enumerate(text.split("\n"), start=1) if row not in touched]


def are_within(some: Iterable[str], rows: Iterable[str]) -> bool:
    """Whether rows stand among others, in the same order."""
    remaining = iter(rows)
    return all(row in remaining for row in some)


def comments(text: str) -> list[str]:
    """The comments of a program."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]
