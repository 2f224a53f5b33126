"""What a call gives whose function is not of the project, in terms of its arguments. Traces nothing itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.displays import is_spec_builder, spec_values
from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.scopes import Route, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.folding import Folder

_SAME_VALUE: Final = frozenset({
    "copy", "deepcopy", "intern", "just", "lit", "literal", "nullcontext", "str", "Value",
})  # fmt: skip
"""Calls that give their one argument, as a constant of a query, a constant strategy, a copy."""

_ONE_OF_ARGUMENTS: Final = frozenset({"coalesce", "Coalesce", "ifnull", "max", "min", "nvl", "one_of"})
_ONE_ELEMENT: Final = frozenset({
    "choice", "get", "get_nowait", "max", "min", "next", "pop", "popitem", "popleft", "random_element",
})  # fmt: skip
_SAME_ELEMENTS: Final = frozenset({
    "AnyOf", "chain", "Choice", "choices", "ChoiceType", "Counter", "cycle", "deque", "dict", "Enum", "ENUM",
    "Factory", "filter", "from_iterable", "frozenset", "in_", "islice", "iter", "Iterator", "keys", "list",
    "MappingProxyType", "OneOf", "OrderedDict", "param", "reversed", "SAEnum", "sample", "sampled_from", "set",
    "shuffled", "sorted", "tuple", "unique",
})  # fmt: skip
_LOOKUPS: Final = frozenset({"get", "pop", "setdefault", "getattr", "getenv"})
_SIDE_BY_SIDE: Final = frozenset({"product", "zip", "zip_longest"})


class Part(NamedTuple):
    """An expression that a call can give."""

    node: ast.expr
    route: Route
    """The steps from `node` to the part that is wanted."""
    is_entry: bool = False
    """Whether it stands in a table elsewhere, so that the call is the place of a finding about it."""


def given(node: ast.Call, route: Route, folder: Folder, *, absorb: bool) -> Iterator[Part]:
    """What a call can give, for the part `route` of its value. With `absorb`, elements count as the whole."""
    name = last_name(node.func)
    if name == "param" and node.args:
        yield from _row(node, route)
    elif is_spec_builder(node):
        yield from (Part(value, route) for value in spec_values(node))
    elif name == "cast" and len(node.args) == len(("type", "value")):
        yield Part(node.args[1], route)
    elif name in _SAME_VALUE and len(node.args) == 1:
        yield Part(node.args[0], route)
    elif name == "where" and len(node.args) == len(("condition", "value", "other")):
        yield from (Part(value, route) for value in node.args[1:])
    elif name in _ONE_OF_ARGUMENTS and len(node.args) > 1:
        yield from (Part(argument, route) for argument in node.args)
    elif name in _LOOKUPS and node.args:
        yield from _looked_up(node, route, folder)
    elif name in _ONE_ELEMENT:
        yield from (Part(container, (Step.EACH, *route)) for container in _containers(node)[:1])
    elif route or absorb:
        yield from _elements(node, name, route)


def _containers(node: ast.Call) -> list[ast.expr]:
    """The arguments of a call, or, for a method without any, its object."""
    is_bare_method = isinstance(node.func, ast.Attribute) and not node.args
    return [node.func.value] if is_bare_method and isinstance(node.func, ast.Attribute) else node.args


def _row(node: ast.Call, route: Route) -> Iterator[Part]:
    """`pytest.param("utility", 1, id="cheap")` stands for one row of a table of arguments."""
    place = route[0] if route else 0
    if isinstance(place, int) and place < len(node.args):
        yield Part(node.args[place], route[1:])


def _looked_up(node: ast.Call, route: Route, folder: Folder) -> Iterator[Part]:
    """`table.get(key, default)`: an entry of a table that is in sight, or the default."""
    plain = isinstance(node.func, ast.Name)
    attribute = constant_text(node.args[1]) if plain and len(node.args) > 1 else None
    if attribute is not None and last_name(node.func) == "getattr":
        yield Part(ast.copy_location(ast.Attribute(node.args[0], attribute, ast.Load()), node), route)
    if isinstance(node.func, ast.Attribute):
        key = folder.fold(node.args[0])
        step: Step | int | str = key if isinstance(key, (int, str)) else Step.VALUE
        yield Part(node.func.value, (step, *route), is_entry=True)
    for default in node.args[2 if last_name(node.func) == "getattr" else 1 :]:
        yield Part(default, route)


def _elements(node: ast.Call, name: str, route: Route) -> Iterator[Part]:
    first, column = (*route, Step.EACH)[0], route[1] if len(route) > 1 else None
    if name in {"values", "items"} and isinstance(node.func, ast.Attribute) and not node.args:
        yield Part(node.func.value, mapping_route(name, route or (Step.EACH,)))
    elif name == "enumerate" and node.args and column == 1:
        yield Part(node.args[0], (first, *route[2:]))
    elif name in _SIDE_BY_SIDE and isinstance(column, int) and column < len(node.args):
        yield Part(node.args[column], (first, *route[2:]))
    elif name == "repeat" and node.args:
        yield Part(node.args[0], route[1:])
    elif name == "map" and len(node.args) > 1 and last_name(node.args[0]) in _SAME_VALUE:
        yield Part(node.args[1], route)
    elif name in _SAME_ELEMENTS:
        yield from (Part(argument, route) for argument in _containers(node))
    yield from _keywords(node, name, first, route[1:])


def _keywords(node: ast.Call, name: str, step: Step | int | str, rest: Route) -> Iterator[Part]:
    """`dict(lane="utility")` and `Job(lane="utility")` hold what they are given by keyword."""
    holds_all = name in _SAME_ELEMENTS and step is Step.VALUE
    for keyword in node.keywords if name in _SAME_ELEMENTS or name[:1].isupper() else ():
        if keyword.arg is not None and (holds_all or step == keyword.arg):
            yield Part(keyword.value, rest)


def mapping_route(method: str, route: Route) -> Route:
    """The steps from a mapping that lead where `route` leads from its `values()` or its `items()`."""
    if method == "values":
        return (Step.VALUE, *route[1:])
    if route[1:2] == (0,):
        return (Step.EACH, *route[2:])
    return (Step.VALUE, *route[2:]) if route[1:2] == (1,) else route
