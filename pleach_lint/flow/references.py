"""What an expression refers to: modules, classes, instances, functions of the project; or something foreign."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.contents import Contents, is_element
from pleach_lint.flow.module import Module, constant_text, decorator_names, dotted_name, last_name, plain_statements
from pleach_lint.flow.scopes import Binding, Definition, FunctionNode, parameters, targets
from pleach_lint.flow.settling import Settled
from pleach_lint.flow.symbols import Symbols

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.flow.scopes import Route
    from pleach_lint.flow.symbols import ModuleFinder, Symbol

_TRANSPARENT: Final = frozenset(
    {"Annotated", "ClassVar", "Final", "InitVar", "Mapped", "Optional", "Required", "Union"}
)
"""Type constructors whose value is an object of one of their arguments."""


PROPERTIES: Final = frozenset({"abstractproperty", "cached_property", "property"})
"""Decorators that make a method read like an attribute."""


@dataclass(frozen=True)
class FunctionReference:
    """A function, and how many of its leading parameters are taken by `self` or by a partial application."""

    module: Module
    node: FunctionNode
    taken: int = 0
    named: frozenset[str] = frozenset()
    """Parameters that a partial application has given by keyword."""


@dataclass(frozen=True)
class ClassReference:
    """A class of the project."""

    module: Module
    node: ast.ClassDef


@dataclass(frozen=True)
class InstanceReference:
    """An object of a class of the project."""

    of: ClassReference


@dataclass(frozen=True)
class ModuleReference:
    """A module of the project."""

    module: Module


@dataclass(frozen=True)
class ForeignReference:
    """Something imported from outside the project, by its dotted name; an object goes by the name of its class."""

    dotted: str


Reference: TypeAlias = "FunctionReference | ClassReference | InstanceReference | ModuleReference | ForeignReference"


class References:
    """Resolves expressions to what they refer to. Answers are remembered by node."""

    def __init__(self, finder: ModuleFinder) -> None:
        self._finder = finder
        self._known = Settled["tuple[ast.expr, bool]", "tuple[Reference, ...]"]((), _ordered)
        """By expression, and whether the question is about its elements."""
        self._contents = Contents(self)
        self._symbols = Symbols(finder)
        self._stores: dict[ClassReference, dict[str, list[Definition]]] = {}

    def of(self, module: Module, node: ast.expr) -> tuple[Reference, ...]:
        """Everything that an expression can refer to; empty when nothing is known about it."""
        return self._known.answer((node, False), lambda: tuple(dict.fromkeys(self._resolve(module, node))))

    def elements(self, module: Module, node: ast.expr) -> tuple[Reference, ...]:
        """Everything that an element of a container, or a value of a mapping, can refer to."""
        return self._known.answer((node, True), lambda: tuple(dict.fromkeys(self._contents.of(module, node))))

    def called(self, module: Module, function: ast.expr) -> Iterator[Reference]:
        """What a call of the expression calls: of an object, its `__call__`."""
        for reference in self.of(module, function):
            if isinstance(reference, InstanceReference):
                yield from self._member(reference, "__call__")
            else:
                yield reference

    def _resolve(self, module: Module, node: ast.expr) -> Iterator[Reference]:
        if isinstance(node, ast.Name):
            for owner, definition in self.symbols(module, node):
                yield from self.meant(owner, definition)
        elif isinstance(node, ast.Attribute):
            for base in self.of(module, node.value):
                yield from self._attribute(base, node.attr)
            if dotted_name(node) in module.dotted_imports:
                yield from self._module(module, dotted_name(node), 0)
        elif isinstance(node, ast.Call):
            yield from self._result(module, node)
        elif isinstance(node, ast.Lambda):
            yield FunctionReference(module, node)
        elif isinstance(node, ast.Subscript):
            yield from self.elements(module, node.value)
        else:
            for outcome in _outcomes(node):
                yield from self.of(module, outcome)

    def held(self, module: Module, node: ast.Name | ast.Attribute) -> Iterator[Symbol]:
        """The definitions of a name, or of an attribute of an object or a class of the project."""
        if isinstance(node, ast.Name):
            yield from self.symbols(module, node)
            return
        for base in self.of(module, node.value):
            if isinstance(base, (ClassReference, InstanceReference)):
                cls = base.of if isinstance(base, InstanceReference) else base
                for owner, definition in self.members(cls, node.attr):
                    yield from self._symbols.followed(owner.module, definition)
            elif isinstance(base, ModuleReference):
                yield from self._symbols.exported(base.module, node.attr)

    def symbols(self, module: Module, name: ast.Name) -> tuple[Symbol, ...]:
        """The definitions of a name, imports followed to where the project defines it."""
        return self._symbols.of(module, name)

    def meant(self, module: Module, definition: Definition) -> Iterator[Reference]:
        """What a definition makes its name refer to."""
        node = definition.node
        if definition.binding is Binding.IMPORT and isinstance(node, ast.alias):
            yield from self._imported(module, node)
        elif definition.binding is Binding.FUNCTION and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield FunctionReference(module, node)
        elif definition.binding is Binding.CLASS and isinstance(node, ast.ClassDef):
            yield ClassReference(module, node)
        elif definition.binding is Binding.PARAMETER and isinstance(node, ast.arg):
            yield from self._parameter(module, node)
        elif definition.value is not None and not definition.route:
            yield from self.of(module, definition.value)
        elif definition.value is not None and is_element(definition.route):
            yield from self.elements(module, definition.value)
        if isinstance(node, ast.AnnAssign):
            yield from self.annotated(module, node.annotation)

    def _imported(self, module: Module, alias: ast.alias) -> Iterator[Reference]:
        statement = module.parents.get(alias)
        if isinstance(statement, ast.ImportFrom):
            inside = ".".join(part for part in (statement.module, alias.name) if part)
            yield from self._module(module, inside, statement.level)
        else:
            yield from self._module(module, alias.name if alias.asname else alias.name.partition(".")[0], 0)

    def _module(self, importer: Module, dotted: str, level: int) -> Iterator[Reference]:
        found = self._finder.imported(importer, dotted, level)
        if isinstance(found, Module):
            yield ModuleReference(found)
        elif found is None and not level:
            top = self._finder.imported(importer, dotted.partition(".")[0], 0)
            if top is None:
                yield ForeignReference(dotted)

    def _parameter(self, module: Module, node: ast.arg) -> Iterator[Reference]:
        function = module.function_of(node) or next(
            (outer for outer in module.ancestors(node) if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef))),
            None,
        )
        owner = module.class_of(function) if function is not None else None
        if owner is not None and function is not None and "staticmethod" not in decorator_names(function):
            first = next(parameters(function), None)
            if first is not None and first[0] is node:
                reference = ClassReference(module, owner)
                yield reference if "classmethod" in decorator_names(function) else InstanceReference(reference)
                return
        if node.annotation is not None:
            yield from self.annotated(module, node.annotation)

    def annotated(self, module: Module, annotation: ast.expr) -> Iterator[Reference]:
        """Objects of the classes that an annotation names."""
        for name in class_names(module, annotation):
            for reference in self.of(module, name):
                if isinstance(reference, ClassReference):
                    yield InstanceReference(reference)
                elif isinstance(reference, ForeignReference):
                    yield reference
            if last_name(name) == "Self":
                around = (outer for outer in module.ancestors(annotation) if isinstance(outer, ast.ClassDef))
                yield from (InstanceReference(ClassReference(module, cls)) for cls in islice(around, 1))

    def _attribute(self, base: Reference, attribute: str) -> Iterator[Reference]:
        if isinstance(base, ModuleReference):
            for owner, definition in self._symbols.exported(base.module, attribute):
                yield from self.meant(owner, definition)
        elif isinstance(base, ForeignReference):
            yield ForeignReference(f"{base.dotted}.{attribute}")
        elif isinstance(base, (ClassReference, InstanceReference)):
            yield from self._member(base, attribute)

    def _member(self, base: ClassReference | InstanceReference, attribute: str) -> Iterator[Reference]:
        cls = base.of if isinstance(base, InstanceReference) else base
        for owner, definition in self.members(cls, attribute):
            for reference in self.meant(owner.module, definition):
                if isinstance(reference, FunctionReference) and definition.binding is Binding.FUNCTION:
                    yield from self._bound(reference, on_instance=isinstance(base, InstanceReference))
                else:
                    yield reference

    def _bound(self, method: FunctionReference, *, on_instance: bool) -> Iterator[Reference]:
        decorators = decorator_names(method.node)
        if decorators & PROPERTIES:
            yield from self._returned(method)
            return
        takes_first = "staticmethod" not in decorators and (on_instance or "classmethod" in decorators)
        yield replace(method, taken=1 if takes_first else 0)

    def _returned(self, function: FunctionReference) -> Iterator[Reference]:
        """What a call gives: by the annotation of the result, or else by what is returned."""
        node, module = function.node, function.module
        if isinstance(node, ast.Lambda):
            yield from self.of(module, node.body)
        elif node.returns is None:
            for statement in plain_statements(node.body):
                if isinstance(statement, ast.Return) and statement.value is not None:
                    yield from self.of(module, statement.value)
        else:
            yield from self.annotated(module, node.returns)

    def lineage(self, cls: ClassReference) -> Iterator[ClassReference]:
        """The class and those bases that are known, nearest first."""
        pending, seen = [cls], {cls}
        while pending:
            current = pending.pop(0)
            yield current
            for base in current.node.bases:
                target = base.value if isinstance(base, ast.Subscript) else base
                for reference in self.of(current.module, target):
                    if isinstance(reference, ClassReference) and reference not in seen:
                        seen.add(reference)
                        pending.append(reference)

    def members(self, cls: ClassReference, name: str) -> Iterator[tuple[ClassReference, Definition]]:
        """The definitions of an attribute in the nearest class that has it: the body's, and stores to `self`."""
        for owner in self.lineage(cls):
            in_body = owner.module.names.scopes[owner.node].last.get(name, ())
            found = [*in_body, *self._stored(owner).get(name, ())]
            if found:
                yield from ((owner, definition) for definition in found)
                return

    def _stored(self, cls: ClassReference) -> dict[str, list[Definition]]:
        if cls not in self._stores:
            self._stores[cls] = stores(cls.node)
        return self._stores[cls]

    def _result(self, module: Module, node: ast.Call) -> Iterator[Reference]:
        if last_name(node.func) == "partial" and node.args:
            for reference in self.of(module, node.args[0]):
                if isinstance(reference, FunctionReference):
                    named = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
                    yield replace(reference, taken=reference.taken + len(node.args) - 1, named=named)
            return
        for reference in self.of(module, node.func):
            if isinstance(reference, ClassReference):
                yield InstanceReference(reference)
            elif isinstance(reference, FunctionReference):
                yield from self._returned(reference)
            elif isinstance(reference, ForeignReference) and reference.dotted.rpartition(".")[2][:1].isupper():
                yield reference
        if dotted_name(node.func) == "super":
            yield from self._super(module, node)
        elif dotted_name(node.func) == "getattr":
            yield from self._by_name(module, node)

    def _by_name(self, module: Module, node: ast.Call) -> Iterator[Reference]:
        """`getattr(model, "ask")`."""
        attribute = constant_text(node.args[1]) if len(node.args) > 1 else None
        for base in self.of(module, node.args[0]) if attribute is not None else ():
            yield from self._attribute(base, attribute or "")

    def _super(self, module: Module, node: ast.Call) -> Iterator[Reference]:
        cls = next((outer for outer in module.ancestors(node) if isinstance(outer, ast.ClassDef)), None)
        if cls is not None:
            for base in list(self.lineage(ClassReference(module, cls)))[1:]:
                yield InstanceReference(base)


