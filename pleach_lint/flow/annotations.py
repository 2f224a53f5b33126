"""Where an annotation says that a value holds call classes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import Module, constant_text, last_name
from pleach_lint.flow.names import names_class, words_of
from pleach_lint.flow.scopes import Binding, Definition, Route, Step
from pleach_lint.vocabulary import CLASS_TYPE, CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.flow.references import References

_WRAPPERS: Final = frozenset({
    "ClassVar", "Final", "InitVar", "Mapped", "NotRequired", "Optional", "ReadOnly", "Required", "Union",
    "Unpack",
})  # fmt: skip
_MAPPINGS: Final = frozenset({
    "ChainMap", "defaultdict", "DefaultDict", "dict", "Dict", "Mapping", "MappingProxyType", "MutableMapping",
    "OrderedDict",
})  # fmt: skip
_NO_VALUE: Final = frozenset({"Callable", "Type", "type", "TypeGuard", "TypeIs", "Protocol", "Generic"})
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
            if self._is_class_type(module, node, depth):
                yield ()
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

    def _is_class_type(self, module: Module, node: ast.Name | ast.Attribute, depth: int) -> bool:
        named = last_name(node) == CLASS_TYPE
        if isinstance(node, ast.Attribute):
            return named and self._may_be_ours(module, node)
        symbols = tuple(self._references.symbols(module, node))
        if not symbols:
            return named
        return any(self._defines_class_type(owner, definition, depth) for owner, definition in symbols)

    def _may_be_ours(self, module: Module, node: ast.Attribute) -> bool:
        for reference in self._references.of(module, node):
            owner = getattr(reference, "module", None)
            return owner is None or owner.is_seam
        return True

    def _defines_class_type(self, owner: Module, definition: Definition, depth: int) -> bool:
        node = definition.node
        if owner.is_seam:
            return definition.name == CLASS_TYPE or self._aliases_class(owner, definition, depth)
        if definition.binding is Binding.IMPORT and isinstance(node, ast.alias):
            return node.name.rpartition(".")[2] == CLASS_TYPE and self._is_foreign(owner, definition)
        return self._aliases_class(owner, definition, depth)

    def _is_foreign(self, owner: Module, definition: Definition) -> bool:
        """An import that could not be followed counts by its name only when it leads out of the project."""
        statement = owner.parents.get(definition.node)
        return isinstance(statement, ast.ImportFrom)

    def _aliases_class(self, owner: Module, definition: Definition, depth: int) -> bool:
        """An alias counts by what it stands for: `Lane = CallClass`, or a `Literal` of class words."""
        value = definition.value
        if definition.binding is not Binding.VALUE or definition.route or value is None:
            return False
        if isinstance(value, ast.Call) and last_name(value.func) in {"NewType", "TypeVar"}:
            bounds = [*value.args[1:], *(word.value for word in value.keywords if word.arg == "bound")]
            return any(() in self.routes(owner, bound, depth) for bound in bounds)
        return () in self.routes(owner, value, depth)


def is_class_literal(arguments: Sequence[ast.expr]) -> bool:
    """Whether the arguments of a `Literal` are call classes: two or more distinct words, and nothing else."""
    texts = [constant_text(argument) for argument in arguments if not _is_none(argument)]
    return len(set(texts)) > 1 and all(text in CLASS_WORDS for text in texts)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _tags_class(node: ast.expr) -> bool:
    """Whether metadata of an `Annotated` names the class: `CallClassTag()`."""
    target = node.func if isinstance(node, ast.Call) else node
    return names_class(last_name(target)) or "call_class" in words_of(last_name(target))


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
