"""Which stretch of a file's text each top-level statement covers."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pleach_lint.source import Source

_NEWLINE: Final = re.compile(r"\r\n|\r|\n")
_BLANKS: Final = " \t\f"
_DECORATED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Slice:
    """The text of one top-level statement, decorators included."""

    index: int
    """Place of the statement in the module's body, from 0."""
    text: str
    row: int
    """Where the text begins, 1-based."""
    column: int
    """Where the text begins, 0-based, in UTF-8 bytes."""


def slices(source: Source, module: ast.Module, rows: Collection[int]) -> Iterator[Slice]:
    """Yield the statements that cover one of the 1-based `rows`, in order."""
    starts = [0, *(newline.end() for newline in _NEWLINE.finditer(source.text))]

    def offset(row: int, column: int) -> int:
        return starts[row - 1] + len(source.lines[row - 1].encode()[:column].decode())

    wanted = sorted(rows)
    above = 0
    for index, statement in enumerate(module.body):
        row, column = _start(source, statement, above)
        above = statement.end_lineno or statement.lineno
        if bisect_left(wanted, row) < bisect_right(wanted, above):
            text = source.text[offset(row, column) : offset(above, statement.end_col_offset or 0)]
            yield Slice(index, text, row, column)


def _start(source: Source, statement: ast.stmt, above: int) -> tuple[int, int]:
    """Return the row and column of a statement's first token, given the last row of the statement above."""
    own = statement.lineno, statement.col_offset
    if not (isinstance(statement, _DECORATED) and statement.decorator_list):
        return own
    between = ((row, source.lines[row - 1]) for row in range(above + 1, statement.lineno))
    return next(((row, line.index("@")) for row, line in between if line.lstrip(_BLANKS).startswith("@")), own)
