"""What a message says of the text that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("synthesise", '"synthesise"', id="a slip"),
        pytest.param("one\ntwo", r'"one\ntwo"', id="two lines"),
        pytest.param("sünthesize", '"sünthesize"', id="beyond ASCII"),
        pytest.param("x" * 200, f'"{"x" * 59}..."', id="a long one"),
    ],
)
def test_a_text_is_told_in_one_line(text: str, shown: str, tmp_path: Path) -> None:
    """A message quotes a text, its line ends escaped, and cuts a long one."""
    program = f"node(accepts_seam={text!r})\n".encode()
    (finding,) = check_source(tmp_path / "a.py", program, Project(Settings(tmp_path))).findings
    assert finding.message.startswith(shown)
