"""What a call of a function of the project gives, and what it gives to the function. Traces nothing itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.flow.module import decorator_names, plain_statements
from pleach_lint.flow.scopes import Route, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import FunctionReference


class Passage(NamedTuple):
    """A call through which a trace enters a function."""

    callee: FunctionReference
    module: Module
    """The module of the call."""
    call: ast.Call


def argument_of(passage: Passage, name: str) -> ast.expr | None:
    """The argument that a call gives for a parameter; None when it gives none, or not in sight."""
    node = passage.callee.node
    positional = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)][passage.callee.taken :]
    for place, value in enumerate(passage.call.args):
        if isinstance(value, ast.Starred):
            break
        if place < len(positional) and positional[place] == name:
            return value
    return next((word.value for word in passage.call.keywords if word.arg == name), None)


def results(function: FunctionReference, route: Route) -> Iterator[tuple[ast.expr, Route]]:
    """The expressions that a call can give, with the part of each that is wanted."""
    node = function.node
    if isinstance(node, ast.Lambda):
        yield node.body, route
        return
    if decorator_names(node) & {"contextmanager", "asynccontextmanager", "fixture"}:
        route = (Step.EACH, *route)
    for statement in plain_statements(node.body):
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield statement.value, route[1:] if "fixture" in decorator_names(node) else route
    if route[:1] in {(Step.EACH,), (Step.VALUE,)}:
        yield from _yielded(function, node, route[1:])


def _yielded(
    function: FunctionReference, node: ast.FunctionDef | ast.AsyncFunctionDef, rest: Route
) -> Iterator[tuple[ast.expr, Route]]:
    for inner in ast.walk(node):
        if function.module.function_of(inner) is not node:
            continue
        if isinstance(inner, ast.Yield) and inner.value is not None:
            yield inner.value, rest
        elif isinstance(inner, ast.YieldFrom):
            yield inner.value, (Step.EACH, *rest)
