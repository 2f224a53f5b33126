"""`full`: each finding with its source row, for people at a terminal."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, Final, Protocol

from click import style

from pleach_lint.paths import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Finding, Related, Span
    from pleach_lint.reports import Reported, Screen

_TAB: Final = "    "
_WIDEST: Final = 126
"""Characters of a row, with the marks of what is cut off, that are shown on a screen that has the room."""
_NARROWEST: Final = 30
"""The same on a screen that has not even this much."""
_CUT: Final = "..."
_ROW_END: Final = re.compile(r"\r\n|\r|\n")


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:
    """Write each finding with the row that it is on, carets under the place, and the way out."""
    page = _Page(screen)
    for text, group in groupby(reported, key=_text):
        rows = _ROW_END.split(text) if text else []
        for item in group:
            yield "\n".join(page.lines(item, rows)) + "\n\n"


def _text(item: Reported) -> str:
    return item.notebook.text if item.notebook else item.text


class _Paint(Protocol):
    def __call__(self, text: str, *, fg: str | None = None, bold: bool | None = None) -> str: ...


def _unpainted(text: str, *, fg: str | None = None, bold: bool | None = None) -> str:  # noqa: ARG001 - like `style`
    return text


class _Page:
    """Writes findings for one screen."""

    def __init__(self, screen: Screen) -> None:
        self._paint: _Paint = style if screen.color else _unpainted
        self._encoding = screen.encoding
        self._width = screen.width

    def lines(self, item: Reported, rows: Sequence[str]) -> Iterator[str]:
        """Write a finding, starred when `--fix` would fix it; without rows, without its excerpt."""
        finding, spot = item.finding, item.spot(item.finding)
        margin = " " * len(str(spot.span.row))
        path = self._paint(visible(finding.filename), bold=True)
        code = self._paint(finding.code, fg="red", bold=True)
        star = f"{self._paint('[*]', fg='cyan')} " if item.is_fixable else ""
        yield f"{path}:{spot}: {code} [{finding.slug}] {star}{_without_help(finding)}"
        if rows:
            yield from self._excerpt(rows[finding.span.row - 1], spot.span, margin)
        if finding.help:
            yield self._note(margin, "help", finding.help)
        for related in finding.related:
            yield self._note(margin, "note", _place(related, item))

    def _excerpt(self, row: str, span: Span, margin: str) -> Iterator[str]:
        """The row of a finding between gutters; of a longer finding only the first row."""
        end = span.end_column - 1 if span.end_row == span.row else len(row)
        room = self._room(f"{margin} | ")
        before, marked, after = map(self._printable, _cut(row, span.column - 1, max(end, span.column), room))
        gutter = self._gutter("|")
        carets = self._paint("^" * max(_width(marked), 1), fg="red", bold=True)
        yield f"{margin} {gutter}"
        yield f"{self._gutter(str(span.row))} {gutter} {before}{marked}{after}"
        yield f"{margin} {gutter} {' ' * _width(before)}{carets}"

    def _room(self, beside: str) -> int:
        """Characters that fit on a line of the screen beside others."""
        return _WIDEST if self._width is None else min(max(self._width - len(beside), _NARROWEST), _WIDEST)

    def _note(self, margin: str, label: str, text: str) -> str:
        return f"{margin} {self._gutter('=')} {self._paint(label, bold=True)}: {text}"

    def _gutter(self, text: str) -> str:
        return self._paint(text, fg="bright_blue", bold=True)

    def _printable(self, text: str) -> str:
        """Replace what would move the cursor, change the terminal, or not be shown by it."""
        shown = "".join(_TAB if char == "\t" else _harmless(char) for char in text)
        return shown.encode(self._encoding, "backslashreplace").decode(self._encoding)


def _without_help(finding: Finding) -> str:
    return finding.message.removesuffix(f"; {finding.help}")


def _place(related: Related, item: Reported) -> str:
    return f"{visible(related.filename)}:{item.spot(related)}: {related.message}"


def _cut(row: str, start: int, end: int, room: int) -> tuple[str, str, str]:
    """Split a row around a place, 0-based, and shorten it on both sides when it is longer than there is room."""
    shown = room - 2 * len(_CUT)
    first = max(start - shown // 3, 0) if len(row) > room else 0
    last = first + shown if len(row) > room else len(row)
    end = min(end, last)
    return (_CUT if first else "") + row[first:start], row[start:end], row[end:last] + (_CUT if last < len(row) else "")


def _harmless(char: str) -> str:
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in {"Cc", "Cf"} else char


def _width(text: str) -> int:
    """Terminal columns that a text takes."""
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