def _ordered(references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    return tuple(sorted(references, key=_place))


def _place(reference: Reference) -> tuple[str, str, int, int]:
    """What tells references apart in every run alike: their kind, and where they are defined."""
    kind = type(reference).__name__
    if isinstance(reference, ForeignReference):
        return kind, reference.dotted, 0, 0
    if isinstance(reference, ModuleReference):
        return kind, str(reference.module.path), 0, 0
    meant = reference.of if isinstance(reference, InstanceReference) else reference
    return kind, str(meant.module.path), meant.node.lineno, meant.node.col_offset


def _outcomes(node: ast.expr) -> Sequence[ast.expr]:
    """The expressions, one of which an expression gives as it is."""
    if isinstance(node, (ast.Await, ast.NamedExpr)):
        return (node.value,)
    if isinstance(node, ast.IfExp):
        return (node.body, node.orelse)
    return node.values if isinstance(node, ast.BoolOp) else ()


def stores(cls: ast.ClassDef) -> dict[str, list[Definition]]:
    """Assignments to attributes of `self` in the methods of a class, by attribute."""
    found: dict[str, list[Definition]] = {}
    for method in cls.body:
        first = next(parameters(method), None) if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
        for node in ast.walk(method) if first is not None else ():
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                for single, value, route in _single_targets(node):
                    if isinstance(single, ast.Attribute) and first and last_name(single.value) == first[0].arg:
                        definition = Definition(single.attr, Binding.VALUE, node, value, route)
                        found.setdefault(single.attr, []).append(definition)
    return found


def _single_targets(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[ast.expr, ast.expr | None, Route]]:
    if isinstance(node, ast.AnnAssign):
        yield node.target, node.value, ()
        return
    for target in node.targets:
        yield from targets(target, node.value)


def class_names(module: Module, annotation: ast.expr) -> Iterator[ast.expr]:
    """The names in an annotation that can be the class of the value: `X`, `X | None`, `Optional[X]`, `"X"`."""
    if isinstance(annotation, (ast.Name, ast.Attribute)):
        yield annotation
    elif isinstance(annotation, ast.Constant):
        quoted = module.quoted(annotation)
        yield from class_names(module, quoted) if quoted is not None else ()
    elif isinstance(annotation, ast.BinOp):
        yield from (*class_names(module, annotation.left), *class_names(module, annotation.right))
    elif isinstance(annotation, ast.Subscript):
        if last_name(annotation.value) in _TRANSPARENT:
            inner = annotation.slice
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            yield from (name for part in parts for name in class_names(module, part))
        else:
            yield annotation.value
