"""libcst's statements as nodes of `ast`, except compound ones."""

from __future__ import annotations

import ast
from functools import singledispatch
from typing import TYPE_CHECKING, Final

import libcst as cst

from pleach_lint.syntax.conversion.expressions import (
    Unconvertible,
    binary_operator,
    expression,
    identifier,
    plain_target,
    target,
)
from pleach_lint.syntax.conversion.type_parameters import type_alias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pleach_lint.syntax.conversion.places import Places

_DELETE: Final = ast.Del()
_AUGMENTED: Final[Mapping[type[cst.BaseAugOp], type[cst.BaseBinaryOp]]] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.MatrixMultiplyAssign: cst.MatrixMultiply,
    cst.DivideAssign: cst.Divide,
    cst.ModuloAssign: cst.Modulo,
    cst.PowerAssign: cst.Power,
    cst.LeftShiftAssign: cst.LeftShift,
    cst.RightShiftAssign: cst.RightShift,
    cst.BitOrAssign: cst.BitOr,
    cst.BitXorAssign: cst.BitXor,
    cst.BitAndAssign: cst.BitAnd,
    cst.FloorDivideAssign: cst.FloorDivide,
}


@singledispatch
def statement(node: cst.CSTNode, at: Places) -> ast.stmt:
    """Convert a statement, with the place that CPython gives it.

    Raises:
        Unconvertible: if `ast` has no node for it.
    """
    raise Unconvertible(at.written(node))


def statements(nodes: Iterable[cst.BaseStatement | cst.BaseSmallStatement], at: Places) -> list[ast.stmt]:
    """Convert the statements of a block, in order; those on one line count each."""
    made: list[ast.stmt] = []
    for node in nodes:
        made += statements(node.body, at) if isinstance(node, cst.SimpleStatementLine) else [statement(node, at)]
    return made


def block(node: cst.BaseSuite | cst.Else | cst.Finally | None, at: Places) -> list[ast.stmt]:
    """Convert a block, or to nothing one that is not there."""
    if node is None:
        return []
    suite = node.body if isinstance(node, (cst.Else, cst.Finally)) else node
    return statements(suite.body, at)


@statement.register(cst.Pass)
def pass_statement(node: cst.Pass, at: Places) -> ast.stmt:
    """Convert `pass`."""
    return at.put_on(ast.Pass(), node)


@statement.register(cst.Break)
def break_statement(node: cst.Break, at: Places) -> ast.stmt:
    """Convert `break`."""
    return at.put_on(ast.Break(), node)


@statement.register(cst.Continue)
def continue_statement(node: cst.Continue, at: Places) -> ast.stmt:
    """Convert `continue`."""
    return at.put_on(ast.Continue(), node)


@statement.register(cst.Expr)
def expression_statement(node: cst.Expr, at: Places) -> ast.stmt:
    """Convert an expression that stands alone."""
    return at.put_on(ast.Expr(expression(node.value, at)), node)


@statement.register(cst.Return)
def return_statement(node: cst.Return, at: Places) -> ast.stmt:
    """Convert `return`."""
    value = expression(node.value, at) if node.value else None
    return at.put_on(ast.Return(value), node)


@statement.register(cst.Raise)
def raise_statement(node: cst.Raise, at: Places) -> ast.stmt:
    """Convert `raise` and `raise x from y`."""
    error = expression(node.exc, at) if node.exc else None
    return at.put_on(ast.Raise(error, expression(node.cause.item, at) if node.cause else None), node)


@statement.register(cst.Assert)
def assert_statement(node: cst.Assert, at: Places) -> ast.stmt:
    """Convert `assert x, y`."""
    message = expression(node.msg, at) if node.msg else None
    return at.put_on(ast.Assert(expression(node.test, at), message), node)


@statement.register(cst.Del)
def delete_statement(node: cst.Del, at: Places) -> ast.stmt:
    """Convert `del x, y`; a parenthesized tuple is one target."""
    deleted = target(node.target, at, _DELETE)
    if isinstance(deleted, ast.Tuple) and not node.target.lpar:
        return at.put_on(ast.Delete(deleted.elts), node)
    return at.put_on(ast.Delete([deleted]), node)


@statement.register(cst.Global)
def global_statement(node: cst.Global, at: Places) -> ast.stmt:
    """Convert `global x, y`."""
    return at.put_on(ast.Global([identifier(item.name) for item in node.names]), node)


@statement.register(cst.Nonlocal)
def nonlocal_statement(node: cst.Nonlocal, at: Places) -> ast.stmt:
    """Convert `nonlocal x, y`."""
    return at.put_on(ast.Nonlocal([identifier(item.name) for item in node.names]), node)


@statement.register(cst.Assign)
def assignment(node: cst.Assign, at: Places) -> ast.stmt:
    """Convert `x = y = z`."""
    return at.put_on(ast.Assign([target(each.target, at) for each in node.targets], expression(node.value, at)), node)


@statement.register(cst.AugAssign)
def augmented_assignment(node: cst.AugAssign, at: Places) -> ast.stmt:
    """Convert `x += y` and the like."""
    bound = plain_target(node.target, at)
    operator = binary_operator(_AUGMENTED[type(node.operator)])
    return at.put_on(ast.AugAssign(bound, operator, expression(node.value, at)), node)


@statement.register(cst.AnnAssign)
def annotated_assignment(node: cst.AnnAssign, at: Places) -> ast.stmt:
    """Convert `x: y = z`."""
    bound = plain_target(node.target, at)
    value = expression(node.value, at) if node.value else None
    simple = int(isinstance(bound, ast.Name) and not node.target.lpar)
    return at.put_on(ast.AnnAssign(bound, expression(node.annotation.annotation, at), value, simple), node)


statement.register(cst.TypeAlias, type_alias)


@statement.register(cst.Import)
@statement.register(cst.LazyImport)
def import_statement(node: cst.Import | cst.LazyImport, at: Places) -> ast.stmt:
    """Convert `import x as y`; a lazy one binds the same."""
    return at.put_on(ast.Import(_aliases(node.names, at)), node)


@statement.register(cst.ImportFrom)
@statement.register(cst.LazyImportFrom)
def import_from_statement(node: cst.ImportFrom | cst.LazyImportFrom, at: Places) -> ast.stmt:
    """Convert `from x import y`; a lazy one binds the same."""
    module = _dotted(node.module) if node.module else None
    if isinstance(node.names, cst.ImportStar):
        names = [at.put_on(ast.alias("*", None), node.names)]
    else:
        names = _aliases(node.names, at)
    return at.put_on(ast.ImportFrom(module, names, len(node.relative)), node)


def _aliases(nodes: Sequence[cst.ImportAlias], at: Places) -> list[ast.alias]:
    made: list[ast.alias] = []
    for node in nodes:
        bound = node.asname.name if node.asname else None
        made.append(
            at.put_on(ast.alias(_dotted(node.name), identifier(bound) if isinstance(bound, cst.Name) else None), node)
        )
    return made


def _dotted(node: cst.Name | cst.Attribute) -> str:
    parts: list[str] = []
    rest: cst.BaseExpression = node
    while isinstance(rest, cst.Attribute):
        parts.append(identifier(rest.attr))
        rest = rest.value
    if not isinstance(rest, cst.Name):
        raise Unconvertible("a module name is made of names")
    return ".".join([identifier(rest), *reversed(parts)])
