"""Modules of seam packages that a module leads to through its imports, for names that it does not import yet."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.symbols import ModuleFinder

_MOST: Final = 100
"""Modules that are looked through."""


def seam_module_with(name: str, module: Module, finder: ModuleFinder) -> str:
    """The dotted name of a seam package's module that has a name and can be imported without a circle.

    Empty where the module leads to none, or to several: then it is not for us to choose.
    """
    reached = _reached(module, finder)
    found = [each for each in reached if each.is_seam and name in each.names.module.last]
    if len(found) != 1 or module in _reached(found[0], finder):
        return ""
    return _dotted(found[0], module, finder)


def _reached(module: Module, finder: ModuleFinder) -> list[Module]:
    """What a module imports, directly and through others, nearest first."""
    reached: dict[Module, None] = {}
    pending = [module]
    while pending and len(reached) < _MOST:
        for imported in _imported(pending.pop(0), finder):
            if imported not in reached:
                reached[imported] = None
                pending.append(imported)
    return list(reached)


def _imported(module: Module, finder: ModuleFinder) -> Iterator[Module]:
    for node in module.nodes:
        for dotted, level in _names(node):
            found = finder.imported(module, dotted, level)
            if isinstance(found, Module):
                yield found


def _names(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The modules that a statement may import: with `from a import b`, both `a` and `a.b`."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, 0) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.module or "", node.level
        yield from ((".".join(filter(None, (node.module, alias.name))), node.level) for alias in node.names)


def _dotted(wanted: Module, module: Module, finder: ModuleFinder) -> str:
    """The shortest absolute name by which a module can be imported; empty where there is none."""
    parts = wanted.path.with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    names = (".".join(parts[start:]) for start in range(len(parts) - 1, 0, -1))
    return next((name for name in names if finder.imported(module, name, 0) is wanted), "")
