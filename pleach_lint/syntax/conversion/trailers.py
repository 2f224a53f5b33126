"""libcst's calls and subscripts as nodes of `ast`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from pleach_lint.syntax.conversion.displays import generator
from pleach_lint.syntax.conversion.expressions import LOAD, expression, identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pleach_lint.syntax.conversion.places import Places


@expression.register(cst.Call)
def call(node: cst.Call, at: Places) -> ast.expr:
    """Convert a call."""
    function = expression(node.func, at)
    sole = node.args[0].value if len(node.args) == 1 else None
    if isinstance(sole, cst.GeneratorExp) and not sole.lpar:
        brackets = at.end(node.whitespace_after_func), at.end(node)
        return at.put_on(ast.Call(function, [generator(sole, at, *brackets)], []), node)
    return at.put_on(ast.Call(function, positional(node.args, at), keywords(node.args, at)), node)


def positional(arguments: Iterable[cst.Arg], at: Places) -> list[ast.expr]:
    """Convert the arguments without keyword, starred ones among them."""
    made: list[ast.expr] = []
    for argument in arguments:
        if argument.star == "*":
            starred = ast.Starred(expression(argument.value, at), LOAD)
            made.append(at.put(starred, at.start(argument), at.outer_end(argument.value)))
        elif argument.keyword is None and not argument.star:
            made.append(expression(argument.value, at))
    return made


def keywords(arguments: Iterable[cst.Arg], at: Places) -> list[ast.keyword]:
    """Convert the arguments with a keyword, and `**` ones, whose keyword is None."""
    made: list[ast.keyword] = []
    for argument in arguments:
        if argument.keyword is not None or argument.star == "**":
            word = identifier(argument.keyword) if argument.keyword else None
            keyword = ast.keyword(word, expression(argument.value, at))
            made.append(at.put(keyword, at.start(argument), at.outer_end(argument.value)))
    return made


@expression.register(cst.Subscript)
def subscript(node: cst.Subscript, at: Places) -> ast.expr:
    """Convert `value[slice]`."""
    return at.put_on(ast.Subscript(expression(node.value, at), _index(node.slice, at), LOAD), node)


def _index(elements: Sequence[cst.SubscriptElement], at: Places) -> ast.expr:
    made = [expression(element.slice, at) for element in elements]
    comma = elements[-1].comma
    if len(made) == 1 and not isinstance(comma, cst.Comma) and not isinstance(made[0], ast.Starred):
        return made[0]
    end = at.end(comma) if isinstance(comma, cst.Comma) else _end(elements[-1].slice, at)
    return at.put(ast.Tuple(made, LOAD), at.start(elements[0]), end)


@expression.register(cst.Index)
def index(node: cst.Index, at: Places) -> ast.expr:
    """Convert `x` or `*x` within the brackets of a subscript."""
    value = expression(node.value, at)
    return at.put(ast.Starred(value, LOAD), at.start(node), at.outer_end(node.value)) if node.star else value


@expression.register(cst.Slice)
def slice_bounds(node: cst.Slice, at: Places) -> ast.expr:
    """Convert `x:y:z`."""
    lower, upper, step = (expression(part, at) if part else None for part in (node.lower, node.upper, node.step))
    start = at.outer_start(node.lower) if node.lower else at.start(node.first_colon)
    return at.put(ast.Slice(lower, upper, step), start, _end(node, at))


def _end(node: cst.BaseSlice, at: Places) -> int:
    """Return the byte offset behind the last token of a slice, whose own span includes blanks."""
    if not isinstance(node, cst.Slice):
        return at.end(node)
    if isinstance(node.second_colon, cst.Colon):
        return at.outer_end(node.step) if node.step else at.end(node.second_colon)
    return at.outer_end(node.upper) if node.upper else at.end(node.first_colon)
