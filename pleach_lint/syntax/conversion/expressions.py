"""libcst's expressions as nodes of `ast`, for those that stand alone: names, numbers and operations."""

from __future__ import annotations

import ast
import unicodedata
from functools import singledispatch
from typing import TYPE_CHECKING, Final

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_lint.syntax.conversion.places import Places

LOAD: Final = ast.Load()
_STORE: Final = ast.Store()

_COMPARISONS: Final[Mapping[type[cst.BaseCompOp], type[ast.cmpop]]] = {
    cst.Equal: ast.Eq,
    cst.NotEqual: ast.NotEq,
    cst.LessThan: ast.Lt,
    cst.LessThanEqual: ast.LtE,
    cst.GreaterThan: ast.Gt,
    cst.GreaterThanEqual: ast.GtE,
    cst.Is: ast.Is,
    cst.IsNot: ast.IsNot,
    cst.In: ast.In,
    cst.NotIn: ast.NotIn,
}
_BINARY: Final[Mapping[type[cst.BaseBinaryOp], type[ast.operator]]] = {
    cst.Add: ast.Add,
    cst.Subtract: ast.Sub,
    cst.Multiply: ast.Mult,
    cst.MatrixMultiply: ast.MatMult,
    cst.Divide: ast.Div,
    cst.Modulo: ast.Mod,
    cst.Power: ast.Pow,
    cst.LeftShift: ast.LShift,
    cst.RightShift: ast.RShift,
    cst.BitOr: ast.BitOr,
    cst.BitXor: ast.BitXor,
    cst.BitAnd: ast.BitAnd,
    cst.FloorDivide: ast.FloorDiv,
}
_UNARY: Final[Mapping[type[cst.BaseUnaryOp], type[ast.unaryop]]] = {
    cst.Plus: ast.UAdd,
    cst.Minus: ast.USub,
    cst.BitInvert: ast.Invert,
    cst.Not: ast.Not,
}
_BOOLEAN: Final[Mapping[type[cst.BaseBooleanOp], type[ast.boolop]]] = {cst.And: ast.And, cst.Or: ast.Or}
_TARGETS: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Starred, ast.List, ast.Tuple)
_SINGLETONS: Final = {"None": None, "True": True, "False": False}


class Unconvertible(Exception):  # noqa: N818 - it never leaves the package
    """A node for which `ast` has no counterpart, or whose value CPython refuses."""


@singledispatch
def expression(node: cst.CSTNode, at: Places) -> ast.expr:
    """Convert an expression, with the place that CPython 3.12 and later give it.

    Raises:
        Unconvertible: if `ast` has no node for it.
    """
    raise Unconvertible(at.written(node))


def target(node: cst.CSTNode, at: Places, context: ast.expr_context = _STORE) -> ast.expr:
    """Convert an expression that is assigned to, or deleted when `context` says so.

    Raises:
        Unconvertible: if a part of it can be neither.
    """
    made = expression(node, at)
    pending = [made]
    while pending:
        part = pending.pop()
        if not isinstance(part, _TARGETS):
            raise Unconvertible(f"{type(part).__name__} is no target")
        part.ctx = context
        if isinstance(part, (ast.List, ast.Tuple)):
            pending.extend(part.elts)
        elif isinstance(part, ast.Starred):
            pending.append(part.value)
    return made


def plain_target(node: cst.CSTNode, at: Places) -> ast.Name | ast.Attribute | ast.Subscript:
    """Convert what is bound where no unpacking is possible.

    Raises:
        Unconvertible: if it is neither a name nor an attribute nor a subscript.
    """
    made = target(node, at)
    if isinstance(made, (ast.Name, ast.Attribute, ast.Subscript)):
        return made
    raise Unconvertible(f"{type(made).__name__} is no plain target")


def identifier(node: cst.Name) -> str:
    """Return a name as Python knows it, which is in normal form KC."""
    return node.value if node.value.isascii() else unicodedata.normalize("NFKC", node.value)


def binary_operator(kind: type[cst.BaseBinaryOp]) -> ast.operator:
    """Return the operator of `ast` for one of libcst's."""
    return _BINARY[kind]()


