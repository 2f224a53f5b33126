"""Which argument of a call becomes which parameter or field, for callables that the project defines."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.module import Module, decorator_names, last_name
from pleach_lint.flow.references import ClassReference, FunctionReference, InstanceReference, References
from pleach_lint.flow.remaking import remade
from pleach_lint.flow.scopes import Route, Step, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CALL_LATER: Final = frozenset({
    "add_task", "apply", "apply_async", "call_at", "call_later", "call_soon", "call_soon_threadsafe", "defer",
    "enqueue", "partial", "partialmethod", "Process", "run", "run_in_executor", "run_sync", "spawn",
    "start_soon", "submit", "Thread", "Timer", "to_thread", "wrap_future",
})  # fmt: skip
"""Calls that take a callable and, after it, its arguments."""

_CALL_EACH: Final = frozenset({"imap", "imap_unordered", "map", "map_async"})
_CALL_ON_NAME: Final = frozenset({"apply_async", "delay", "map", "remote", "s", "si", "signature", "spawn", "submit"})
"""Methods of a task object that pass their arguments to the function behind it."""
Callee: TypeAlias = "FunctionReference | ClassReference"


@dataclass(frozen=True)
class Key:
    """A parameter of a function, or a field of a class, of the project.

    A keyword that a function collects in its `**` parameter counts as a parameter of that name.
    """

    module: Module
    owner: ast.AST
    name: str


@dataclass(frozen=True)
class Binding:
    """One argument and where it goes."""

    key: Key
    argument: ast.expr
    route: Route = ()
    """The part of the argument that arrives, as with `*lanes`."""


class Arguments:
    """Binds the arguments of calls."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._known: dict[ast.Call, tuple[Binding, ...]] = {}

    def of(self, module: Module, call: ast.Call) -> tuple[Binding, ...]:
        """Each argument that becomes a known parameter or field; empty when the callee is not of the project."""
        if call not in self._known:
            self._known[call] = tuple(dict.fromkeys(self._bind(module, call)))
        return self._known[call]

    def _bind(self, module: Module, call: ast.Call) -> Iterator[Binding]:
        direct = False
        for reference in self._references.called(module, call.func):
            if isinstance(reference, (FunctionReference, ClassReference)):
                direct = True
                yield from self._passed(reference, call.args, call.keywords)
        if not direct:
            yield from self._indirect(module, call)
            yield from self._remade(module, call)

    def _passed(
        self, target: Callee, positional: Sequence[ast.expr], keywords: Sequence[ast.keyword]
    ) -> Iterator[Binding]:
        if isinstance(target, FunctionReference):
            yield from _to_function(target, positional, keywords)
        else:
            yield from self._to_class(target, positional, keywords)

    def _to_class(
        self, cls: ClassReference, positional: Sequence[ast.expr], keywords: Sequence[ast.keyword]
    ) -> Iterator[Binding]:
        for owner, definition in self._references.members(cls, "__init__"):
            if isinstance(definition.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                constructor = FunctionReference(owner.module, definition.node, 1)
                yield from _to_function(constructor, positional, keywords)
                return
        keys = list(self.fields(cls))
        if not _is_keyword_only(cls):
            yield from _in_order(keys, positional)
        yield from _by_name({key.name: key for key in keys}, keywords)

    def fields(self, cls: ClassReference) -> Iterator[Key]:
        """The annotated fields of a class, those of its bases first; a field that is declared again keeps its place."""
        seen: dict[str, Key] = {}
        for owner in reversed(list(self._references.lineage(cls))):
            for statement in owner.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    seen[statement.target.id] = Key(owner.module, owner.node, statement.target.id)
        yield from seen.values()

    def _indirect(self, module: Module, call: ast.Call) -> Iterator[Binding]:
        """Calls that pass arguments on: `pool.submit(f, x)`, `Thread(target=f, args=(x,))`, `f.delay(x)`."""
        name = last_name(call.func)
        if name in _CALL_ON_NAME and isinstance(call.func, ast.Attribute):
            for target in self._callables(module, call.func.value):
                yield from self._passed(target, call.args, call.keywords)
        if name in _CALL_LATER | _CALL_EACH:
            for place, argument in enumerate(call.args):
                for target in self._callables(module, argument):
                    callee = _as_method(target) if name == "partialmethod" else target
                    passed = list(self._passed(callee, call.args[place + 1 :], call.keywords))
                    yield from (_each(binding) for binding in passed) if name in _CALL_EACH else passed
            yield from self._given_as_tuple(module, call)

    def _remade(self, module: Module, call: ast.Call) -> Iterator[Binding]:
        """Fields of objects that are made of others: `replace(job, lane=x)`, `job._replace(lane=x)`."""
        for each in remade(call):
            for reference in self._references.of(module, each.like):
                if isinstance(reference, (ClassReference, InstanceReference)):
                    cls = reference.of if isinstance(reference, InstanceReference) else reference
                    keys = {key.name: key for key in self.fields(cls)}
                    yield from _in_order(list(keys.values()), each.positional)
                    yield from _by_name(keys, each.keywords)

    def _given_as_tuple(self, module: Module, call: ast.Call) -> Iterator[Binding]:
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        callables = [named[name] for name in ("target", "func", "function", "fn") if name in named] or call.args[:1]
        positional = [ast.Starred(named["args"], ast.Load())] if "args" in named else []
        keywords = [ast.keyword(None, named["kwargs"])] if "kwargs" in named else []
        for target in self._callables(module, callables[0]) if callables and (positional or keywords) else ():
            yield from self._passed(target, positional, keywords)

    def _callables(self, module: Module, node: ast.expr) -> Iterator[Callee]:
        for reference in self._references.of(module, node):
            if isinstance(reference, (FunctionReference, ClassReference)):
                yield reference


def _as_method(target: Callee) -> Callee:
    return replace(target, taken=target.taken + 1) if isinstance(target, FunctionReference) else target


def _each(binding: Binding) -> Binding:
    return replace(binding, route=(Step.EACH, *binding.route))


def _is_keyword_only(cls: ClassReference) -> bool:
    """Whether a class takes its fields by keyword only, as pydantic models and typed dictionaries do."""
    decorated = decorator_names(cls.node) & {"dataclass", "define", "frozen", "mutable", "attrs", "s", "attr"}
    return not decorated and not any(last_name(base) == "NamedTuple" for base in cls.node.bases)


def _to_function(
    function: FunctionReference, positional: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> Iterator[Binding]:
    node = function.node
    ordered = [*node.args.posonlyargs, *node.args.args][function.taken :]
    keys = [Key(function.module, node, argument.arg) for argument in ordered]
    rest = Key(function.module, node, node.args.vararg.arg) if node.args.vararg else None
    yield from _in_order(keys, positional, rest)
    stars = {star.arg for star in (node.args.vararg, node.args.kwarg) if star is not None}
    named = [argument.arg for argument, _ in parameters(node) if argument.arg not in stars]
    collected = [keyword.arg for keyword in keywords if keyword.arg] if node.args.kwarg else []
    yield from _by_name({name: Key(function.module, node, name) for name in (*named, *collected)}, keywords)


def _in_order(keys: Sequence[Key], positional: Sequence[ast.expr], rest: Key | None = None) -> Iterator[Binding]:
    surplus: list[ast.expr] = []
    for place, argument in enumerate(positional):
        if isinstance(argument, ast.Starred):
            yield from (Binding(key, argument.value, (index,)) for index, key in enumerate(keys[place:]))
            surplus += positional[place:]
            break
        if place < len(keys):
            yield Binding(keys[place], argument)
        else:
            surplus.append(argument)
    if rest is not None and surplus:
        yield Binding(rest, ast.Tuple(surplus, ast.Load()))


def _by_name(keys: dict[str, Key], keywords: Sequence[ast.keyword]) -> Iterator[Binding]:
    for keyword in keywords:
        if keyword.arg is None:
            yield from (Binding(key, keyword.value, (name,)) for name, key in keys.items())
        elif keyword.arg in keys:
            yield Binding(keys[keyword.arg], keyword.value)
