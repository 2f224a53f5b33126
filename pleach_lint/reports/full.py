"""`full`: each finding with its source row, for people at a terminal."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, Final, Protocol

from click import style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Finding, Span
    from pleach_lint.reports import Reported

_TAB: Final = "    "
_WIDEST: Final = 120
"""Characters of source that are shown of a longer row."""
_BEFORE: Final = 40
"""Characters shown before the place in a row that is cut."""
_ROW_END: Final = re.compile(r"\r\n|\r|\n")


class _Paint(Protocol):
    def __call__(self, text: str, *, fg: str | None = None, bold: bool | None = None) -> str: ...


def render(reported: Sequence[Reported], *, color: bool) -> Iterator[str]:
    """Write each finding with the row that it is on, carets under the place, and the way out."""
    paint: _Paint = style if color else _plain
    for text, group in groupby(reported, key=_text):
        rows = _ROW_END.split(text)
        for finding, _ in group:
            excerpt = _excerpt(rows, finding.span, paint) if text else ()
            margin = " " * len(str(finding.span.row))
            lines = [_headline(finding, paint), *excerpt, *_notes(finding, margin, paint)]
            yield "\n".join(lines) + "\n\n"


def _text(item: Reported) -> str:
    return item.text


def _plain(text: str, *, fg: str | None = None, bold: bool | None = None) -> str:  # noqa: ARG001 - stands for `style`
    return text


def _headline(finding: Finding, paint: _Paint) -> str:
    path = paint(finding.filename, bold=True)
    code = paint(finding.code, fg="red", bold=True)
    return f"{path}:{finding.span.row}:{finding.span.column}: {code} [{finding.slug}] {finding.message}"


def _notes(finding: Finding, margin: str, paint: _Paint) -> Iterator[str]:
    sign = paint("=", fg="bright_blue", bold=True)
    if finding.help:
        yield f"{margin} {sign} {paint('help', bold=True)}: {finding.help}"
    for related in finding.related:
        place = f"{related.filename}:{related.span.row}:{related.span.column}"
        yield f"{margin} {sign} {paint('note', bold=True)}: {place}: {related.message}"


def _excerpt(rows: list[str], span: Span, paint: _Paint) -> Iterator[str]:
    """The row of a finding between gutters; of a longer finding only the first row."""
    row = rows[span.row - 1]
    end = span.end_column - 1 if span.end_row == span.row else len(row)
    before, marked, after = _cut(row, span.column - 1, max(end, span.column))
    gutter = paint("|", fg="bright_blue", bold=True)
    number = paint(str(span.row), fg="bright_blue", bold=True)
    margin = " " * len(str(span.row))
    carets = paint("^" * max(_width(marked), 1), fg="red", bold=True)
    yield f"{margin} {gutter}"
    yield f"{number} {gutter} {before}{marked}{after}"
    yield f"{margin} {gutter} {' ' * _width(before)}{carets}"


def _cut(row: str, start: int, end: int) -> tuple[str, str, str]:
    """Split a row around a place, 0-based, and shorten it on both sides when it is too long to read."""
    first = max(start - _BEFORE, 0) if len(row) > _WIDEST else 0
    last = min(first + _WIDEST, len(row))
    end = min(end, last)
    left = ("..." if first else "") + _printable(row[first:start])
    right = _printable(row[end:last]) + ("..." if last < len(row) else "")
    return left, _printable(row[start:end]), right


def _printable(text: str) -> str:
    """Replace what would move the cursor or change the terminal."""
    return "".join(
        _TAB if char == "\t" else "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in {"Cc", "Cf"} else char
        for char in text
    )


def _width(text: str) -> int:
    """Terminal columns that a text takes."""
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
