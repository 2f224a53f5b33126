"""Names of the standard library, and of libraries like it, under the name that the rules know: `partial as P`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from pleach_lint.syntax.bound_names import names_bound_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MODULES: Final = frozenset({
    "attr", "attrs", "collections", "contextlib", "contextvars", "copy", "dataclasses", "enum", "functools",
    "itertools", "operator", "pydantic", "string", "typing", "typing_extensions",
})  # fmt: skip
_RENAMED: Final = re.compile(
    rf"^[ \t]*from[ \t]+(?:{'|'.join(sorted(_MODULES))})[ \t]+import\b(?:[^\n(]*|[ \t]*\([^)]*)\bas\b", re.MULTILINE
)


def undo_renames(tree: ast.Module, text: str) -> dict[str, str]:
    """Give renamed imports of the modules above their own names, in a tree that nothing was derived from yet.

    Only where that changes no meaning: the new name stands for nothing else in the file, nor does the old one.

    Args:
        tree: The file; its nodes are changed.
        text: The same as text.

    Returns:
        The names that were undone, each with what stands for it now.
    """
    if _RENAMED.search(text) is None:
        return {}
    nodes = list(ast.walk(tree))
    aliases = list(_known(nodes))
    bound = _bound_by_others(nodes, aliases)
    plain = {alias.name for alias in aliases if not alias.asname}
    renamed = {alias.asname for alias in aliases if alias.asname}
    taken = bound | renamed | ({node.id for node in nodes if isinstance(node, ast.Name)} - plain)
    own: dict[str, str] = {}
    for name in renamed - bound:
        meant = {alias.name for alias in aliases if name in {alias.asname, alias.name}}
        own.update((name, original) for original in meant if len(meant) == 1 and original not in taken)
    rename(nodes, own)
    return own


def rename(nodes: Iterable[ast.AST], names: Mapping[str, str]) -> None:
    """Do to some nodes of a file what was done to its others: `names` are those that were undone."""
    for node in nodes if names else ():
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.alias) and node.asname in names:
            node.asname = None


def _known(nodes: Iterable[ast.AST]) -> Iterator[ast.alias]:
    """What is imported from the modules above."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in _MODULES:
            yield from node.names


def _bound_by_others(nodes: Iterable[ast.AST], aliases: Iterable[ast.alias]) -> set[str]:
    """The names that something else in the file binds."""
    known = set(aliases)
    bound: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias) and node not in known:
            bound.add((node.asname or node.name).partition(".")[0])
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update(names_bound_by(node))
    return bound
