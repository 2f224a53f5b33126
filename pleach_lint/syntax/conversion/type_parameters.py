"""libcst's type parameters and type aliases as nodes of `ast`, or as what says the same where `ast` lacks them."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, TypedDict

import libcst as cst

from pleach_lint.syntax.conversion.expressions import LOAD, expression, identifier

if TYPE_CHECKING:
    from pleach_lint.syntax.conversion.places import Places

if sys.version_info >= (3, 12):

    class TypeParameters(TypedDict):
        """The field that generic definitions have."""

        type_params: list[ast.type_param]

    def type_parameters(node: cst.TypeParameters | None, at: Places) -> TypeParameters:
        """Convert the type parameters of a definition; none make an empty list."""
        return {"type_params": [_type_parameter(each, at) for each in node.params] if node else []}

    def _type_parameter(node: cst.TypeParam, at: Places) -> ast.type_param:
        param = node.param
        name, end = identifier(param.name), at.end(param.name)
        if isinstance(param, cst.TypeVar):
            made: ast.TypeVar | ast.ParamSpec | ast.TypeVarTuple = ast.TypeVar(name)
            if param.bound:
                made, end = ast.TypeVar(name, expression(param.bound, at)), at.outer_end(param.bound)
        else:
            made = ast.ParamSpec(name) if isinstance(param, cst.ParamSpec) else ast.TypeVarTuple(name)
        if node.default:
            end = at.outer_end(node.default)
            if sys.version_info >= (3, 13):
                made.default_value = _default(node, node.default, at)
        made.lineno, made.col_offset = at.point(at.start(param))
        made.end_lineno, made.end_col_offset = at.point(end)
        return made

    def _default(node: cst.TypeParam, value: cst.BaseExpression, at: Places) -> ast.expr:
        made = expression(value, at)
        if not node.star:
            return made
        return at.put(ast.Starred(made, LOAD), at.start(node.whitespace_after_star) - len("*"), at.outer_end(value))

    def type_alias(node: cst.TypeAlias, at: Places) -> ast.stmt:
        """Convert `type X = Y`."""
        name = at.put_on(ast.Name(identifier(node.name), ast.Store()), node.name)
        parameters = type_parameters(node.type_parameters, at)
        return at.put_on(ast.TypeAlias(name=name, value=expression(node.value, at), **parameters), node)

else:

    class TypeParameters(TypedDict):
        """No field: `ast` has no place for type parameters."""

    def type_parameters(node: cst.TypeParameters | None, at: Places) -> TypeParameters:  # noqa: ARG001 - as above
        """Drop the type parameters of a definition."""
        return {}

    def type_alias(node: cst.TypeAlias, at: Places) -> ast.stmt:
        """Convert `type X = Y` as if it were `X: TypeAlias = Y`."""
        name = at.put_on(ast.Name(identifier(node.name), ast.Store()), node.name)
        hint = at.put(ast.Name("TypeAlias", LOAD), at.start(node), at.start(node) + len("type"))
        return at.put_on(ast.AnnAssign(name, hint, expression(node.value, at), simple=1), node)
