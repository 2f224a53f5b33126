"""Which definitions a name means, imports followed through the modules of the project. Knows no values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

from pleach_lint.flow.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Protocol

    from pleach_lint.flow.scopes import Definition

    class ModuleFinder(Protocol):
        """Finds and reads the modules of the project."""

        def imported(self, importer: Module, dotted: str, level: int) -> Module | Path | None:
            """The module that an import names; a folder for a namespace package; None outside the project."""

        def seam_package(self, module: Module) -> tuple[Module, ...]:
            """The modules of the seam package that a module lies in, `__init__` first; none outside of one."""
            ...


Symbol: TypeAlias = "tuple[Module, Definition]"
"""A definition, and the module that it stands in."""


class Symbols:
    """Follows names to where the project defines them. Answers for a name are remembered by its node."""

    def __init__(self, finder: ModuleFinder) -> None:
        self._finder = finder
        self._known: dict[ast.Name, tuple[Symbol, ...]] = {}

    def of(self, module: Module, name: ast.Name) -> tuple[Symbol, ...]:
        """The definitions of a name, imports followed to where the project defines it."""
        if name not in self._known:
            self._known[name] = tuple(self._of(module, name))
        return self._known[name]

    def exported(self, module: Module, name: str, seen: frozenset[Module] = frozenset()) -> Iterator[Symbol]:
        """The definitions that `module.name` can mean to another module."""
        if module in seen:
            return
        definitions = module.names.module.last.get(name, ())
        if not definitions:
            yield from self._from_stars(module, name, seen | {module})
        for definition in definitions:
            yield from self.followed(module, definition, seen | {module})

    def followed(
        self, module: Module, definition: Definition, seen: frozenset[Module] = frozenset()
    ) -> Iterator[Symbol]:
        """A definition, or what it imports."""
        statement = module.parents.get(definition.node)
        alias = definition.node
        if not isinstance(statement, ast.ImportFrom) or not isinstance(alias, ast.alias):
            yield module, definition
            return
        source = self._finder.imported(module, statement.module or "", statement.level)
        found = False
        if isinstance(source, Module):
            for symbol in self.exported(source, alias.name, seen):
                found = True
                yield symbol
        if not found:
            yield module, definition

    def _of(self, module: Module, name: ast.Name) -> Iterator[Symbol]:
        definitions = module.names.definitions(name)
        if not definitions and name.id not in module.names.module.local:
            yield from self._from_stars(module, name.id)
        for definition in definitions:
            yield from self.followed(module, definition)

    def _from_stars(self, module: Module, name: str, seen: frozenset[Module] = frozenset()) -> Iterator[Symbol]:
        for star in reversed(module.names.stars):
            source = self._finder.imported(module, star.module or "", star.level)
            if isinstance(source, Module):
                yield from self.exported(source, name, seen | {module})
