"""Suppressions written by edits: put in, taken away, shortened, made to name codes. Decides nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from pleach_lint.comment_lines import read_lines
from pleach_lint.finding import Edit, Span
from pleach_lint.selection import selector_names
from pleach_lint.source import of_text
from pleach_lint.suppression import NOQA, Form, explains

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pleach_lint.comment_lines import Line
    from pleach_lint.suppression import Suppression

_NEXT: Final = re.compile(r"(?<=\s)#(?!\d)")
"""Where another comment begins in the same one; `see #12` is none."""
_SEPARATORS: Final = re.compile(r"[\s:,]+")
_LIKE_A_CODE: Final = re.compile(r"[A-Za-z]+[0-9]")


def without(suppression: Suppression, names: Collection[str], rows: Sequence[str]) -> Edit:
    """Take names out of a suppression, and all of it where none is left, with the reason behind it.

    Args:
        suppression: One that is not a bare `noqa`.
        names: Those that go, as written.
        rows: The file, without line endings.
    """
    left = [name for name in suppression.names or () if name not in names]
    if not left:
        return _removal(suppression, rows[suppression.span.row - 1])
    text = suppression.text
    if suppression.form is Form.NOQA:
        begin = NOQA.match(text)
        return Edit(suppression.span, text[: begin.start("codes") if begin else 0] + ", ".join(left))
    return Edit(suppression.span, f"{text[: text.index('[') + 1]}{', '.join(left)}]")


def _removal(suppression: Suppression, row: str) -> Edit:
    """Take a suppression away; a row that held nothing else goes as a whole."""
    number, column = suppression.span.row, suppression.span.column
    following = _NEXT.search(suppression.behind)
    if following:
        return Edit(Span(number, column, number, suppression.span.end_column + following.start()), "")
    kept = row[: column - 1].rstrip(" \t\f#")
    if not kept:
        return Edit(Span(number, 1, number + 1, 1), "")
    return Edit(Span(number, len(kept) + 1, number, len(row) + 1), "")


def named(suppression: Suppression, codes: Iterable[str]) -> Edit:
    """Let a bare `noqa` name codes: what its author named where flake8 does not look, and those given."""
    forgotten = _names().match(suppression.behind)
    end = forgotten.end() if forgotten else 0
    meant = [name.upper() for name in _SEPARATORS.split(suppression.behind[:end]) if name and "-" not in name]
    span = suppression.span
    place = Span(span.row, span.column, span.row, span.end_column + end)
    return Edit(place, f"# noqa: {', '.join(dict.fromkeys((*meant, *codes)))}")


def hiding(text: str, codes_by_row: Mapping[int, Collection[str]], reason: str) -> Iterator[Edit]:
    """Put in what hides findings from us and from flake8, or let a `noqa` that is there name more codes.

    Args:
        text: The decoded file.
        codes_by_row: What is to be hidden, by the 1-based rows of the findings. A row that Python's tokenizer does not
            reach is left out.
        reason: What is written behind the codes; empty: nothing.
    """
    rows = of_text(text).lines
    for line in read_lines(text):
        here = (codes_by_row.get(row, ()) for row in range(line.first, line.last + 1))
        codes = ", ".join(sorted({code for found in here for code in found}))
        if codes:
            yield _hiding(line, rows[line.first - 1 : line.last], codes, reason)


def _hiding(line: Line, rows: Sequence[str], codes: str, reason: str) -> Edit:
    """Let the comment of a line, whose rows are given, hide codes."""
    row = rows[-1]
    end = Span(line.last, len(row.rstrip()) + 1, line.last, len(row) + 1)
    if line.is_cut or NOQA.search("\n".join(rows).removesuffix(line.comment)):
        # flake8 would not look there, or look into a string first; what follows it leaves to us.
        return Edit(end, " ".join(filter(None, (f"  # pleach: ignore[{codes}]", reason))))
    there = NOQA.search(line.comment)
    if there is None:
        return Edit(end, f"  # noqa: {codes}{_behind(reason)}")
    column = len(row) - len(line.comment) + there.start() + len(there[0].rstrip(", \t")) + 1
    more = "" if explains(line.comment[there.end() :]) else _behind(reason)
    return Edit(Span(line.last, column, line.last, column), f", {codes}{more}")


def _behind(reason: str) -> str:
    """A reason behind codes; flake8 would take one that begins like a code for one more."""
    if not reason:
        return ""
    return f"  - {reason}" if _LIKE_A_CODE.match(reason) else f"  {reason}"


@cache
def _names() -> re.Pattern[str]:
    """Codes and slugs behind a `noqa` that flake8 does not take for its codes."""
    slugs = "|".join(name for name in selector_names() if "-" in name)
    return re.compile(rf"\s*:?\s*(?:[A-Za-z]+\d+|{slugs})(?:[,\s]+(?:[A-Za-z]+\d+|{slugs}))*(?![\w-])")
