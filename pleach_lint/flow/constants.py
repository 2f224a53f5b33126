"""The constant behind an expression that always is the same: a number, a truth, None. Texts are folded elsewhere."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.module import constant_text, dotted_name
from pleach_lint.flow.references import ForeignReference
from pleach_lint.flow.scopes import Binding

if TYPE_CHECKING:
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import References

Constant: TypeAlias = "str | bytes | int | float | None"

_NAMED: Final = {
    f"{module}.{name}": value
    for module in ("math", "numpy", "cmath")
    for name, value in (("inf", math.inf), ("nan", math.nan), ("pi", math.pi))
}
_MOST_STEPS: Final = 20
"""Names that are followed: one may stand for itself in a circle."""


class Unknown:
    """What is not known to be always the same."""


UNKNOWN: Final = Unknown()


def constant_of(references: References, module: Module, node: ast.expr, steps: int = 0) -> Constant | Unknown:
    """The constant that an expression always is, through names, also of other modules."""
    if isinstance(node, ast.Constant):
        return node.value if node.value is None or isinstance(node.value, (str, bytes, int, float)) else UNKNOWN
    if isinstance(node, ast.UnaryOp):
        return _signed(node.op, constant_of(references, module, node.operand, steps))
    if isinstance(node, ast.Call):
        return _converted(node)
    if isinstance(node, (ast.Name, ast.Attribute)) and steps < _MOST_STEPS:
        return _named(references, module, node, steps)
    return UNKNOWN


def _signed(operator: ast.unaryop, value: Constant | Unknown) -> Constant | Unknown:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not isinstance(operator, (ast.UAdd, ast.USub)):
        return UNKNOWN
    return -value if isinstance(operator, ast.USub) else value


def _converted(node: ast.Call) -> Constant | Unknown:
    """`float("inf")`, `Decimal("NaN")`, `int("0")`."""
    text = constant_text(node.args[0]) if len(node.args) == 1 and not node.keywords else None
    name = dotted_name(node.func).rpartition(".")[2]
    if text is None or name not in {"int", "float", "Decimal"}:
        return UNKNOWN
    try:
        return int(text) if name == "int" else float(text)
    except ValueError:
        return UNKNOWN


def _named(references: References, module: Module, node: ast.Name | ast.Attribute, steps: int) -> Constant | Unknown:
    for reference in references.of(module, node):
        if isinstance(reference, ForeignReference) and reference.dotted in _NAMED:
            return _NAMED[reference.dotted]
    held = list(references.held(module, node))
    if len(held) != 1:
        return UNKNOWN
    owner, definition = held[0]
    if definition.binding is not Binding.VALUE or definition.value is None or definition.route:
        return UNKNOWN
    return constant_of(references, owner, definition.value, steps + 1)
