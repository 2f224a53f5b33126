"""Texts that one subject is compared with, rung by rung: `if` chains, match arms, or-chains, conditionals."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pleach_lint.flow.analysis import View

Rungs: TypeAlias = "dict[str, list[ast.expr]]"
"""By the source of the subject: what it is compared with."""


def _rungs(tests: Iterable[ast.expr]) -> Rungs:
    found: Rungs = {}
    for test in tests:
        for subject, value in _equalities(test):
            found.setdefault(ast.unparse(subject), []).append(value)
    return {subject: values for subject, values in found.items() if len(values) > 1}


def _equalities(test: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The comparisons with a text in a condition, each as subject and text."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _equalities(value)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, operator, right = test.left, test.ops[0], test.comparators[0]
        if isinstance(operator, (ast.Eq, ast.Is, ast.NotEq, ast.IsNot)):
            if isinstance(right, ast.Constant) and isinstance(right.value, str):
                yield left, right
            elif isinstance(left, ast.Constant) and isinstance(left.value, str):
                yield right, left
        elif isinstance(operator, ast.In) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            yield from ((left, element) for element in right.elts)


def branches(node: ast.If, view: View) -> Rungs:
    """An `if` with its `elif`s and the plain `if`s that follow it; empty for a later rung of the same ladder."""
    if isinstance(view.module.parents.get(node), ast.If) and _is_elif(node, view):
        return {}
    tests = [node.test]
    rung: ast.stmt | None = node
    while isinstance(rung, ast.If):
        rung = rung.orelse[0] if len(rung.orelse) == 1 else None
        tests += [rung.test] if isinstance(rung, ast.If) else []
    return _rungs([*tests, *_following(node, view)])


def _is_elif(node: ast.If, view: View) -> bool:
    holder = view.module.parents.get(node)
    return isinstance(holder, ast.If) and holder.orelse == [node]


def _following(node: ast.If, view: View) -> Iterator[ast.expr]:
    """The tests of the `if` statements right after this one."""
    holder = view.module.parents.get(node)
    blocks: tuple[list[ast.stmt], ...] = tuple(getattr(holder, name, []) for name in ("body", "orelse", "finalbody"))
    rest = next((block[block.index(node) + 1 :] for block in blocks if node in block), blocks[0][:0])
    for statement in rest:
        if not isinstance(statement, ast.If):
            return
        yield statement.test


def arms(node: ast.Match) -> Rungs:
    """The texts that the arms of a `match` name, for the subject or for each column of it."""
    found: Rungs = {}
    pending: list[tuple[ast.pattern, ast.expr]] = [(case.pattern, node.subject) for case in reversed(node.cases)]
    while pending:
        pattern, subject = pending.pop()
        if isinstance(pattern, ast.MatchValue):
            found.setdefault(ast.unparse(subject), []).append(pattern.value)
        elif isinstance(pattern, ast.MatchOr):
            pending.extend((part, subject) for part in reversed(pattern.patterns))
        elif isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            pending.append((pattern.pattern, subject))
        elif isinstance(pattern, ast.MatchSequence) and isinstance(subject, (ast.Tuple, ast.List)):
            pending.extend(zip(pattern.patterns, subject.elts, strict=False))
    return found


def conditions(node: ast.IfExp) -> Rungs:
    """The tests of a chain of conditional expressions."""
    tests: list[ast.expr] = []
    rung: ast.expr = node
    while isinstance(rung, ast.IfExp):
        tests.append(rung.test)
        rung = rung.orelse
    return _rungs(tests)


def alternatives(node: ast.BoolOp) -> Rungs:
    """The comparisons of an or-chain, or of an and-chain that rules one text out after another."""
    if isinstance(node.op, ast.Or):
        return _rungs(node.values)
    return _rungs(value for value in node.values if isinstance(value, ast.Compare) and _excludes(value))


def _excludes(test: ast.Compare) -> bool:
    return all(isinstance(operator, (ast.NotEq, ast.IsNot)) for operator in test.ops)
