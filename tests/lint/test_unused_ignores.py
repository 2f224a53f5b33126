"""Tests of PCH900 for entries of `per-file-ignores`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Project, Run

LEAK = 'resolve_model(call_class="utility")\n'
TABLE = "[tool.pleach-lint.per-file-ignores]\n"
FILES = {"a.py": LEAK, "tests/b.py": LEAK, "clean.py": "x = 1\n"}


def said(entries: str, *names: str) -> str:
    """What is said of names in an entry of the second row."""
    verb = "leaves" if len(names) == 1 else "leave"
    shown = ", ".join(f"`{name}`" for name in names)
    return f"pyproject.toml:2:1: PCH900 {shown} in `per-file-ignores` of `{entries}` {verb} nothing out; remove it"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param('"a.py" = ["PCH001"]', [], id="of use"),
        pytest.param('"tests" = ["callclass-literals"]', [], id="a family for a folder"),
        pytest.param('"**" = ["ALL"]', [], id="everything"),
        pytest.param('"gone/**" = ["PCH001"]', [said("gone/**", "PCH001")], id="no such file"),
        pytest.param('"clean.py" = ["PCH0"]', [said("clean.py", "PCH0")], id="a clean file"),
        pytest.param('"tests/*" = ["PCH002", "PCH001"]', [said("tests/*", "PCH002")], id="one of two"),
        pytest.param('tests = ["PCH002", "PCH003"]', [said("tests", "PCH002", "PCH003")], id="both, without quotes"),
        pytest.param('"a.py" = ["PCH902", "PCH999"]', [], id="rules that are off, or always on"),
    ],
)
def test_entries(project: Project, run: Run, entry: str, expected: list[str]) -> None:
    """Each name of an entry that leaves nothing out is reported at the entry."""
    project({**FILES, "pyproject.toml": f"{TABLE}{entry}\n"})
    out = run().out.splitlines()
    assert [line for line in out if line.startswith("pyproject")] == expected
    assert run(".").out.splitlines() == out


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("a.py", "tests"), id="parts of the project"),
        pytest.param(("--ignore", "PCH900"), id="switched off"),
        pytest.param(("--ignore-noqa",), id="nothing is to be hidden"),
        pytest.param(("--per-file-ignores", "gone:PCH001"), id="on the command line"),
        pytest.param(("--isolated",), id="no configuration"),
    ],
)
def test_runs_that_cannot_tell(project: Project, run: Run, arguments: tuple[str, ...]) -> None:
    """Only a run on the whole project judges the entries of its configuration."""
    project({**FILES, "pyproject.toml": f'{TABLE}"gone" = ["PCH001"]\n'})
    assert "PCH900" not in run(*arguments).out


def test_a_file_that_was_not_analysed_may_need_its_entry(project: Project, run: Run) -> None:
    """Nothing is said of an entry that means such a file."""
    project({"a.py": f"({LEAK}", "pyproject.toml": f'{TABLE}"a.py" = ["PCH001"]\n'})
    assert [line.split()[1] for line in run().out.splitlines()] == ["PCH999"]


def test_what_others_inherit_is_left_to_them(project: Project, run: Run) -> None:
    """An entry of a file that several projects extend may be of use in another one."""
    shared = 'per-file-ignores = { "gone" = ["PCH001"] }\n'
    project({"clean.py": "", "shared.toml": shared, "pleach-lint.toml": 'extend = "shared.toml"\n'})
    assert run().code == 0


def test_each_project_below_is_judged(project: Project, run: Run) -> None:
    """Of several projects, each configuration is judged by its own files; an inline table has a place, too."""
    entry = 'per-file-ignores = { "m.py" = ["PCH001"] }\n'
    project({"one/pleach-lint.toml": entry, "one/m.py": LEAK, "two/pleach-lint.toml": entry, "two/m.py": "x = 1\n"})
    (line,) = run().out.splitlines()
    assert line.startswith("two/pleach-lint.toml:1:22: PCH900 ")


def test_reports_and_accounts(project: Project, run: Run) -> None:
    """It is a finding like any other: sorted by path, counted, quoted, and it makes the run fail."""
    project({**FILES, "z.py": LEAK, "pyproject.toml": f'{TABLE}"gone" = ["PCH001"]\n'})
    code, out, err = run("--statistics", "--output-format", "json")
    assert code == 1
    names = [item["filename"] for item in json.loads(out)]
    assert names == ["a.py", "pyproject.toml", "tests/b.py", "z.py"]
    assert "1  PCH900 unused-suppression" in err
    assert "checked 4 files" in err
    assert "4 findings" in err
    assert '\n2 | "gone" = ["PCH001"]\n  | ^^^^^^\n' in run("--output-format", "full").out


def test_a_key_that_cannot_be_found(project: Project, run: Run) -> None:
    """A key that TOML spells otherwise is reported at the top of its file."""
    project({"clean.py": "", "pyproject.toml": f'{TABLE}"g\\u006fne" = ["PCH001"]\n'})
    assert run().out.startswith("pyproject.toml:1:1: PCH900 ")
