"""A class that is spelled for a model, turned into the seam that the function was given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.finding import Applicability, Fix
from pleach_lint.flow.module import last_name
from pleach_lint.flow.references import class_names
from pleach_lint.flow.scopes import FUNCTIONS, Binding, parameters
from pleach_lint.vocabulary import RESOLVER, SEAM_FACTORIES, SEAM_GENERIC, SEAM_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.fixes.leak import Leak
    from pleach_lint.flow.scopes import FunctionNode, Scope


def seam_argument(leak: Leak) -> Fix | None:
    """`resolve_model(call_class="synthesize")` to `resolve_model(seam)`, where a parameter is that seam.

    Unsafe: the resolver may be somebody else's, and what is passed in may be something else.
    """
    given = leak.parent if isinstance(leak.parent, ast.keyword) else leak.node
    call = leak.view.module.parents.get(given)
    if not isinstance(call, ast.Call) or last_name(call.func) != RESOLVER:
        return None
    if [*call.args, *call.keywords][0] is not given or "#" in leak.source(given):
        return None
    seam = next(_seams(leak), None)
    if seam is None:
        return None
    return Fix(Applicability.UNSAFE, f"Pass `{seam}`", (leak.replaced(given, seam),))


def _seams(leak: Leak) -> Iterator[str]:
    """The parameters around the literal that are seams of its class, innermost first."""
    module = leak.view.module
    hidden: set[str] = set()
    inner: ast.AST = leak.node
    for outer in module.ancestors(leak.node):
        scope = module.names.scopes.get(outer)
        if isinstance(outer, FUNCTIONS) and scope is not None and _is_in_body(inner, outer):
            yield from (name for name in _parameters(outer, scope, leak) if name not in hidden)
            hidden |= scope.local
        elif scope is not None:
            hidden |= scope.local
        inner = outer


def _is_in_body(inner: ast.AST, function: FunctionNode) -> bool:
    """Whether a place is where the parameters of a function are known, and not in its defaults or decorators."""
    return inner is function.body if isinstance(function, ast.Lambda) else inner in function.body


def _parameters(function: FunctionNode, scope: Scope, leak: Leak) -> Iterator[str]:
    """The parameters that are seams of the class and are never anything else."""
    for parameter, _ in parameters(function):
        bindings = [definition.binding for definition in scope.last.get(parameter.arg, ())]
        if bindings == [Binding.PARAMETER] and _is_seam(parameter, leak):
            yield parameter.arg


def _is_seam(parameter: ast.arg, leak: Leak) -> bool:
    """Whether a parameter is a seam of the class: by its type, or by its name where it has none."""
    annotation = parameter.annotation
    if annotation is None:
        return parameter.arg in {"seam", SEAM_FACTORIES[leak.word]}
    module = leak.view.module
    names = [last_name(name) for name in class_names(module, annotation)]
    if names != [SEAM_GENERIC]:
        return names == [SEAM_TYPES[leak.word]]
    quoted = module.quoted(annotation) if isinstance(annotation, ast.Constant) else annotation
    spelled = ast.walk(quoted) if quoted is not None else ()
    return [part.value for part in spelled if isinstance(part, ast.Constant)] == [leak.word]
