"""The module that the code cells of a notebook make, and the way back from its rows. Reads nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, NamedTuple

from pleach_lint.finding import Span

_CHARACTER: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
"""One character in a string of JSON; beyond the basic plane it takes two escapes."""


_ROW: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)")


class Piece(NamedTuple):
    """A string of a cell's source as the file spells it. It has no line break in it."""

    row: int
    """1-based, in the file."""
    column: int
    """1-based, in code points; of the first character behind the quote."""
    spelled: str
    """What stands between the quotes."""


@dataclass(frozen=True)
class Cell:
    """A code cell."""

    number: int
    """1-based, all cells of the notebook counted."""
    first: int
    """The row of the module, 1-based, at which it begins."""
    pieces: tuple[Piece, ...] = ()
    """In the order of the source; empty until places in the file are asked for."""


@dataclass(frozen=True)
class Notebook:
    """A notebook as one module."""

    code: str
    """The module. What is no Python is replaced, row by row."""
    text: str
    """The same rows as the cells have them."""
    cells: tuple[Cell, ...]
    """Those whose language is Python, in order."""

    def row_name(self, row: int) -> str:
        """A row of the module as people are told of it: the cell, and the row in it."""
        return f"cell {self.number(row)}:{self.in_cell(Span(row, 1, row, 1)).row}"

    def number(self, row: int) -> int:
        """The number of the cell that a row of the module belongs to."""
        return self._cell(row).number

    def in_cell(self, span: Span) -> Span:
        """A place of the module, with rows counted from the first of its cell."""
        before = min(self._cell(span.row).first, span.row) - 1  # what concerns the whole stands above the first cell
        return Span(span.row - before, span.column, span.end_row - before, span.end_column)

    def in_file(self, span: Span) -> Span:
        """A place of the module, as a place in the file."""
        start = self._spot(span.row, span.column, ends=False)
        return Span(*start, *max(start, self._spot(span.end_row, span.end_column, ends=True)))

    def _cell(self, row: int) -> Cell:
        starts = [cell.first for cell in self.cells]
        return self.cells[max(bisect_right(starts, row) - 1, 0)]

    def _spot(self, row: int, column: int, *, ends: bool) -> tuple[int, int]:
        """Row and column in the file of a character, or of the end of the one before."""
        cell = self._cell(row)
        left = sum(map(len, _ROW.findall(self.text)[cell.first - 1 : row - 1])) + column - 1
        spot = (1, 1)
        for piece in cell.pieces:
            characters = list(_CHARACTER.finditer(piece.spelled))
            inside = characters[:left]
            spot = (piece.row, piece.column + (inside[-1].end() if inside else 0))
            if left < len(characters) or (ends and left == len(characters)):
                break
            left -= len(characters)
        return spot
