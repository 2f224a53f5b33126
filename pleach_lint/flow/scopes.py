"""Which definitions of a name can reach each place where the name is read, scope by scope."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator


class Step(Enum):
    """One step from a whole value to a part of it."""

    EACH = auto()
    """Any element, as by iteration; of a mapping, any key."""
    VALUE = auto()
    """Any value of a mapping, or any element by an index that is not known."""


Route: TypeAlias = "tuple[Step | int | str, ...]"
"""Steps from a whole value to a part: an index, a key, or a `Step`. Empty for the value itself."""

LONGEST_ROUTE: Final = 4
"""Steps after which a part counts as unknown: `node = node["next"]` would go on for ever."""


class Binding(Enum):
    """How a definition gives its name a value."""

    VALUE = auto()
    PARAMETER = auto()
    IMPORT = auto()
    FUNCTION = auto()
    CLASS = auto()
    GROWTH = auto()
    """An augmented assignment: what was there before, and more."""
    OPAQUE = auto()
    """A binding whose value is not in the source, such as an exception or a deleted name."""


@dataclass(frozen=True, eq=False)
class Definition:
    """One place where a name gets a value."""

    name: str
    binding: Binding
    node: ast.AST
    """The statement, parameter, alias or pattern that binds the name."""
    value: ast.expr | None = None
    """The expression that the value is, or is a part of; None when there is none in the source."""
    route: Route = ()
    """Steps from `value` to the part that the name gets."""
    scope: Scope | None = None
    before: tuple[Definition, ...] = ()
    """For `GROWTH`: the definitions that it adds to."""


@dataclass(eq=False)
class Scope:
    """A module, class or function body (or a lambda or comprehension), with its names at its end."""

    node: ast.AST
    parent: Scope | None
    local: frozenset[str] = frozenset()
    """Names that are bound here and nowhere further out."""
    last: dict[str, tuple[Definition, ...]] = field(default_factory=dict[str, "tuple[Definition, ...]"])
    """The definitions that can be the last ones, as another scope sees them."""
    from_inside: dict[str, list[Definition]] = field(default_factory=dict[str, "list[Definition]"])
    """Definitions by inner functions, which declare the name `global` or `nonlocal`."""

    @property
    def is_class(self) -> bool:
        """Whether this is a class body, which inner functions do not see."""
        return isinstance(self.node, ast.ClassDef)

    def enclosing(self) -> Iterator[Scope]:
        """The scopes in which a name that is not local is looked up, innermost first."""
        scope = self.parent
        while scope is not None:
            if not scope.is_class:
                yield scope
            scope = scope.parent


@dataclass(eq=False)
class Names:
    """The names of one module: scopes, and the definitions that reach each read."""

    module: Scope
    scopes: dict[ast.AST, Scope]
    """Scopes by the function, class or lambda that opens them."""
    reaching: dict[ast.Name, tuple[Definition, ...]]
    """For reads of local names: the definitions that can arrive there."""
    home: dict[ast.Name, Scope]
    """For other reads: the scope in which the name is read."""
    stars: list[ast.ImportFrom]
    """Star imports at the top level, in order."""

    def definitions(self, name: ast.Name) -> tuple[Definition, ...]:
        """What a read of the name can mean; empty for a builtin or a name from a star import."""
        if name in self.reaching:
            reached = self.reaching[name]
            inner = (found for each in reached if each.scope for found in each.scope.from_inside.get(name.id, ()))
            return tuple(dict.fromkeys((*reached, *inner)))
        scope = self.home.get(name)
        for outer in scope.enclosing() if scope else ():
            if name.id in outer.last:
                return outer.last[name.id]
        return ()


FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def parameters(node: FunctionNode) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Each parameter with its default, in the order of the signature."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    yield from zip(positional, [*([None] * missing), *arguments.defaults], strict=True)
    if arguments.vararg:
        yield arguments.vararg, None
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    if arguments.kwarg:
        yield arguments.kwarg, None


def targets(target: ast.expr, value: ast.expr, route: Route = ()) -> Iterator[tuple[ast.expr, ast.expr, Route]]:
    """The single targets of an assignment, each with the part of the value that it gets."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value, route
        return
    starred = next((place for place, item in enumerate(target.elts) if isinstance(item, ast.Starred)), len(target.elts))
    for place, item in enumerate(target.elts):
        if isinstance(item, ast.Starred):
            yield item.value, value, (*route, Step.VALUE)
            continue
        index = place if place < starred else place - len(target.elts)
        yield from _column(item, value, route, index)


def _column(item: ast.expr, value: ast.expr, route: Route, index: int) -> Iterator[tuple[ast.expr, ast.expr, Route]]:
    whole = not route and isinstance(value, (ast.Tuple, ast.List))
    if whole and isinstance(value, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in value.elts):
        if -len(value.elts) <= index < len(value.elts):
            yield from targets(item, value.elts[index])
        return
    yield from targets(item, value, (*route, index))
