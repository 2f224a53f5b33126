"""The edit that imports a name by a statement of its own, in its place among the imports of a module."""

from __future__ import annotations

import ast
import sys
from enum import IntEnum
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.finding import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.fixes.leak import Leak


class _Group(IntEnum):
    """The groups in which the head of a module stands, in order."""

    DOCSTRING = 0
    FUTURE = 1
    STANDARD = 2
    INSTALLED = 3
    OWN = 4


class _Key(NamedTuple):
    """The order of isort and Ruff."""

    group: _Group
    is_from: bool = False
    module: str = ""


def new_import(module: str, name: str, leak: Leak) -> tuple[Edit, ...]:
    """Import a name of a module; no edits where statements at the top share a row."""
    body = leak.view.module.root.body
    head = list(_head(leak))
    if any(one.end_lineno == other.lineno for one, other in zip(head, body[1:], strict=False)):
        return ()
    line = f"from {module} import {name}"
    keys = [_key(each, leak) for each in head]
    own = _Key(_group(module, leak), is_from=True, module=module)
    places = [place for place, key in enumerate(keys) if key <= own]
    following = places[-1] + 1 if places else 0
    starts_group = following == 0 or keys[following - 1].group is not own.group
    if following < len(head) and keys[following].group is own.group and starts_group:
        return (_above(head[following], f"{line}{leak.offsets.newline}", leak),)
    if following == 0:
        return (_above(body[0], f"{line}{leak.offsets.newline * _rows_before(body[0])}", leak),)
    return (_below(head[following - 1], line, leak, starts_group=starts_group),)


def _head(leak: Leak) -> Iterator[ast.stmt]:
    """The docstring and the imports that follow it at once."""
    body = leak.view.module.root.body
    first = body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    yield from body[: int(has_docstring)]
    yield from takewhile(lambda each: isinstance(each, (ast.Import, ast.ImportFrom)), body[int(has_docstring) :])


def _key(statement: ast.stmt, leak: Leak) -> _Key:
    if isinstance(statement, ast.ImportFrom):
        module = statement.module or ""
        return _Key(_Group.OWN if statement.level else _group(module, leak), is_from=True, module=module)
    if isinstance(statement, ast.Import):
        module = statement.names[0].name
        return _Key(_group(module, leak), is_from=False, module=module)
    return _Key(_Group.DOCSTRING)


def _group(module: str, leak: Leak) -> _Group:
    top = module.partition(".")[0]
    if top == "__future__":
        return _Group.FUTURE
    if top in sys.stdlib_module_names:
        return _Group.STANDARD
    return _Group.OWN if leak.is_own(top) else _Group.INSTALLED


def _rows_before(statement: ast.stmt) -> int:
    """How many line breaks end an import that stands above a statement, as formatters have it."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return 3
    return 2


def _above(statement: ast.stmt, text: str, leak: Leak) -> Edit:
    """Put rows above a statement and the comments that belong to it; what opens the file stays there."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    own = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    row = own
    while row > 1 and leak.offsets.row(row - 1).lstrip().startswith("#"):
        row -= 1
    row = own if row == 1 else row
    return Edit(Span(row, 1, row, 1), text)


def _below(statement: ast.stmt, line: str, leak: Leak, *, starts_group: bool) -> Edit:
    """Put a row below a statement, apart from it where another group starts and the groups stand apart."""
    row, newline = statement.end_lineno or statement.lineno, leak.offsets.newline
    column = len(leak.offsets.row(row)) + 1
    next_row = leak.offsets.row(row + 1).strip()
    if not starts_group or next_row.startswith(("import ", "from ")):
        text = f"{newline}{line}"
    else:
        text = f"{newline}{newline}{line}{newline if next_row else ''}"
    return Edit(Span(row, column, row, column), text)
