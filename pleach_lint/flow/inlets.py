"""Which parameters and fields are call-class slots: by name, by type, or because they are forwarded to one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.flow.calls import Key
from pleach_lint.flow.module import last_name
from pleach_lint.flow.scopes import FUNCTIONS, Route, Step, parameters
from pleach_lint.flow.tracing import Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pleach_lint.flow.annotations import ClassTypes
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.names import Lexicon
    from pleach_lint.flow.slots import Slot
    from pleach_lint.flow.tracing import Tracer
    from pleach_lint.flow.trails import Inlet

    Ways = dict[Route, "Way"]
    """By the part of the value that is a class."""


class Way(NamedTuple):
    """How a part of the value of a parameter or field becomes a call class."""

    key: Key
    length: int = 0
    """Calls on the way, from this parameter on."""
    sink: str = ""
    """Where the way ends here: the slot that the value reaches, as code; empty when the parameter is one itself."""
    further: Way | None = None
    """Where it goes on: the way from the parameter that this one is passed on to."""

    def keys(self) -> Iterator[Key]:
        """The parameters and fields on the way, this one first."""
        way: Way | None = self
        while way is not None:
            yield way.key
            way = way.further

    def end(self) -> str:
        """The slot at the end of the way, as code; empty when that is the last parameter itself."""
        way = self
        while way.further is not None:
            way = way.further
        return way.sink


class _Pass(NamedTuple):
    """A parameter or field that is passed on in an argument."""

    key: Key
    place: int
    """Among all that it is passed on to, in the order of the text."""
    slot: Slot


class Inlets:
    """Answers for parameters and fields of the whole project; forwarding is followed to a fixpoint."""

    def __init__(
        self, tracer: Tracer, types: ClassTypes, lexicon: Lexicon, slots_of: Callable[[Module], Sequence[Slot]]
    ) -> None:
        self._tracer = tracer
        self._types = types
        self._lexicon = lexicon
        self._slots_of = slots_of
        self._known: dict[Key, Ways] = {}
        self._flows: dict[Module, tuple[dict[Key, dict[Route, str]], dict[Key, list[tuple[Slot, Key]]]]] = {}

    def ways(self, key: Key) -> Ways:
        """The parts of the value that are call classes, with the nearest way of each; empty when none is."""
        if key not in self._known:
            unknown = self._unknown_from(key)
            try:
                self._settle(unknown)
            except BaseException:
                for each in unknown:
                    self._known.pop(each, None)
                raise
        return dict(sorted(self._known[key].items(), key=lambda item: (item[1].length, str(item[0]))))

    def _direct(self, key: Key) -> Ways:
        """What a parameter or field is by itself, and by the slots of its own module that it reaches."""
        own: Ways = {}
        if self._lexicon.names_class(key.name):
            own[()] = Way(key)
        for route in self._typed(key):
            own[route] = Way(key)
        reached = self._module_flows(key.module)[0].get(key, {})
        return {**{route: Way(key, sink=sink) for route, sink in reached.items()}, **own}

    def _typed(self, key: Key) -> Iterator[Route]:
        """The parts that are call classes by the annotation; that of a starred parameter is about what it collects."""
        routes = self._types.routes(key.module, annotation_of(key))
        arguments = getattr(key.owner, "args", None)
        if isinstance(arguments, ast.arguments) and arguments.vararg and arguments.vararg.arg == key.name:
            yield from ((Step.EACH, *route) for route in routes)
        elif _is_collected(key):
            yield from (route[1:] if route[:1] == (key.name,) else route for route in routes)
        else:
            yield from routes

    def _module_flows(self, module: Module) -> tuple[dict[Key, dict[Route, str]], dict[Key, list[tuple[Slot, Key]]]]:
        """For the keys of a module: slots that they reach there, and arguments that they are passed on as."""
        if module in self._flows:
            return self._flows[module]
        direct: dict[Key, dict[Route, str]] = {}
        passed: dict[Key, list[tuple[Slot, Key]]] = {}
        steps = Steps()
        for slot in self._slots_of(module):
            absorb = slot.absorb or slot.key is not None
            trail = steps.spend(self._tracer.trace(module, slot.node, slot.route, absorb=absorb))
            for inlet in trail.inlets:
                key, route = _entered(inlet)
                if slot.key is None:
                    direct.setdefault(key, {}).setdefault(route, slot.sink or slot.why)
                else:
                    passed.setdefault(key, []).append((slot, slot.key))
        self._flows[module] = direct, passed
        return direct, passed

    def _unknown_from(self, start: Key) -> list[Key]:
        """The keys that are not known, and that a key is passed on to, directly or through others."""
        found, pending = {start: None}, [start]
        while pending:
            key = pending.pop()
            for _, further in self._module_flows(key.module)[1].get(key, ()):
                if further not in found and further not in self._known:
                    found[further] = None
                    pending.append(further)
        return [*found]

    def _settle(self, keys: list[Key]) -> None:
        """Carry slots back from call to call, the shortest ways first, so that each key has the nearest way."""
        passes: dict[Key, list[_Pass]] = {}
        for key in keys:
            self._known[key] = self._direct(key)
            for place, (slot, further) in enumerate(self._module_flows(key.module)[1].get(key, ())):
                passes.setdefault(further, []).append(_Pass(key, place, slot))
        waiting: dict[int, list[tuple[Key, Route]]] = {}
        for further in passes:
            for route, way in self._known[further].items():
                waiting.setdefault(way.length, []).append((further, route))
        while waiting:
            length = min(waiting)
            found = self._carried(waiting.pop(length), passes)
            for (key, route), (_, _, way) in found.items():
                self._known[key][route] = Way(key, length + 1, further=way)
                if key in passes:
                    waiting.setdefault(length + 1, []).append((key, route))

    def _carried(
        self, arrived: list[tuple[Key, Route]], passes: dict[Key, list[_Pass]]
    ) -> dict[tuple[Key, Route], tuple[int, str, Way]]:
        """What is new one call further back; of several ways there, that of the first call in the text."""
        found: dict[tuple[Key, Route], tuple[int, str, Way]] = {}
        for further, route in arrived:
            for key, place, slot in passes[further]:
                way = (place, str(route), self._known[further][route])
                for inlet_route in self._routes_into(key, slot, route):
                    if inlet_route not in self._known[key]:
                        found[key, inlet_route] = min(found.get((key, inlet_route), way), way, key=_first)
        return found

    def _routes_into(self, key: Key, slot: Slot, further: Route) -> Iterator[Route]:
        """The parts of a parameter or field that arrive at a part of an argument."""
        trail = self._tracer.trace(key.module, slot.node, (*slot.route, *further), absorb=not further)
        for entered, route in map(_entered, trail.inlets):
            if entered == key:
                yield route


def _first(found: tuple[int, str, Way]) -> tuple[int, str]:
    return found[:2]


def _entered(inlet: Inlet) -> tuple[Key, Route]:
    """The parameter or field of an inlet, and the part of it that arrives."""
    arguments = getattr(inlet.owner, "args", None)
    starred = arguments.kwarg if isinstance(arguments, ast.arguments) else None
    first = inlet.route[0] if inlet.route else None
    if starred is not None and starred.arg == inlet.name and type(first) is str:
        return Key(inlet.module, inlet.owner, first), inlet.route[1:]
    return Key(inlet.module, inlet.owner, inlet.name), inlet.route


def _is_collected(key: Key) -> bool:
    """Whether a function collects a keyword of this name in its `**` parameter."""
    return isinstance(key.owner, FUNCTIONS) and all(argument.arg != key.name for argument, _ in parameters(key.owner))


def annotation_of(key: Key) -> ast.expr | None:
    """The annotation of a parameter, of a field in the body of its class, or of what a method gives."""
    if isinstance(key.owner, FUNCTIONS):
        starred = key.owner.args.kwarg
        found = [argument.annotation for argument, _ in parameters(key.owner) if argument.arg == key.name]
        return next(iter(found), starred.annotation if starred else None)
    for statement in getattr(key.owner, "body", ()):
        if isinstance(statement, ast.AnnAssign) and last_name(statement.target) == key.name:
            return statement.annotation
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == key.name:
            return statement.returns
    return None


def declaration_of(key: Key) -> ast.AST:
    """What declares a parameter or field: itself where it is written down, else what collects or sets it."""
    if isinstance(key.owner, FUNCTIONS):
        named = (argument for argument, _ in parameters(key.owner) if argument.arg == key.name)
        return next(named, key.owner.args.kwarg or key.owner)
    fields = (each for each in getattr(key.owner, "body", ()) if isinstance(each, ast.AnnAssign))
    return next((each for each in fields if last_name(each.target) == key.name), key.owner)


def shown(key: Key) -> str:
    """A parameter or field as code."""
    return f"`{getattr(key.owner, 'name', 'lambda')}({key.name}=)`"