@expression.register(cst.Name)
def name(node: cst.Name, at: Places) -> ast.expr:
    """Convert a name or one of the three constants that look like one."""
    if node.value in _SINGLETONS:
        return at.put_on(ast.Constant(_SINGLETONS[node.value]), node)
    return at.put_on(ast.Name(identifier(node), LOAD), node)


@expression.register(cst.Ellipsis)
def ellipsis_dots(node: cst.Ellipsis, at: Places) -> ast.expr:
    """Convert `...`."""
    return at.put_on(ast.Constant(...), node)


@expression.register(cst.BaseNumber)
def number(node: cst.Integer | cst.Float | cst.Imaginary, at: Places) -> ast.expr:
    """Convert a number.

    Raises:
        SyntaxError, ValueError: if CPython refuses it, such as `0777` or one of more than 4,300 digits.
    """
    return at.put_on(ast.Constant(ast.literal_eval(node.value)), node)


@expression.register(cst.Attribute)
def attribute(node: cst.Attribute, at: Places) -> ast.expr:
    """Convert `value.attr`."""
    return at.put_on(ast.Attribute(expression(node.value, at), identifier(node.attr), LOAD), node)


@expression.register(cst.UnaryOperation)
def unary_operation(node: cst.UnaryOperation, at: Places) -> ast.expr:
    """Convert `-x`, `not x` and the like."""
    return at.put_on(ast.UnaryOp(_UNARY[type(node.operator)](), expression(node.expression, at)), node)


@expression.register(cst.BinaryOperation)
def binary_operation(node: cst.BinaryOperation, at: Places) -> ast.expr:
    """Convert `x + y` and the like."""
    operator = binary_operator(type(node.operator))
    return at.put_on(ast.BinOp(expression(node.left, at), operator, expression(node.right, at)), node)


@expression.register(cst.BooleanOperation)
def boolean_operation(node: cst.BooleanOperation, at: Places) -> ast.expr:
    """Convert a run of one of `and` and `or` to one flat operation."""
    kind = type(node.operator)
    operands = [node.right]
    first = node.left
    while isinstance(first, cst.BooleanOperation) and not first.lpar and type(first.operator) is kind:
        operands.append(first.right)
        first = first.left
    operands.append(first)
    return at.put_on(ast.BoolOp(_BOOLEAN[kind](), [expression(operand, at) for operand in reversed(operands)]), node)


@expression.register(cst.Comparison)
def comparison(node: cst.Comparison, at: Places) -> ast.expr:
    """Convert `x < y < z` and the like."""
    operators: list[ast.cmpop] = [_COMPARISONS[type(step.operator)]() for step in node.comparisons]
    comparators = [expression(step.comparator, at) for step in node.comparisons]
    return at.put_on(ast.Compare(expression(node.left, at), operators, comparators), node)


@expression.register(cst.IfExp)
def conditional(node: cst.IfExp, at: Places) -> ast.expr:
    """Convert `x if test else y`."""
    arms = expression(node.body, at), expression(node.orelse, at)
    return at.put_on(ast.IfExp(expression(node.test, at), *arms), node)


@expression.register(cst.NamedExpr)
def named_expression(node: cst.NamedExpr, at: Places) -> ast.expr:
    """Convert `x := y`."""
    bound = plain_target(node.target, at)
    if not isinstance(bound, ast.Name):
        raise Unconvertible(f"{type(bound).__name__} in an assignment expression")
    return at.put_on(ast.NamedExpr(bound, expression(node.value, at)), node)


@expression.register(cst.Await)
def awaited(node: cst.Await, at: Places) -> ast.expr:
    """Convert `await x`."""
    return at.put_on(ast.Await(expression(node.expression, at)), node)


@expression.register(cst.Yield)
def yielded(node: cst.Yield, at: Places) -> ast.expr:
    """Convert `yield`, `yield x` and `yield from x`."""
    if isinstance(node.value, cst.From):
        return at.put_on(ast.YieldFrom(expression(node.value.item, at)), node)
    return at.put_on(ast.Yield(expression(node.value, at) if node.value else None), node)
