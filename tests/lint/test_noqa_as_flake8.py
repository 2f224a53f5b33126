"""Tests of `noqa` in `pleach_lint.suppression` and `pleach_lint.comment_lines`, with flake8 itself as the judge."""

from __future__ import annotations

import tokenize
from argparse import Namespace
from pathlib import Path

import pytest
from flake8 import defaults
from flake8.processor import FileProcessor
from flake8.violation import Violation

from pleach_lint.comment_lines import read_lines
from pleach_lint.finding import Finding, Span
from pleach_lint.suppression import NOQA, Suppressions
from pleach_lint.verdict import Comments

FOUND = Finding("m.py", Span(1, 1, 1, 2), "PCH001", "callclass-value", "message")
SOURCES = sorted((Path(pytest.__file__).parents[1] / "_pytest").glob("*.py"))[:25]
OPTIONS = Namespace(
    hang_closing=False, indent_size=4, max_line_length=79, max_doc_length=None, verbose=0, stdin_display_name="stdin"
)
CUTS_FORMATTED_STRINGS = "FSTRING_START" in tokenize.tok_name.values()


def test_the_expression_is_that_of_flake8() -> None:
    """`noqa` is recognised by flake8's own regular expression."""
    ours, theirs = NOQA, defaults.NOQA_INLINE_REGEXP
    assert (ours.pattern, ours.flags) == (theirs.pattern, theirs.flags)


@pytest.mark.parametrize(
    "comment",
    [
        pytest.param(comment, id=comment)
        for comment in (
            *("# noqa", "# noqa: PCH001", "# noqa:PCH001", "# noqa : PCH001", "# noqa PCH001", "# NOQA: PCH001"),
            *("# noqa: E501,PCH001", "# noqa: E501 PCH001", "# x # noqa: PCH001", "# noqa: PCH001 because"),
            *("# type: ignore # noqa", "# noqa: E501", "# nopqa", "#noqa", "#  noqa", "# noqa: pch001", "# noqa:  X"),
            *("# noqa: PCH", "# noqa: PCH0", "# noqa: PCH00", "# noqa: PCH001,", "# noqa: PCH0012", "# noqa:E501,W291"),
            *("# noqa: callclass-value", "# noqa:PCH001:x", "# noqa: PCH001 E501 why42", "# noqa: E1 # noqa: PCH001"),
            *("# noqa: P1 PCH001", "# noqa:\tPCH001", "# noqa: ,PCH001", "# NoQA", "# noqa-PCH001", "# noqa: PCH002"),
        )
    ],
)
def test_noqa_is_read_as_flake8_reads_it(comment: str) -> None:
    """A comment hides a finding exactly when it hides it from flake8."""
    line = f"f(call_class='utility')  {comment}\n"
    theirs = Violation("PCH001", "m.py", 1, 1, "message", line)
    assert Suppressions(line, Comments.ALL).hides(FOUND) == theirs.is_inline_ignored(disable_noqa=False)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_lines_are_those_of_flake8(path: Path) -> None:
    """Rows are joined into lines as flake8 joins them, but for long f-strings, which newer Pythons make it cut."""
    text = path.read_text(encoding="utf-8")
    rows = text.splitlines(keepends=True)
    processor = FileProcessor(str(path), OPTIONS, lines=list(rows))
    for line in read_lines(text):
        joined = "".join(rows[line.first - 1 : line.last])
        theirs = {processor.noqa_line_for(row) for row in range(line.first, line.last + 1)}
        assert theirs == {joined} or (CUTS_FORMATTED_STRINGS and line.first < line.last)
