"""Which parser reads what: the C parser all, libcst what matters and what the running Python is too old for."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pleach_lint.syntax import c_parser, cost
from pleach_lint.syntax.deep_stack import with_deep_stack
from pleach_lint.syntax.renamed_imports import rename, undo_renames
from pleach_lint.syntax.slices import Slice, slices
from pleach_lint.syntax.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Collection

    from pleach_lint.source import Source

_MOST_TOKENS: Final = 60_000
"""What libcst may read of one file, as `cost` counts: about three seconds."""


def parse(source: Source) -> Tree:
    """Read a text with the C parser, or, if it is too old for the text, with libcst.

    Raises:
        UnparsableSource: if both refuse the text, or it is more than they can take.
    """
    try:
        return _tree(source, c_parser.read(source.text))
    except c_parser.UnparsableSource as error:
        body = _newer(source.text)
        if body is None:
            row = min(error.row, max(len(source.lines), 1))
            raise c_parser.UnparsableSource(row, error.reason) from None
    return _tree(source, ast.Module(body, []), read_by_libcst=True)


def _tree(source: Source, module: ast.Module, *, read_by_libcst: bool = False) -> Tree:
    return Tree(source, module, read_by_libcst, undo_renames(module, source.text))


def check_syntax(source: Source) -> None:
    """Find out whether a text can be parsed, without the cost of a tree where that can be told.

    Raises:
        UnparsableSource: as `parse` does.
    """
    if not c_parser.accepts(source.text):
        parse(source)


def _newer(text: str) -> list[ast.stmt] | None:
    if cost.tokens(text, _MOST_TOKENS) > _MOST_TOKENS:
        return None
    return _read_by_libcst(text, 1, 0, newer_only=True)


def _read_by_libcst(text: str, row: int, column: int, *, newer_only: bool) -> list[ast.stmt] | None:
    from pleach_lint.syntax import libcst_parser  # noqa: PLC0415 - libcst takes longer to import than most files to check

    return libcst_parser.read(text, row, column, newer_only=newer_only)


def confirm(tree: Tree, rows: Collection[int]) -> Tree:
    """Return a tree in which libcst has read each top-level statement that covers one of the 1-based `rows`.

    A statement that libcst refuses, places elsewhere, or cannot be trusted with stays as the C parser read it.
    """
    if tree.read_by_libcst or not rows:
        return tree
    return with_deep_stack(lambda: _confirmed(tree, rows))


def _confirmed(tree: Tree, rows: Collection[int]) -> Tree:
    body = list(tree.module.body)
    budget = _MOST_TOKENS
    for part in slices(tree.source, tree.module, rows):
        tokens = cost.tokens(part.text, budget)
        if tokens <= budget:
            budget -= tokens
            body[part.index] = _confirmed_statement(body[part.index], part)
            rename(ast.walk(body[part.index]), tree.renamed)
    return replace(tree, module=ast.Module(body, tree.module.type_ignores))


def _confirmed_statement(statement: ast.stmt, part: Slice) -> ast.stmt:
    made = _read_by_libcst(part.text, part.row, part.column, newer_only=False)
    return made[0] if made and [*map(_place, made)] == [_place(statement)] else statement


def _place(node: ast.stmt) -> tuple[type[ast.stmt], int, int, int | None, int | None]:
    return type(node), node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
