"""Where the value of an expression comes from: back through names, containers, calls and modules to the literals."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.displays import absorbed, entries
from pleach_lint.flow.folding import Folder
from pleach_lint.flow.foreign_calls import given
from pleach_lint.flow.growth import added
from pleach_lint.flow.module import Module, decorator_names, last_name, plain_statements
from pleach_lint.flow.references import PROPERTIES, ClassReference, FunctionReference, InstanceReference, References
from pleach_lint.flow.results import Passage, argument_of, results
from pleach_lint.flow.scopes import FUNCTIONS, LONGEST_ROUTE, Binding, Definition, Route, Step
from pleach_lint.flow.trails import Arrival, Inlet, Trail
from pleach_lint.syntax.children import children
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.displays import Display
    from pleach_lint.flow.operations import Value

_STEPS: Final = 20_000
"""Steps of one trace."""
_STEPS_OF_MODULE: Final = 200_000
"""Steps of all traces that begin in one module: a few seconds."""

_JOINING_OPERATORS: Final = (ast.Add, ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub)


class TooFar(Exception):  # noqa: N818 - it says what the values do
    """Values that come from further away than can be followed in good time."""


class Steps:
    """The steps of all traces that begin in one module."""

    def __init__(self) -> None:
        self._spent = 0

    def spend(self, trail: Trail) -> Trail:
        """Count the steps of a trace.

        Raises:
            TooFar: if they are more, with those before, than a module is worth.
        """
        self._spent += trail.steps
        if self._spent > _STEPS_OF_MODULE:
            raise TooFar
        return trail


class _Point(NamedTuple):
    """Where a trace stands: an expression, the part of it that is wanted, and how the trace came here."""

    module: Module
    node: ast.expr
    route: Route
    absorb: bool
    leaf: ast.expr | None = None
    through: tuple[str, ...] = ()
    listed: bool = False
    calls: tuple[Passage, ...] = ()


class Tracer:
    """Traces expressions of the whole project; constants of the seam package are the approved way and end a trace."""

    def __init__(self, references: References) -> None:
        self.references = references
        self._folders: dict[Module, Folder] = {}
        self._trails: dict[tuple[ast.expr, Route, bool], Trail] = {}

    def trace(self, module: Module, node: ast.expr, route: Route = (), *, absorb: bool = False) -> Trail:
        """What arrives at the part `route` of an expression.

        With `absorb`, containers count as well: elements, keys of tables, values in a description of a field.

        Raises:
            TooFar: if it takes too many steps.
        """
        key = (node, route, absorb)
        if key not in self._trails:
            run = _Run(self)
            run.follow(_Point(module, node, route, absorb))
            self._trails[key] = Trail(tuple(dict.fromkeys(run.arrivals)), tuple(dict.fromkeys(run.inlets)), run.steps)
        return self._trails[key]

    def folder(self, module: Module) -> Folder:
        """The constant folder of a module."""
        if module not in self._folders:
            self._folders[module] = Folder(lambda node: self._name_value(module, node))
        return self._folders[module]

    def word(self, module: Module, node: ast.expr) -> str | None:
        """The class word that an expression folds to."""
        value = self.folder(module).fold(node)
        return value if isinstance(value, str) and value in CLASS_WORDS else None

    def _name_value(self, module: Module, node: ast.Name | ast.Attribute) -> Value | None:
        symbols = tuple(self.symbols(module, node))
        if len(symbols) != 1:
            return None
        owner, definition = symbols[0]
        known = definition.binding is Binding.VALUE and not definition.route and definition.value is not None
        return self.folder(owner).fold(definition.value) if known and definition.value and not owner.is_seam else None

    def symbols(self, module: Module, node: ast.Name | ast.Attribute) -> Iterator[tuple[Module, Definition]]:
        """The definitions of a name, or of an attribute of a module, a class or an instance of the project."""
        yield from self.references.held(module, node)


class _Run:
    """One trace, bounded in steps."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.arrivals: list[Arrival] = []
        self.inlets: list[Inlet] = []
        self._seen: set[tuple[ast.expr, Route]] = set()

    @property
    def steps(self) -> int:
        return len(self._seen)

    def follow(self, point: _Point) -> None:
        key = (point.node, point.route)
        if key in self._seen or len(point.route) > LONGEST_ROUTE:
            return
        if self.steps == _STEPS:
            raise TooFar
        self._seen.add(key)
        handler = getattr(self, f"_at_{type(point.node).__name__}", None)
        if handler is None:
            self._at_constant(point)
        else:
            handler(point, point.node)

    def go(self, point: _Point, node: ast.expr, route: Route | None = None, *, listed: bool = False) -> None:
        steps = point.route if route is None else route
        self.follow(point._replace(node=node, route=steps, listed=point.listed or listed))

    # -- literals

    def arrive(self, point: _Point, literal: ast.expr, word: str) -> None:
        leaf = point.leaf or literal
        self.arrivals.append(Arrival(word, point.module, literal, leaf, point.through, point.listed))

    def _at_constant(self, point: _Point) -> None:
        value: Value | None = self.tracer.folder(point.module).fold(point.node)
        for step in point.route:
            value = _part(value, step)
        if isinstance(value, str) and value in CLASS_WORDS:
            self._innermost(point, value)
        elif isinstance(value, tuple) and point.absorb:
            self._folded_list(point, value)

    def _folded_list(self, point: _Point, value: tuple[Value, ...]) -> None:
        word = next((part for part in value if part in CLASS_WORDS), None)
        if isinstance(word, str):
            self.arrive(point._replace(listed=True), point.node, word)

    def _innermost(self, point: _Point, word: str) -> None:
        """A finding points at the innermost expression that has the value; behind a name, the trace goes on."""
        node = point.node
        folder = self.tracer.folder(point.module)
        while not point.route:
            inner = (child for child in children(node) if isinstance(child, ast.expr))
            same = next((child for child in inner if folder.fold(child) == word), None)
            if same is None or (isinstance(same, ast.Constant) and isinstance(node, ast.JoinedStr)):
                break
            node = same
        if isinstance(node, ast.FormattedValue):
            node = point.node
        if isinstance(node, (ast.Name, ast.Attribute)) and node is not point.node:
            self.go(point, node)
        else:
            self.arrive(point, node, word)

    # -- expressions with several outcomes

    def _at_IfExp(self, point: _Point, node: ast.IfExp) -> None:
        for arm in (node.body, node.orelse):
            self.go(point, arm)

    def _at_BoolOp(self, point: _Point, node: ast.BoolOp) -> None:
        for value in node.values:
            self.go(point, value)

    def _inside(self, point: _Point, node: ast.Await | ast.NamedExpr) -> None:
        self.go(point, node.value)

    _at_Await = _at_NamedExpr = _inside

    def _at_Starred(self, point: _Point, node: ast.Starred) -> None:
        self.go(point, node.value, point.route or (Step.EACH,))

    def _at_BinOp(self, point: _Point, node: ast.BinOp) -> None:
        before = len(self.arrivals)
        if (point.route or point.absorb) and isinstance(node.op, _JOINING_OPERATORS):
            for side in (node.left, node.right):
                self.go(point, side, point.route or (Step.EACH,))
        if len(self.arrivals) == before:
            self._at_constant(point)

    # -- containers

    def _at_display(self, point: _Point, node: Display) -> None:
        folder = self.tracer.folder(point.module)
        if point.route:
            parts = entries(node, point.route, folder)
        else:
            parts = absorbed(node, folder) if point.absorb else iter(())
        # What is written as arguments, or under the name of a field, is no list, though it comes here as one.
        is_listed = hasattr(node, "lineno") and not (point.route and type(point.route[0]) is str)
        for element, route in parts:
            self.go(point, element, route, listed=is_listed)

    _at_List = _at_Tuple = _at_Set = _at_Dict = _at_display

    def _at_comprehension(self, point: _Point, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        if point.route or point.absorb:
            self.go(point, node.elt, point.route[1:])

    _at_ListComp = _at_SetComp = _at_GeneratorExp = _at_comprehension

    def _at_DictComp(self, point: _Point, node: ast.DictComp) -> None:
        if point.route or point.absorb:
            by_key = point.route[:1] in {(), (Step.EACH,)}
            self.go(point, node.key if by_key else node.value, point.route[1:])

    def _at_Lambda(self, point: _Point, node: ast.Lambda) -> None:
        if point.absorb:
            self.go(point, node.body)

    def _at_Subscript(self, point: _Point, node: ast.Subscript) -> None:
        if isinstance(node.slice, ast.Slice):
            self._sliced(point, node)
            return
        key = self.tracer.folder(point.module).fold(node.slice)
        before = len(self.arrivals)
        step: Step | int | str = key if isinstance(key, (int, str)) else Step.VALUE
        self.go(point._replace(leaf=point.leaf or node), node.value, (step, *point.route))
        if len(self.arrivals) == before:
            self._at_constant(point)

    def _sliced(self, point: _Point, node: ast.Subscript) -> None:
        """Some elements of a list: none where all are known and none is a class word."""
        value = self.tracer.folder(point.module).fold(node)
        before = len(self.arrivals)
        can_hold = not isinstance(value, tuple) or any(part in CLASS_WORDS for part in value)
        if can_hold and (point.route or point.absorb):
            self.go(point, node.value, point.route or (Step.EACH,))
        if len(self.arrivals) == before:
            self._at_constant(point)

    # -- names

    def _at_Name(self, point: _Point, node: ast.Name) -> None:
        here = self._named(point, node.id)
        for owner, definition in self.tracer.references.symbols(point.module, node):
            self._definition(here, owner, definition)
        if point.route or point.absorb:
            self._grown(here, node)

    def _named(self, point: _Point, name: str) -> _Point:
        """The same point, once a name has been passed: from here on the place in the checked file is fixed."""
        return point._replace(leaf=point.leaf or point.node, through=(*point.through, name))

    def _grown(self, point: _Point, name: ast.Name) -> None:
        names = point.module.names
        meant = set(names.definitions(name))
        for receiver, node in point.module.growth.get(name.id, ()):
            if receiver is not name and not meant.isdisjoint(names.definitions(receiver)):
                for value, route in added(node, point.route, self.tracer.folder(point.module)):
                    self.follow(point._replace(node=value, route=route))

    def _definition(self, point: _Point, owner: Module, definition: Definition) -> None:
        if owner.is_seam and owner is not point.module:
            return
        here = point._replace(module=owner, calls=point.calls if owner is point.module else ())
        if definition.binding is Binding.PARAMETER and isinstance(definition.node, ast.arg):
            self._parameter(here, definition)
        elif definition.binding is Binding.CLASS and isinstance(definition.node, ast.ClassDef):
            self._members_of_enum(here, definition.node)
        elif definition.value is not None and (definition.binding is Binding.VALUE or point.route or point.absorb):
            self.go(here, definition.value, (*definition.route, *point.route))
        for earlier in definition.before:
            self._definition(point, owner, earlier)

    def _parameter(self, point: _Point, definition: Definition) -> None:
        argument = definition.node
        function = definition.scope.node if definition.scope else None
        if not isinstance(argument, ast.arg) or not isinstance(function, FUNCTIONS):
            return
        passage = point.calls[-1] if point.calls else None
        passed = argument_of(passage, argument.arg) if passage and passage.callee.node is function else None
        if passage is not None and passed is not None:
            self.follow(point._replace(module=passage.module, node=passed, calls=point.calls[:-1]))
            return
        self.inlets.append(Inlet(point.module, function, argument.arg, point.route))
        if definition.value is not None:
            self.go(point, definition.value)

    def _members_of_enum(self, point: _Point, cls: ast.ClassDef) -> None:
        """`for lane in Lane`, or `Lane["DEEP"]`."""
        step = point.route[0] if point.route else None
        for statement in plain_statements(cls.body) if step is not None else ():
            if isinstance(statement, ast.Assign) and step in {Step.EACH, Step.VALUE, last_name(statement.targets[0])}:
                self.go(point, statement.value, point.route[1:])

    def _at_Attribute(self, point: _Point, node: ast.Attribute) -> None:
        here = self._named(point, node.attr)
        found = False
        for owner, definition in self.tracer.symbols(point.module, node):
            found = True
            self._member(here, owner, definition)
        self._from_outside(point, node)
        if not found:
            route = point.route if node.attr == "value" else (node.attr, *point.route)
            self.go(point._replace(leaf=point.leaf or node), node.value, route)

    def _member(self, point: _Point, owner: Module, definition: Definition) -> None:
        """An attribute of a class or a module; a property stands for its result."""
        node = definition.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and decorator_names(node) & PROPERTIES:
            self._returned(point, None, FunctionReference(owner, node))
        else:
            self._definition(point, owner, definition)

    def _from_outside(self, point: _Point, node: ast.Attribute) -> None:
        """Whoever makes an object, stores to it, or derives from its class can bring in the attribute's value."""
        for base in self.tracer.references.of(point.module, node.value):
            if isinstance(base, (ClassReference, InstanceReference)):
                cls = base.of if isinstance(base, InstanceReference) else base
                self.inlets.append(Inlet(cls.module, cls.node, node.attr, point.route))

    # -- calls

    def _at_Call(self, point: _Point, node: ast.Call) -> None:
        before = len(self.arrivals)
        references = self.tracer.references.of(point.module, node.func)
        functions = [reference for reference in references if isinstance(reference, FunctionReference)]
        if isinstance(node.func, ast.Attribute):
            self._from_outside(point, node.func)
        if functions:
            here = self._named(point, last_name(node.func) or "lambda")
            for function in functions:
                self._returned(here, node, function)
        elif any(isinstance(reference, ClassReference) for reference in references):
            self._constructed(point, node)
        else:
            folder = self.tracer.folder(point.module)
            for value, route, is_entry in given(node, point.route, folder, absorb=point.absorb):
                self.go(point._replace(leaf=point.leaf or node) if is_entry else point, value, route)
        if len(self.arrivals) == before:
            self._at_constant(point)

    def _constructed(self, point: _Point, node: ast.Call) -> None:
        """`Lane("utility")`: an object made of one value is followed into it."""
        if not point.route and len(node.args) == 1 and not node.keywords:
            self.go(point, node.args[0])

    def _returned(self, point: _Point, call: ast.Call | None, function: FunctionReference) -> None:
        if function.module.is_seam and function.module is not point.module:
            return
        calls = (*point.calls, Passage(function, point.module, call)) if call is not None else ()
        for value, route in results(function, point.route):
            self.follow(point._replace(module=function.module, node=value, route=route, calls=calls))


def _part(value: Value | None, step: Step | int | str) -> Value | None:
    """A part of a folded list, where one is certain; of `Step.EACH`, the first class word."""
    if not isinstance(value, tuple):
        return None
    if isinstance(step, Step):
        return next((part for part in value if part in CLASS_WORDS), None)
    return value[step] if isinstance(step, int) and -len(value) <= step < len(value) else None
