"""What is put into a container after it was made: appended, added, stored under a key."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.scopes import Route, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pleach_lint.flow.folding import Folder

_ADD_ONE: Final = frozenset({"append", "appendleft", "add", "insert", "put", "put_nowait", "push"})
_ADD_MANY: Final = frozenset({"extend", "extendleft", "update", "union", "__iadd__", "difference_update"})
_ADD_PAIR: Final = frozenset({"setdefault", "__setitem__"})

Addition: TypeAlias = "ast.Call | ast.Assign"
"""A call or an assignment that puts a value into a container."""

Growth: TypeAlias = "dict[str, list[tuple[ast.Name, Addition]]]"
"""By the container's name: the place where it is named, and what grows it there."""


def growing(nodes: Iterable[ast.AST]) -> Growth:
    """Everything among the nodes that may put a value into a named container."""
    found: Growth = {}
    for node in nodes:
        if isinstance(node, (ast.Call, ast.Assign)):
            receiver = _receiver(node)
            if isinstance(receiver, ast.Name):
                found.setdefault(receiver.id, []).append((receiver, node))
    return found


def _receiver(node: Addition) -> ast.expr | None:
    if isinstance(node, ast.Assign):
        return next((target.value for target in node.targets if isinstance(target, ast.Subscript)), None)
    is_adding = isinstance(node.func, ast.Attribute) and node.func.attr in _ADD_ONE | _ADD_MANY | _ADD_PAIR
    return node.func.value if is_adding and isinstance(node.func, ast.Attribute) else None


def added(node: Addition, route: Route, folder: Folder) -> Iterator[tuple[ast.expr, Route]]:
    """Values that one call or assignment puts into a container, with the part of each that is wanted.

    An empty route wants any element.
    """
    first, rest = (route[0], route[1:]) if route else (Step.EACH, ())
    if isinstance(node, ast.Assign):
        for target in (each for each in node.targets if isinstance(each, ast.Subscript)):
            yield from _entry(target.slice, node.value, first, rest, folder)
        return
    name = getattr(node.func, "attr", "")
    if name in _ADD_PAIR:
        yield from _entry(node.args[0], node.args[-1], first, rest, folder) if node.args else ()
    elif name in _ADD_ONE:
        yield from ((argument, rest) for argument in node.args[-1:] if not isinstance(first, str))
    else:
        yield from ((argument, route or (Step.EACH,)) for argument in node.args)
        yield from ((word.value, rest) for word in node.keywords if first in {word.arg, Step.VALUE})


def _entry(
    key: ast.expr, value: ast.expr, first: Step | int | str, rest: Route, folder: Folder
) -> Iterator[tuple[ast.expr, Route]]:
    """What an entry of a mapping holds for the step `first`: its key, or its value."""
    if first is Step.EACH:
        yield key, rest
    elif first is Step.VALUE or folder.fold(key) in {first, None}:
        yield value, rest
