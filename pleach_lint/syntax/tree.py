"""The tree of one file, and where its nodes stand."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pleach_lint.finding import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_lint.source import Source

_LOCATED: Final = (ast.stmt, ast.expr, ast.pattern, ast.arg, ast.keyword, ast.alias, ast.ExceptHandler)


@dataclass(frozen=True)
class Tree:
    """A text and what it means.

    The nodes are those of Python's `ast`, with its rows and columns, whichever parser read them.
    """

    source: Source
    module: ast.Module
    read_by_libcst: bool = False
    """Whether libcst read the whole text, because the running Python refuses it."""
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])
    """The renamed imports that stand under their own names in `module`: see `undo_renames`."""

    def span(self, node: ast.AST) -> Span:
        """Return where a node stands, parentheses excluded as `ast` does.

        Raises:
            TypeError: if nodes of its kind have no place of their own, such as `ast.arguments`.
        """
        if not isinstance(node, _LOCATED):
            raise TypeError(f"{type(node).__name__} has no place of its own")
        end_column = node.col_offset if node.end_col_offset is None else node.end_col_offset
        return Span(
            *self._point(node.lineno, node.col_offset),
            *self._point(node.end_lineno or node.lineno, end_column),
        )

    def _point(self, row: int, column: int) -> tuple[int, int]:
        """Count a byte column in code points, from 1.

        Python 3.10 and 3.11 invent places within f-strings, so that neither row nor column need exist.
        """
        row = min(max(row, 1), len(self.source.lines))
        line = self.source.lines[row - 1]
        if not line.isascii():
            column = len(line.encode()[:column].decode(errors="ignore"))
        return row, min(max(column, 0), len(line)) + 1
