"""libcst's compound statements as nodes of `ast`: branches, loops, `with`, `try`, `match` and definitions."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

import libcst as cst

from pleach_lint.syntax.conversion.expressions import expression, identifier, target
from pleach_lint.syntax.conversion.patterns import pattern
from pleach_lint.syntax.conversion.signatures import parameters
from pleach_lint.syntax.conversion.statements import block, statement
from pleach_lint.syntax.conversion.trailers import keywords, positional
from pleach_lint.syntax.conversion.type_parameters import type_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pleach_lint.syntax.conversion.places import Places

if sys.version_info >= (3, 11):
    _TryStar = ast.TryStar
else:
    _TryStar = ast.Try


@statement.register(cst.If)
def if_statement(node: cst.If, at: Places) -> ast.stmt:
    """Convert `if`; an `elif` is an `if` alone in the `else` block."""
    rest = [statement(node.orelse, at)] if isinstance(node.orelse, cst.If) else block(node.orelse, at)
    return at.put_block(ast.If(expression(node.test, at), block(node.body, at), rest), node)


@statement.register(cst.While)
def while_statement(node: cst.While, at: Places) -> ast.stmt:
    """Convert `while`."""
    return at.put_block(ast.While(expression(node.test, at), block(node.body, at), block(node.orelse, at)), node)


@statement.register(cst.For)
def for_statement(node: cst.For, at: Places) -> ast.stmt:
    """Convert `for` and `async for`."""
    kind = ast.AsyncFor if node.asynchronous else ast.For
    made = kind(target(node.target, at), expression(node.iter, at), block(node.body, at), block(node.orelse, at))
    return at.put_block(made, node)


@statement.register(cst.With)
def with_statement(node: cst.With, at: Places) -> ast.stmt:
    """Convert `with` and `async with`."""
    kind = ast.AsyncWith if node.asynchronous else ast.With
    items = [
        ast.withitem(expression(item.item, at), target(item.asname.name, at) if item.asname else None)
        for item in node.items
    ]
    return at.put_block(kind(items, block(node.body, at)), node)


@statement.register(cst.Try)
def try_statement(node: cst.Try, at: Places) -> ast.stmt:
    """Convert `try` with `except`."""
    parts = block(node.body, at), _handlers(node.handlers, at), block(node.orelse, at), block(node.finalbody, at)
    return at.put_block(ast.Try(*parts), node)


@statement.register(cst.TryStar)
def try_star_statement(node: cst.TryStar, at: Places) -> ast.stmt:
    """Convert `try` with `except*`, to a plain `try` where `ast` knows no other."""
    parts = block(node.body, at), _handlers(node.handlers, at), block(node.orelse, at), block(node.finalbody, at)
    return at.put_block(_TryStar(*parts), node)


def _handlers(nodes: Iterable[cst.ExceptHandler | cst.ExceptStarHandler], at: Places) -> list[ast.ExceptHandler]:
    made: list[ast.ExceptHandler] = []
    for node in nodes:
        kind = expression(node.type, at) if node.type else None
        bound = node.name.name if node.name else None
        name = identifier(bound) if isinstance(bound, cst.Name) else None
        made.append(at.put_block(ast.ExceptHandler(kind, name, block(node.body, at)), node))
    return made


@statement.register(cst.Match)
def match_statement(node: cst.Match, at: Places) -> ast.stmt:
    """Convert `match`."""
    cases = [
        ast.match_case(
            pattern(case.pattern, at), expression(case.guard, at) if case.guard else None, block(case.body, at)
        )
        for case in node.cases
    ]
    return at.put_block(ast.Match(expression(node.subject, at), cases), node)


@statement.register(cst.FunctionDef)
def function_definition(node: cst.FunctionDef, at: Places) -> ast.stmt:
    """Convert `def` and `async def`; the place leaves decorators out."""
    kind = ast.AsyncFunctionDef if node.asynchronous else ast.FunctionDef
    made = kind(
        name=identifier(node.name),
        args=parameters(node.params, at),
        body=block(node.body, at),
        decorator_list=_decorators(node.decorators, at),
        returns=expression(node.returns.annotation, at) if node.returns else None,
        **type_parameters(node.type_parameters, at),
    )
    return at.put_block(made, node)


@statement.register(cst.ClassDef)
def class_definition(node: cst.ClassDef, at: Places) -> ast.stmt:
    """Convert `class`; the place leaves decorators out."""
    arguments = [*node.bases, *node.keywords]
    made = ast.ClassDef(
        name=identifier(node.name),
        bases=positional(arguments, at),
        keywords=keywords(arguments, at),
        body=block(node.body, at),
        decorator_list=_decorators(node.decorators, at),
        **type_parameters(node.type_parameters, at),
    )
    return at.put_block(made, node)


def _decorators(nodes: Sequence[cst.Decorator], at: Places) -> list[ast.expr]:
    return [expression(node.decorator, at) for node in nodes]
