"""Attributes that the classes of the project read: stores from outside, and what derived classes put in their place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.flow.calls import Key
from pleach_lint.flow.module import plain_statements
from pleach_lint.flow.names import declares_seam
from pleach_lint.flow.references import ClassReference, InstanceReference
from pleach_lint.flow.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.scopes import Route


def stored(target: ast.Attribute, value: ast.expr, route: Route, view: View) -> Iterator[Slot]:
    """`job.lane = value`, for an object of a class of the project."""
    references = view.analysis.references
    for base in references.of(view.module, target.value):
        if isinstance(base, (ClassReference, InstanceReference)):
            cls = base.of if isinstance(base, InstanceReference) else base
            inside = any(outer is cls.node for outer in view.module.ancestors(target))
            owners = list(references.lineage(cls))[1 if inside else 0 :]
            yield from _in_each(owners, target.attr, value, route)


def overriding(node: ast.ClassDef, view: View) -> Iterator[Slot]:
    """What a derived class puts in the place of an attribute, or of the result of a method, of its bases."""
    owners = list(view.analysis.references.lineage(ClassReference(view.module, node)))[1:]
    for statement in node.body if owners else ():
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                yield from _in_each(owners, target.id, statement.value) if isinstance(target, ast.Name) else ()
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for inner in plain_statements(statement.body):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from _in_each(owners, statement.name, inner.value)


def _in_each(owners: Iterable[ClassReference], name: str, value: ast.expr, route: Route = ()) -> Iterator[Slot]:
    for owner in () if declares_seam(name) else owners:
        key = Key(owner.module, owner.node, name)
        yield Slot(value, f"attribute `{name}` of `{owner.node.name}`", route=route, absorb=False, key=key)
