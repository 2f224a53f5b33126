"""Tests for the reports that programs read: `json` and `github`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pleach_lint.finding import Applicability, Edit, Finding, Fix, Related, Span
from pleach_lint.reports import Reported, Screen, report

if TYPE_CHECKING:
    from pathlib import Path

SCREEN = Screen()
TEXT = 'k = """\nutility"""\n'


def finding(filename: str = "m.py", message: str = "the reason", end_row: int = 1) -> Finding:
    """A finding of a file, over one row or more."""
    related = (Related("c.py", Span(3, 5, 3, 9), "defined here"),)
    return Finding(filename, Span(1, 5, end_row, 11), "PCH001", "callclass-value", message, related=related)


def test_json() -> None:
    """A finding is an object with the field names of Ruff's."""
    (found,) = json.loads("".join(report("json").render([Reported(finding(end_row=2), TEXT)], SCREEN)))
    assert found == {
        "code": "PCH001",
        "slug": "callclass-value",
        "message": "the reason",
        "filename": "m.py",
        "cell": None,
        "location": {"row": 1, "column": 5},
        "end_location": {"row": 2, "column": 11},
        "related": [
            {"filename": "c.py", "cell": None, "location": {"row": 3, "column": 5}, "message": "defined here"},
        ],
        "fix": None,
        "noqa_row": 2,
        "url": "https://github.com/pleach/pleach-lint/blob/main/docs/rules/PCH001.md",
    }


def test_json_tells_a_fix() -> None:
    """A fix has the field names of Ruff's, so that an editor that applies Ruff's can apply ours."""
    fix = Fix(Applicability.UNSAFE, "Use a seam", (Edit(Span(1, 5, 2, 11), "seam"),))
    (found,) = json.loads("".join(report("json").render([Reported(replace(finding(), fix=fix), TEXT)], SCREEN)))
    assert found["fix"] == {
        "applicability": "unsafe",
        "message": "Use a seam",
        "edits": [{"content": "seam", "location": {"row": 1, "column": 5}, "end_location": {"row": 2, "column": 11}}],
    }


@pytest.mark.parametrize("number", [0, 1, 3])
def test_json_is_a_document(number: int) -> None:
    """The array is valid with any number of findings, is ASCII, and ends with a line break."""
    written = "".join(report("json").render([Reported(finding("é\udcff.py"), "")] * number, SCREEN))
    assert len(json.loads(written)) == number
    assert written.isascii()
    assert written.endswith("]\n")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(
            finding(),
            "::error file=m.py,line=1,col=5,endLine=1,endColumn=11,title=pleach-lint (PCH001)"
            "::m.py:1:5: PCH001 the reason\n",
            id="on one row",
        ),
        pytest.param(
            finding(end_row=2),
            "::error file=m.py,line=1,endLine=2,title=pleach-lint (PCH001)::m.py:1:5: PCH001 the reason\n",
            id="over several rows, where GitHub wants no columns",
        ),
        pytest.param(
            finding("we,ird:x%0A.py", "100%\r\n::set-env"),
            "::error file=we%2Cird%3Ax%250A.py,line=1,col=5,endLine=1,endColumn=11,title=pleach-lint (PCH001)"
            "::we,ird:x%250A.py:1:5: PCH001 100%25%0D%0A::set-env\n",
            id="escapes",
        ),
    ],
)
def test_github(found: Finding, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding is a workflow command that nothing in it can break."""
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    assert "".join(report("github").render([Reported(found, "")], SCREEN)) == expected


def test_github_wants_paths_from_the_workspace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where a step runs in a folder of the repository, annotations name files from its top."""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    (tmp_path / "backend").mkdir()
    monkeypatch.chdir(tmp_path / "backend")
    assert "file=backend/m.py," in "".join(report("github").render([Reported(finding(), "")], SCREEN))
