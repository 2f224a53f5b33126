"""Of which class an object is, by the name of the class, and what is written into the parts of an object."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.module import constant_text, dotted_name, last_name
from pleach_lint.flow.references import ClassReference, ForeignReference, InstanceReference, class_names
from pleach_lint.flow.scopes import targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import References

_SETTERS: Final = frozenset({"__setattr__", "setattr"})


class Given(NamedTuple):
    """A value that is given to a field under its name."""

    name: str
    value: ast.expr
    place: ast.AST
    """The keyword, or the value itself."""
    holder: ast.AST
    """The call, display, statement or parameter list in which this happens."""


def class_names_of(references: References, module: Module, node: ast.expr) -> frozenset[str]:
    """The names of the classes of which an expression can be an object, or which it can be."""
    return frozenset(_names(references, module, node))


def _names(references: References, module: Module, node: ast.expr) -> Iterator[str]:
    for reference in references.of(module, node):
        if isinstance(reference, InstanceReference):
            yield reference.of.node.name
        elif isinstance(reference, ClassReference):
            yield reference.node.name
        elif isinstance(reference, ForeignReference):
            yield reference.dotted.rpartition(".")[2]


def annotated_names(references: References, module: Module, annotation: ast.expr) -> frozenset[str]:
    """The names of the classes in an annotation, under which they were defined as well as written."""
    found = set[str]()
    for name in class_names(module, annotation):
        found |= {last_name(name), *_names(references, module, name)}
    return frozenset(found)


def given(node: ast.AST) -> Iterator[Given]:
    """What a keyword, a display, an assignment or a setter gives to a field by its name."""
    if isinstance(node, ast.Call):
        yield from (Given(word.arg, word.value, word, node) for word in node.keywords if word.arg is not None)
        yield from _set(node)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            text = constant_text(key)
            if text is not None:
                yield Given(text, value, value, node)
    elif isinstance(node, ast.Assign):
        singles = (single for target in node.targets for single in targets(target, node.value))
        for single, value, route in singles:
            yield from (Given(name, value, value, node) for name in _target_names(single) if not route)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from (Given(name, node.value, node.value, node) for name in _target_names(node.target))


def mappings(references: References, module: Module, node: ast.expr) -> Iterator[ast.Dict | ast.Call]:
    """The displays and the `dict(...)` of a module that an expression can be made of, names followed."""
    pending, seen = [node], set[ast.expr]()
    while pending:
        part = pending.pop(0)
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, ast.Dict) or (isinstance(part, ast.Call) and dotted_name(part.func) == "dict"):
            yield part
        pending += _parts(references, module, part)


def _parts(references: References, module: Module, node: ast.expr) -> Iterator[ast.expr]:
    """What a mapping takes its entries from, of the same module."""
    if isinstance(node, ast.Dict):
        yield from (value for key, value in zip(node.keys, node.values, strict=True) if key is None)
    elif isinstance(node, ast.Call) and dotted_name(node.func) == "dict":
        yield from (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg is None))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from (node.left, node.right)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, (ast.Name, ast.Attribute)):
        for owner, definition in references.held(module, node):
            if owner is module and definition.value is not None and not definition.route:
                yield definition.value


def _target_names(target: ast.expr) -> Iterator[str]:
    name = constant_text(target.slice) if isinstance(target, ast.Subscript) else last_name(target)
    if name:
        yield name


def _set(call: ast.Call) -> Iterator[Given]:
    """`setattr(row, "name", value)`, `object.__setattr__(row, "name", value)`, `row.__setattr__("name", value)`."""
    if last_name(call.func) in _SETTERS and len(call.args) > 1:
        text = constant_text(call.args[-2])
        if text is not None:
            yield Given(text, call.args[-1], call.args[-1], call)
