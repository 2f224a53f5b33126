"""Which expressions are the method of a counter that takes its cap. Knows nothing of where it may be called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.vocabulary import COUNTER_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import References


def given_caps(references: References, module: Module, call: ast.Call) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """If a call sets the cap of a counter, now or as a partial application: the method, and what it is given."""
    if _is_setter(references, module, call.func):
        yield call.func, [*call.args, *(keyword.value for keyword in call.keywords)]
    elif last_name(call.func) == "partial" and call.args and _is_setter(references, module, call.args[0]):
        yield call.args[0], call.args[1:]


def _is_setter(references: References, module: Module, function: ast.expr) -> bool:
    if not isinstance(function, ast.Name):
        return _reads_setter(function)
    held = references.held(module, function)
    values = (definition.value for _, definition in held if definition.value is not None and not definition.route)
    return any(map(_reads_setter, values))


def _reads_setter(node: ast.expr) -> bool:
    """`counter.set_max_per_turn`, `getattr(counter, "set_max_per_turn", None)`."""
    if isinstance(node, ast.Attribute):
        return node.attr == COUNTER_SETS
    if not isinstance(node, ast.Call) or last_name(node.func) != "getattr":
        return False
    return any(constant_text(argument) == COUNTER_SETS for argument in node.args[1:2])
