"""Rows and columns of a text as offsets into it, and back. Knows nothing of Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pleach_lint.finding import Span

_ROW_END: Final = re.compile(r"\r\n|\r|\n")


class Offsets:
    """The places of one text, which is decoded and has the line endings of its file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(newline.end() for newline in _ROW_END.finditer(text))]

    @property
    def newline(self) -> str:
        """How the first row ends; a line feed where there is but one row."""
        found = _ROW_END.search(self.text)
        return found[0] if found else "\n"

    def of(self, row: int, column: int) -> int:
        """The offset of a place, 1-based; places past the last row are the end."""
        return min(self._starts[row - 1] + column - 1, len(self.text)) if row <= len(self._starts) else len(self.text)

    def bounds(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends."""
        return self.of(span.row, span.column), self.of(span.end_row, span.end_column)

    def inside(self, span: Span) -> str:
        """The text of a span."""
        start, end = self.bounds(span)
        return self.text[start:end]

    def row(self, row: int) -> str:
        """A row, 1-based, without its ending; empty past the last."""
        if row >= len(self._starts):
            return self.text[self.of(row, 1) :]
        return _ROW_END.split(self.text[self._starts[row - 1] : self._starts[row]], maxsplit=1)[0]
