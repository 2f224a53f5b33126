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
    from collections.abc import Collection, Iterator

    from pleach_lint.fixes.leak import Leak
    from pleach_lint.flow.scopes import FunctionNode


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
    path = {leak.node, *leak.view.module.ancestors(leak.node)}
    hidden: set[str] = set()
    for outer, names in leak.scopes():
        if isinstance(outer, FUNCTIONS) and _is_in_body(outer, path):
            yield from (name for name in _parameters(outer, leak) if name not in hidden)
        hidden |= names


def _is_in_body(function: FunctionNode, path: Collection[ast.AST]) -> bool:
    """Whether a place is where the parameters of a function are known, and not in its defaults or decorators."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    return any(part in path for part in body)


def _parameters(function: FunctionNode, leak: Leak) -> Iterator[str]:
    """The parameters that are seams of the class and are never anything else."""
    last = leak.view.module.names.scopes[function].last
    for parameter, _ in parameters(function):
        bindings = [definition.binding for definition in last.get(parameter.arg, ())]
        is_kept = isinstance(function, ast.Lambda) or bindings == [Binding.PARAMETER]
        if is_kept and _is_seam(parameter, leak):
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
