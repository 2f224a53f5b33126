"""libcst's parameters and lambdas as nodes of `ast`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from pleach_lint.syntax.conversion.expressions import expression, identifier

if TYPE_CHECKING:
    from pleach_lint.syntax.conversion.places import Places


@expression.register(cst.Lambda)
def function_expression(node: cst.Lambda, at: Places) -> ast.expr:
    """Convert `lambda x: y`."""
    return at.put_on(ast.Lambda(parameters(node.params, at), expression(node.body, at)), node)


def parameters(node: cst.Parameters, at: Places) -> ast.arguments:
    """Convert the parameters of a function."""
    positional = [*node.posonly_params, *node.params]
    return ast.arguments(
        posonlyargs=[_parameter(each, at) for each in node.posonly_params],
        args=[_parameter(each, at) for each in node.params],
        vararg=_parameter(node.star_arg, at) if isinstance(node.star_arg, cst.Param) else None,
        kwonlyargs=[_parameter(each, at) for each in node.kwonly_params],
        kw_defaults=[expression(each.default, at) if each.default else None for each in node.kwonly_params],
        kwarg=_parameter(node.star_kwarg, at) if node.star_kwarg else None,
        defaults=[expression(each.default, at) for each in positional if each.default],
    )


def _parameter(node: cst.Param, at: Places) -> ast.arg:
    name = identifier(node.name)
    if node.annotation is None:
        return at.put_on(ast.arg(name, None), node.name)
    hint = node.annotation.annotation
    return at.put(ast.arg(name, expression(hint, at)), at.start(node.name), at.outer_end(hint))
