"""What the elements of a container refer to: by the display in sight, or by the type. Remembers nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.flow.scopes import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import Reference, References
    from pleach_lint.flow.scopes import Route


class Contents:
    """Answers for containers of the whole project."""

    def __init__(self, references: References) -> None:
        self._references = references

    def of(self, module: Module, node: ast.expr) -> Iterator[Reference]:
        """What an element of a container, or a value of a mapping, can refer to."""
        for element in _listed(node):
            yield from self._references.of(module, element)
        for container in _passed_through(node):
            yield from self._references.elements(module, container)
        if isinstance(node, (ast.Name, ast.Attribute)):
            for owner, definition in self._references.held(module, node):
                if definition.value is not None and not definition.route:
                    yield from self._references.elements(owner, definition.value)
                if isinstance(definition.node, (ast.AnnAssign, ast.arg)) and definition.node.annotation is not None:
                    yield from self._typed(owner, definition.node.annotation)

    def _typed(self, module: Module, annotation: ast.expr) -> Iterator[Reference]:
        """Objects of the classes among the arguments of `list[Job]`, `dict[str, Job] | None`, `"list[Job]"`."""
        for part in ast.walk(_unquoted(module, annotation)):
            if isinstance(part, ast.Subscript):
                arguments = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
                for argument in arguments:
                    yield from self._references.annotated(module, argument)


def is_element(route: Route) -> bool:
    """Whether a route leads to the elements of a container, as a loop does, or to the values of `items()`."""
    return route in {(Step.EACH,), (Step.VALUE,), (Step.EACH, 1)}


def _unquoted(module: Module, annotation: ast.expr) -> ast.expr:
    quoted = module.quoted(annotation) if isinstance(annotation, ast.Constant) else None
    return annotation if quoted is None else quoted


def _listed(node: ast.expr) -> list[ast.expr]:
    """The elements that a display or a comprehension spells."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return node.elts
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return node.values if isinstance(node, ast.Dict) else [node.value]
    return [node.elt] if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)) else []


def _passed_through(node: ast.expr) -> list[ast.expr]:
    """The containers whose elements a call gives again: `sorted(jobs)`, `enumerate(jobs)`, `runners.values()`."""
    if not isinstance(node, ast.Call):
        return []
    return [node.func.value] if isinstance(node.func, ast.Attribute) and not node.args else node.args[:1]
