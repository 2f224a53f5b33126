"""What an expression is outside the project, by dotted names: `openai.OpenAI.chat`, `boto3.client().converse`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import constant_text, last_name, plain_statements
from pleach_lint.flow.references import ForeignReference, FunctionReference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import References

_CHAINS: Final = frozenset({"RunnableSequence", "pipe"})
"""Calls that join their arguments as `|` does."""
_KINDS: Final = frozenset({"name", "service", "service_name"})
"""Keywords that say what a factory makes."""


def dotted_names(references: References, module: Module, node: ast.expr) -> frozenset[str]:
    """The dotted names of an expression. An object goes by the name of its class; a result by its function and `()`.

    What is piped together, `prompt | model`, goes by the names of all its parts.
    """
    return _Search(references).names(module, node)


class _Search:
    """One walk back from an expression, to each place once: a name may stand for itself in a circle."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._known: dict[ast.expr, frozenset[str]] = {}

    def names(self, module: Module, node: ast.expr) -> frozenset[str]:
        if node not in self._known:
            self._known[node] = frozenset()
            known = (found for found in self._references.of(module, node) if isinstance(found, ForeignReference))
            self._known[node] = frozenset((*(found.dotted for found in known), *self._derived(module, node)))
        return self._known[node]

    def _derived(self, module: Module, node: ast.expr) -> Iterator[str]:
        if isinstance(node, ast.Attribute):
            for base in self.names(module, node.value):
                yield f"{base}.{node.attr}"
        if isinstance(node, ast.Call):
            for function in self.names(module, node.func):
                yield from _result(function, node)
            yield from self._returned(module, node)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            for owner, definition in self._references.held(module, node):
                if definition.value is not None and not definition.route:
                    yield from self.names(owner, definition.value)
        for part in _passed_on(node):
            yield from self.names(module, part)

    def _returned(self, module: Module, call: ast.Call) -> Iterator[str]:
        """What a function of the project gives."""
        for reference in self._references.of(module, call.func):
            if isinstance(reference, FunctionReference) and not isinstance(reference.node, ast.Lambda):
                for statement in plain_statements(reference.node.body):
                    if isinstance(statement, ast.Return) and statement.value is not None:
                        yield from self.names(reference.module, statement.value)


def _passed_on(node: ast.expr) -> Sequence[ast.expr]:
    """The parts of an expression by whose names it goes."""
    if isinstance(node, ast.Await):
        return (node.value,)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return (node.left, node.right)
    name = last_name(node.func) if isinstance(node, ast.Call) else ""
    if not isinstance(node, ast.Call) or name not in _CHAINS | {"partial"}:
        return ()
    return node.args if name in _CHAINS else node.args[:1]


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
