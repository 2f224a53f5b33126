"""Edits that add a name to an import that is there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pleach_lint.finding import Edit, Span

if TYPE_CHECKING:
    import ast

    from pleach_lint.fixes.leak import Leak

_COMMENT: Final = re.compile(r"#[^\r\n]*")


def merged(statement: ast.ImportFrom, name: str, leak: Leak) -> tuple[Edit, ...]:
    """Add a name to a statement: in its place where the names are sorted as isort does it, else at the end."""
    keys = [_key(alias.name) for alias in statement.names]
    later = [alias for alias in statement.names if _key(alias.name) > _key(name)]
    if later and keys == sorted(keys):
        return (_before(later[0], name, leak),)
    return _after(statement.names[-1], statement, name, leak)


def _key(name: str) -> tuple[int, str]:
    """Constants, classes, the rest: the order of isort and Ruff."""
    if len(name) > 1 and name.isupper():
        return 0, name
    return (1 if name[:1].isupper() else 2), name


def _before(alias: ast.alias, name: str, leak: Leak) -> Edit:
    span = leak.span(alias)
    indent = leak.offsets.row(span.row)[: span.column - 1]
    rest = " " if indent.strip() else f"{leak.offsets.newline}{indent}"
    return Edit(Span(span.row, span.column, span.row, span.column), f"{name},{rest}")


def _after(alias: ast.alias, statement: ast.ImportFrom, name: str, leak: Leak) -> tuple[Edit, ...]:
    """Behind the last name; where that has a row of its own, on a row below it and its comment."""
    span = leak.span(alias)
    row = leak.offsets.row(span.end_row)
    indent, rest = row[: span.column - 1], _COMMENT.sub("", row[span.end_column - 1 :]).strip()
    behind = Span(span.end_row, span.end_column, span.end_row, span.end_column)
    has_own_row = not indent.strip() and rest in {"", ","} and statement.end_lineno != span.end_row
    if not has_own_row or (not rest and "," in _tail(alias, statement, leak)):
        return (Edit(behind, f", {name}"),)
    below = Span(span.end_row, len(row) + 1, span.end_row, len(row) + 1)
    added = Edit(below, f"{leak.offsets.newline}{indent}{name},")
    return (added,) if rest else (Edit(behind, ","), added)


def _tail(alias: ast.alias, statement: ast.ImportFrom, leak: Leak) -> str:
    """What follows a name in its statement, without comments."""
    start, end = leak.offsets.bounds(leak.span(alias))[1], leak.offsets.bounds(leak.span(statement))[1]
    return _COMMENT.sub("", leak.offsets.text[start:end])
