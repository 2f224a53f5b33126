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

Growth: TypeAlias = "dict[str, list[tuple[ast.Name, ast.AST]]]"
"""By the container's name: the place where it is named, and the call or assignment that grows it."""


def growing(nodes: Iterable[ast.AST]) -> Growth:
    """Everything among the nodes that may put a value into a named container."""
    found: Growth = {}
    for node in nodes:
        receiver = _receiver(node)
        if isinstance(receiver, ast.Name):
            found.setdefault(receiver.id, []).append((receiver, node))
    return found


def _receiver(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr in _ADD_ONE | _ADD_MANY | _ADD_PAIR else None
    if isinstance(node, ast.Assign):
        return next((target.value for target in node.targets if isinstance(target, ast.Subscript)), None)
    return None


def added(node: ast.AST, route: Route, folder: Folder) -> Iterator[tuple[ast.expr, Route]]:
    """Values that one call or assignment puts into a container, with the part of each that is wanted.

    An empty route wants any element.
    """
    first, rest = (route[0], route[1:]) if route else (Step.EACH, ())
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                yield from _entry(target.slice, node.value, first, rest, folder)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _ADD_PAIR:
            yield from _entry(node.args[0], node.args[-1], first, rest, folder) if node.args else ()
        elif node.func.attr in _ADD_ONE:
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
