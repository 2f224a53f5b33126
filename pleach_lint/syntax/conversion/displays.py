"""libcst's displays and comprehensions as nodes of `ast`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from pleach_lint.syntax.conversion.expressions import LOAD, Unconvertible, expression, target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_lint.syntax.conversion.places import Places


@expression.register(cst.StarredElement)
def starred(node: cst.StarredElement, at: Places) -> ast.expr:
    """Convert `*x`."""
    return at.put_on(ast.Starred(expression(node.value, at), LOAD), node)


@expression.register(cst.Tuple)
def tuple_display(node: cst.Tuple, at: Places) -> ast.expr:
    """Convert a tuple; its innermost parentheses are its own."""
    made = ast.Tuple(_elements(node.elements, at), LOAD)
    if node.lpar:
        return at.put(made, at.start(node.lpar[-1]), at.end(node.rpar[0]))
    return at.put(made, at.start(node), _elements_end(node.elements, at))


def _elements(elements: Sequence[cst.BaseElement], at: Places) -> list[ast.expr]:
    return [expression(_bare(element), at) for element in elements]


def _bare(element: cst.BaseElement) -> cst.BaseExpression:
    return element if isinstance(element, cst.StarredElement) else element.value


def _elements_end(elements: Sequence[cst.BaseElement], at: Places) -> int:
    last = elements[-1]
    return at.end(last.comma) if isinstance(last.comma, cst.Comma) else at.outer_end(_bare(last))


@expression.register(cst.List)
def list_display(node: cst.List, at: Places) -> ast.expr:
    """Convert `[x, y]`."""
    return at.put_on(ast.List(_elements(node.elements, at), LOAD), node)


@expression.register(cst.Set)
def set_display(node: cst.Set, at: Places) -> ast.expr:
    """Convert `{x, y}`."""
    return at.put_on(ast.Set(_elements(node.elements, at)), node)


@expression.register(cst.Dict)
def dict_display(node: cst.Dict, at: Places) -> ast.expr:
    """Convert `{x: y, **z}`; the key of `**z` is None."""
    keys = [expression(item.key, at) if isinstance(item, cst.DictElement) else None for item in node.elements]
    values = [expression(item.value, at) for item in node.elements]
    return at.put_on(ast.Dict(keys, values), node)


@expression.register(cst.ListComp)
def list_comprehension(node: cst.ListComp, at: Places) -> ast.expr:
    """Convert `[x for x in y]`."""
    return at.put_on(ast.ListComp(expression(node.elt, at), comprehensions(node.for_in, at)), node)


@expression.register(cst.SetComp)
def set_comprehension(node: cst.SetComp, at: Places) -> ast.expr:
    """Convert `{x for x in y}`."""
    return at.put_on(ast.SetComp(expression(node.elt, at), comprehensions(node.for_in, at)), node)


@expression.register(cst.DictComp)
def dict_comprehension(node: cst.DictComp, at: Places) -> ast.expr:
    """Convert `{x: y for x, y in z}`."""
    pair = expression(node.key, at), expression(node.value, at)
    return at.put_on(ast.DictComp(*pair, comprehensions(node.for_in, at)), node)


@expression.register(cst.StarredDictComp)
def unpacking_comprehension(node: cst.StarredDictComp, at: Places) -> ast.expr:
    """Convert `{**x for x in y}` to a display that unpacks one generator, which every `ast` can say."""
    unpacked = ast.GeneratorExp(expression(node.value, at), comprehensions(node.for_in, at))
    return at.put_on(ast.Dict([None], [at.put_on(unpacked, node)]), node)


@expression.register(cst.GeneratorExp)
def generator_expression(node: cst.GeneratorExp, at: Places) -> ast.expr:
    """Convert `(x for x in y)`; its innermost parentheses are its own."""
    if not node.lpar:
        raise Unconvertible("a generator expression that borrows its parentheses")
    return generator(node, at, at.start(node.lpar[-1]), at.end(node.rpar[0]))


def generator(node: cst.GeneratorExp, at: Places, start: int, end: int) -> ast.expr:
    """Convert a generator expression whose parentheses stand at the byte offsets `start` and before `end`."""
    return at.put(ast.GeneratorExp(expression(node.elt, at), comprehensions(node.for_in, at)), start, end)


def comprehensions(node: cst.CompFor, at: Places) -> list[ast.comprehension]:
    """Convert the `for … in … if …` parts, outermost first."""
    made: list[ast.comprehension] = []
    part: cst.CompFor | None = node
    while part is not None:
        conditions = [expression(condition.test, at) for condition in part.ifs]
        bound, source = target(part.target, at), expression(part.iter, at)
        made.append(ast.comprehension(bound, source, conditions, int(part.asynchronous is not None)))
        part = part.inner_for_in
    return made
