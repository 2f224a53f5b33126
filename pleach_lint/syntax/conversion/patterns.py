"""libcst's `case` patterns as nodes of `ast`."""

from __future__ import annotations

import ast
from functools import singledispatch
from typing import TYPE_CHECKING, Final

import libcst as cst

from pleach_lint.syntax.conversion.expressions import Unconvertible, expression, identifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_lint.syntax.conversion.places import Places

_SINGLETONS: Final = {"None": None, "True": True, "False": False}


@singledispatch
def pattern(node: cst.CSTNode, at: Places) -> ast.pattern:
    """Convert a pattern, with the place that CPython gives it.

    Raises:
        Unconvertible: if `ast` has no node for it.
    """
    raise Unconvertible(at.written(node))


@pattern.register(cst.MatchValue)
def value_pattern(node: cst.MatchValue, at: Places) -> ast.pattern:
    """Convert a constant or a dotted name."""
    return at.put_on(ast.MatchValue(expression(node.value, at)), node.value)


@pattern.register(cst.MatchSingleton)
def singleton_pattern(node: cst.MatchSingleton, at: Places) -> ast.pattern:
    """Convert `None`, `True` or `False`."""
    return at.put_on(ast.MatchSingleton(_SINGLETONS[node.value.value]), node.value)


@pattern.register(cst.MatchAs)
def as_pattern(node: cst.MatchAs, at: Places) -> ast.pattern:
    """Convert a name, the wildcard, or `pattern as name`."""
    inner = pattern(node.pattern, at) if node.pattern else None
    return at.put_on(ast.MatchAs(inner, identifier(node.name) if node.name else None), node)


@pattern.register(cst.MatchOr)
def or_pattern(node: cst.MatchOr, at: Places) -> ast.pattern:
    """Convert alternatives."""
    return at.put_on(ast.MatchOr([pattern(element.pattern, at) for element in node.patterns]), node)


@pattern.register(cst.MatchList)
def list_pattern(node: cst.MatchList, at: Places) -> ast.pattern:
    """Convert `[x, y]`, or `x, y` without brackets."""
    made = ast.MatchSequence(_elements(node.patterns, at))
    if node.lbracket is not None:
        return at.put_on(made, node)
    return at.put(made, at.start(node), _elements_end(node.patterns, at))


@pattern.register(cst.MatchTuple)
def tuple_pattern(node: cst.MatchTuple, at: Places) -> ast.pattern:
    """Convert `(x, y)`; the innermost parentheses are its own."""
    return at.put(ast.MatchSequence(_elements(node.patterns, at)), at.start(node.lpar[-1]), at.end(node.rpar[0]))


@pattern.register(cst.MatchMapping)
def mapping_pattern(node: cst.MatchMapping, at: Places) -> ast.pattern:
    """Convert `{key: pattern, **rest}`."""
    keys = [expression(element.key, at) for element in node.elements]
    patterns = [pattern(element.pattern, at) for element in node.elements]
    return at.put_on(ast.MatchMapping(keys, patterns, identifier(node.rest) if node.rest else None), node)


@pattern.register(cst.MatchClass)
def class_pattern(node: cst.MatchClass, at: Places) -> ast.pattern:
    """Convert `Class(pattern, name=pattern)`."""
    made = ast.MatchClass(
        cls=expression(node.cls, at),
        patterns=[pattern(element.value, at) for element in node.patterns],
        kwd_attrs=[identifier(element.key) for element in node.kwds],
        kwd_patterns=[pattern(element.pattern, at) for element in node.kwds],
    )
    return at.put_on(made, node)


def _elements(elements: Sequence[cst.MatchSequenceElement | cst.MatchStar], at: Places) -> list[ast.pattern]:
    return [
        _star(element, at) if isinstance(element, cst.MatchStar) else pattern(element.value, at) for element in elements
    ]


def _star(node: cst.MatchStar, at: Places) -> ast.pattern:
    made = ast.MatchStar(identifier(node.name) if node.name else None)
    return at.put(made, at.start(node), _star_end(node, at))


def _star_end(node: cst.MatchStar, at: Places) -> int:
    return at.end(node.name) if node.name else at.end(node.whitespace_before_name) + len("_")


def _elements_end(elements: Sequence[cst.MatchSequenceElement | cst.MatchStar], at: Places) -> int:
    last = elements[-1]
    if isinstance(last.comma, cst.Comma):
        return at.end(last.comma)
    return _star_end(last, at) if isinstance(last, cst.MatchStar) else at.outer_end(last.value)
