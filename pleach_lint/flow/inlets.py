"""Which parameters and fields are call-class slots: by name, by type, or because they are forwarded to one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.flow.calls import Key
from pleach_lint.flow.module import last_name
from pleach_lint.flow.scopes import FUNCTIONS, Route, parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pleach_lint.flow.annotations import ClassTypes
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.names import Lexicon
    from pleach_lint.flow.slots import Slot
    from pleach_lint.flow.tracing import Tracer

    Reasons = dict[Route, str]
    """By the part of the value that is a class: the slot that it reaches, as the message gives it."""


class Inlets:
    """Answers for parameters and fields of the whole project; forwarding is followed to a fixpoint."""

    def __init__(
        self, tracer: Tracer, types: ClassTypes, lexicon: Lexicon, slots_of: Callable[[Module], Sequence[Slot]]
    ) -> None:
        self._tracer = tracer
        self._types = types
        self._lexicon = lexicon
        self._slots_of = slots_of
        self._known: dict[Key, Reasons] = {}
        self._flows: dict[Module, tuple[dict[Key, Reasons], dict[Key, list[tuple[Slot, Key]]]]] = {}

    def reasons(self, key: Key) -> Reasons:
        """The parts of the value that are call classes, with the reason for each; empty when none is."""
        if key not in self._known:
            graph = self._reachable(key)
            reached: dict[Key, Reasons] = {each: dict(self._direct(each)) for each in graph}
            while self._spread(graph, reached):
                pass
            self._known.update(reached)
        return self._known[key]

    def _direct(self, key: Key) -> Reasons:
        """What a parameter or field is by itself, and by the slots of its own module that it reaches."""
        shown = _shown(key)
        own: Reasons = {}
        if self._lexicon.names_class(key.name):
            own[()] = shown
        for route in self._types.routes(key.module, annotation_of(key)):
            own[route] = shown
        reached = self._module_flows(key.module)[0].get(key, {})
        return {**{route: f"{shown} → {sink}" for route, sink in reached.items()}, **own}

    def _module_flows(self, module: Module) -> tuple[dict[Key, Reasons], dict[Key, list[tuple[Slot, Key]]]]:
        """For the keys of a module: slots that they reach there, and arguments that they are passed on as."""
        if module in self._flows:
            return self._flows[module]
        direct: dict[Key, Reasons] = {}
        passed: dict[Key, list[tuple[Slot, Key]]] = {}
        self._flows[module] = direct, passed
        for slot in self._slots_of(module):
            trail = self._tracer.trace(module, slot.node, slot.route, absorb=slot.absorb)
            for inlet in trail.inlets:
                key = Key(inlet.module, inlet.owner, inlet.name)
                if slot.key is None:
                    direct.setdefault(key, {}).setdefault(inlet.route, slot.sink or slot.why)
                else:
                    passed.setdefault(key, []).append((slot, slot.key))
        return direct, passed

    def _reachable(self, start: Key) -> set[Key]:
        found, pending = {start}, [start]
        while pending:
            key = pending.pop()
            for _, further in self._module_flows(key.module)[1].get(key, ()):
                if further not in found:
                    found.add(further)
                    pending.append(further)
        return found

    def _spread(self, graph: set[Key], reached: dict[Key, Reasons]) -> bool:
        """Carry reasons one call further; whether anything was new."""
        new = False
        for key in graph:
            for slot, further in self._module_flows(key.module)[1].get(key, ()):
                for route, reason in self._carried(key, slot, reached[further]):
                    if route not in reached[key]:
                        reached[key][route] = reason
                        new = True
        return new

    def _carried(self, key: Key, slot: Slot, reasons: Reasons) -> Iterator[tuple[Route, str]]:
        for further, reason in tuple(reasons.items()):
            trail = self._tracer.trace(key.module, slot.node, (*slot.route, *further), absorb=not further)
            for inlet in trail.inlets:
                if Key(inlet.module, inlet.owner, inlet.name) == key:
                    yield inlet.route, f"{_shown(key)} → {reason.rpartition(' → ')[2]}"


def annotation_of(key: Key) -> ast.expr | None:
    """The annotation of a parameter, or of a field in the body of its class."""
    if isinstance(key.owner, FUNCTIONS):
        return next((argument.annotation for argument, _ in parameters(key.owner) if argument.arg == key.name), None)
    for statement in getattr(key.owner, "body", ()):
        if isinstance(statement, ast.AnnAssign) and last_name(statement.target) == key.name:
            return statement.annotation
    return None


def _shown(key: Key) -> str:
    return f"`{getattr(key.owner, 'name', 'lambda')}({key.name}=)`"
