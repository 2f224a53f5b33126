"""Which names a piece of code binds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.syntax.children import children

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BINDERS: Final = (
    *(ast.Name, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler),
    *(ast.MatchMapping, ast.MatchAs, ast.MatchStar),
)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_names(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that a body binds in its own scope."""
    bound: set[str] = set()
    outer: set[str] = set()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.update(node.names)
        if isinstance(node, _BINDERS):
            bound.update(names_bound_by(node))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, COMPREHENSIONS):
            pending += (child for child in children(node) if not isinstance(child, ast.comprehension))
        else:
            pending += children(node)
    return frozenset(bound - outer)


def names_bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node itself binds, without those inside it."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.MatchMapping):
        yield from (node.rest,) if node.rest else ()
    elif isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
    ):
        yield from (node.name,) if node.name else ()
