"""Which values of call-class slots the source leaves open, such as what comes out of the environment. Reports none."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import plain_statements
from pleach_lint.flow.references import ClassReference, FunctionReference
from pleach_lint.flow.scopes import Binding
from pleach_lint.flow.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import Analysis
    from pleach_lint.flow.module import Module

_VALUE: Final = "PCH001"


def open_values(module: Module, analysis: Analysis) -> Iterator[ast.expr]:
    """The expressions that are used as call classes, and of which nothing is known.

    A slot that gets the value of another slot, of a parameter or of a seam is not open: that other place is looked at.
    """
    seen: set[ast.expr] = set()
    for code, use in analysis.uses(module):
        if code == _VALUE and isinstance(use, Slot) and not use.route and use.key is None and use.node not in seen:
            seen.add(use.node)
            if Search(analysis).is_open(module, use.node):
                yield use.node


class Search:
    """One walk back from a slot."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._seen: set[ast.expr] = set()

    def is_open(self, module: Module, node: ast.expr) -> bool:
        """Whether nothing is known of some value that an expression can have."""
        if node in self._seen:
            return False
        self._seen.add(node)
        if self._is_settled(module, node):
            return False
        outcomes = list(_outcomes(node))
        if outcomes:
            return any(self.is_open(module, outcome) for outcome in outcomes)
        leads = list(self._leads(module, node))
        return not leads or any(not owner.is_seam and self.is_open(owner, value) for owner, value in leads)

    def _is_settled(self, module: Module, node: ast.expr) -> bool:
        if isinstance(node, (ast.Constant, ast.Dict, ast.List, ast.Tuple, ast.Set)):
            return True
        if self._analysis.tracer.folder(module).text(node) is not None:
            return True
        trail = self._analysis.tracer.trace(module, node)
        if trail.arrivals or trail.inlets:
            return True
        if isinstance(node, ast.Name):
            return self._is_class(module, node)
        return isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)) and self._analysis.subjects.holds_class(
            module, node
        )

    def _is_class(self, module: Module, node: ast.Name) -> bool:
        """Whether a name tells a class by itself or by its type, and not for where its value goes."""
        if self._analysis.lexicon.names_class(node.id):
            return True
        for owner, definition in self._analysis.references.symbols(module, node):
            annotation = getattr(definition.node, "annotation", None)
            if definition.route in self._analysis.types.routes(owner, annotation):
                return True
        return False

    def _leads(self, module: Module, node: ast.expr) -> Iterator[tuple[Module, ast.expr]]:
        """The expressions that it has its value, or the whole of which it is a part, from."""
        if isinstance(node, ast.Subscript):
            yield module, node.value
        elif isinstance(node, (ast.Name, ast.Attribute)):
            for owner, definition in self._analysis.references.held(module, node):
                if owner.is_seam:
                    yield owner, node
                elif definition.value is not None and definition.binding is Binding.VALUE:
                    yield owner, definition.value
        elif isinstance(node, ast.Call):
            yield from self._results(module, node)

    def _results(self, module: Module, call: ast.Call) -> Iterator[tuple[Module, ast.expr]]:
        """What a function of the project returns; of any other, the arguments that it may choose from."""
        references = list(self._analysis.references.called(module, call.func))
        for reference in references:
            if isinstance(reference, FunctionReference) and not isinstance(reference.node, ast.Lambda):
                yield from ((reference.module, value) for value in _returned(reference.node.body))
            elif isinstance(reference, ClassReference) and reference.module.is_seam:
                yield reference.module, call
        if not any(isinstance(reference, FunctionReference) for reference in references):
            yield from ((module, argument) for argument in call.args if self._is_of_seams(module, argument))

    def _is_of_seams(self, module: Module, node: ast.expr) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return False
        return any(owner.is_seam for owner, _ in self._analysis.references.held(module, node))


def _outcomes(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions one of which is the value."""
    if isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, (ast.Await, ast.NamedExpr)):
        yield node.value


def _returned(body: list[ast.stmt]) -> Iterator[ast.expr]:
    for statement in plain_statements(body):
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield statement.value
