"""What an expression is outside the project, by dotted names: `openai.OpenAI.chat`, `boto3.client().converse`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import constant_text
from pleach_lint.flow.references import ForeignReference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import References

_MOST_STEPS: Final = 25
"""Steps from an expression to what it comes from; a name may stand for itself in a circle."""
_KINDS: Final = frozenset({"name", "service", "service_name"})
"""Keywords that say what a factory makes."""


def dotted_names(references: References, module: Module, node: ast.expr, steps: int = 0) -> frozenset[str]:
    """The dotted names of an expression. An object goes by the name of its class; a result by its function and `()`."""
    if steps > _MOST_STEPS:
        return frozenset()
    known = (found for found in references.of(module, node) if isinstance(found, ForeignReference))
    return frozenset((*(found.dotted for found in known), *_derived(references, module, node, steps + 1)))


def _derived(references: References, module: Module, node: ast.expr, steps: int) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        for base in dotted_names(references, module, node.value, steps):
            yield f"{base}.{node.attr}"
    if isinstance(node, ast.Call):
        for function in dotted_names(references, module, node.func, steps):
            yield from _result(function, node)
    elif isinstance(node, ast.Await):
        yield from dotted_names(references, module, node.value, steps)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        for owner, definition in references.held(module, node):
            if definition.value is not None and not definition.route:
                yield from dotted_names(references, owner, definition.value, steps)


def _result(function: str, call: ast.Call) -> Iterator[str]:
    """What a call gives: of a factory that is told what to make, also with that text, `boto3.client(s3)`."""
    if function.rpartition(".")[2][:1].isupper():
        yield function
        return
    yield f"{function}()"
    named = (keyword.value for keyword in call.keywords if keyword.arg in _KINDS)
    text = next(filter(None, map(constant_text, (*call.args[:1], *named))), None)
    if text is not None:
        yield f"{function}({text})"
