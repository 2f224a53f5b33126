"""Where an annotation says that a value holds call classes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import Module, constant_text, last_name
from pleach_lint.flow.names import names_class, words_of
from pleach_lint.flow.references import ClassReference
from pleach_lint.flow.scopes import Binding, Definition, Route, Step
from pleach_lint.vocabulary import CLASS_TYPE, CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.flow.references import References

_WRAPPERS: Final = frozenset({
    "ClassVar", "ContextVar", "Final", "InitVar", "Mapped", "NotRequired", "Optional", "ReadOnly", "Required",
    "Union", "Unpack",
})  # fmt: skip
_MAPPINGS: Final = frozenset({
    "ChainMap", "defaultdict", "DefaultDict", "dict", "Dict", "Mapping", "MappingProxyType", "MutableMapping",
    "OrderedDict",
})  # fmt: skip
_NO_VALUE: Final = frozenset({"Callable", "Type", "type", "TypeGuard", "TypeIs", "Protocol", "Generic"})
ALIASES: Final = frozenset({"alias", "data_key", "serialization_alias", "validation_alias"})
"""Keywords by which the description of a field gives it another name."""

_DEEPEST: Final = 12


class ClassTypes:
    """Answers for annotations, with names resolved through the project."""

    def __init__(self, references: References) -> None:
        self._references = references

    def routes(self, module: Module, annotation: ast.expr | None, depth: int = 0) -> tuple[Route, ...]:
        """The parts of an annotated value that are call classes; empty when none is."""
        if annotation is None or depth > _DEEPEST:
            return ()
        return tuple(dict.fromkeys(self._routes(module, annotation, depth + 1)))

    def _routes(self, module: Module, node: ast.expr, depth: int) -> Iterator[Route]:
        if isinstance(node, ast.Constant):
            quoted = module.quoted(node)
            yield from self.routes(module, quoted, depth)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            yield from self._named(module, node, depth)
        elif isinstance(node, ast.BinOp):
            yield from (*self.routes(module, node.left, depth), *self.routes(module, node.right, depth))
        elif isinstance(node, ast.Subscript):
            yield from self._generic(module, node, depth)

    def _generic(self, module: Module, node: ast.Subscript, depth: int) -> Iterator[Route]:
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        name = last_name(node.value)
        if name == "Literal":
            if is_class_literal(arguments):
                yield ()
        elif name == "Annotated":
            yield from self.routes(module, arguments[0], depth)
            if any(_tags_class(argument) for argument in arguments[1:]):
                yield ()
        elif name in _WRAPPERS:
            for argument in arguments:
                yield from self.routes(module, argument, depth)
        elif name not in _NO_VALUE:
            for step, argument in _parts(name, arguments):
                yield from ((step, *rest) for rest in self.routes(module, argument, depth))

    def _named(self, module: Module, node: ast.Name | ast.Attribute, depth: int) -> Iterator[Route]:
        named = last_name(node) == CLASS_TYPE
        if isinstance(node, ast.Attribute) and named:
            yield from [()] if self._may_be_ours(module, node) else []
            return
        symbols = tuple(self._references.held(module, node))
        if not symbols and named:
            yield ()
        for owner, definition in symbols:
            if self._is_class_type(owner, definition):
                yield ()
            else:
                yield from self._stands_for(owner, definition, depth)

    def _may_be_ours(self, module: Module, node: ast.Attribute) -> bool:
        for reference in self._references.of(module, node):
            owner = getattr(reference, "module", None)
            return owner is None or owner.is_seam
        return True

    def _is_class_type(self, owner: Module, definition: Definition) -> bool:
        """Whether a definition is the seam package's type, or an import of the name from outside the project."""
        node = definition.node
        if definition.binding is Binding.IMPORT and isinstance(node, ast.alias) and not owner.is_seam:
            is_from = isinstance(owner.parents.get(node), ast.ImportFrom)
            return is_from and node.name.rpartition(".")[2] == CLASS_TYPE
        return owner.is_seam and definition.name == CLASS_TYPE

    def _stands_for(self, owner: Module, definition: Definition, depth: int) -> Iterator[Route]:
        """An alias counts by what it stands for: `Lane = CallClass`; a typed dictionary by its fields."""
        value = definition.value
        if definition.binding is Binding.CLASS and isinstance(definition.node, ast.ClassDef):
            yield from self._fields(ClassReference(owner, definition.node), depth)
        elif definition.binding is Binding.VALUE and not definition.route and value is not None:
            bounds = _bounds(value) if isinstance(value, ast.Call) else [value]
            yield from (route for bound in bounds for route in self.routes(owner, bound, depth))

    def _fields(self, cls: ClassReference, depth: int) -> Iterator[Route]:
        lineage = tuple(self._references.lineage(cls))
        if not any(last_name(base) == "TypedDict" for each in lineage for base in each.node.bases):
            return
        for owner in lineage:
            for statement in owner.node.body:
                if isinstance(statement, ast.AnnAssign):
                    routes = self.routes(owner.module, statement.annotation, depth)
                    yield from ((last_name(statement.target), *route) for route in routes)


def _bounds(value: ast.Call) -> list[ast.expr]:
    """What a new type or a type variable stands for: its base, bound, constraints."""
    if last_name(value.func) not in {"NewType", "TypeAliasType", "TypeVar"}:
        return []
    return [*value.args[1:], *(word.value for word in value.keywords if word.arg in {"bound", "default"})]


def is_class_literal(arguments: Sequence[ast.expr]) -> bool:
    """Whether the arguments of a `Literal` are call classes: two or more distinct words, and nothing else."""
    texts = [constant_text(argument) for argument in arguments if not _is_none(argument)]
    return len(set(texts)) > 1 and all(text in CLASS_WORDS for text in texts)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _tags_class(node: ast.expr) -> bool:
    """Whether metadata of an `Annotated` names the class: `CallClassTag()`, `Option("--call-class")`."""
    target = node.func if isinstance(node, ast.Call) else node
    if names_class(last_name(target)) or "call_class" in words_of(last_name(target)):
        return True
    texts = (constant_text(argument) or "" for argument in node.args) if isinstance(node, ast.Call) else ()
    aliases = (word.value for word in node.keywords if word.arg in ALIASES) if isinstance(node, ast.Call) else ()
    return any(
        names_class(text) for text in (*(t for t in texts if t[:1] == "-"), *map(constant_text, aliases)) if text
    )


def _parts(name: str, arguments: Sequence[ast.expr]) -> Iterator[tuple[Step | int, ast.expr]]:
    """The arguments of a container type, each with the step to the elements that it describes."""
    if name in {"tuple", "Tuple"} and not _is_endless(arguments):
        yield from enumerate(arguments)
    elif name in _MAPPINGS and len(arguments) > 1:
        yield from ((Step.EACH, arguments[0]), (Step.VALUE, arguments[1]))
    else:
        yield from ((Step.EACH, argument) for argument in arguments[:1])


def _is_endless(arguments: Sequence[ast.expr]) -> bool:
    return any(isinstance(argument, ast.Constant) and argument.value is ... for argument in arguments)
