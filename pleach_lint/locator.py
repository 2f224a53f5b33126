"""Which file of the project an import means. Knows directories, not contents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIXES: Final = (".py", ".pyi")


class Locator:
    """Looks imports up from the source roots, and from the folder that holds the importer's outermost package."""

    def __init__(self, root: Path, source_roots: tuple[str, ...]) -> None:
        self._roots = tuple(dict.fromkeys(os.path.normpath(root / each) for each in source_roots))
        self._found: dict[tuple[str, str], Path | None] = {}
        self._tops: dict[str, str] = {}
        self._entries: dict[str, frozenset[str]] = {}

    def locate(self, importer: Path, dotted: str, level: int) -> Path | None:
        """The file of a module, or the folder of a package without `__init__`; None outside the project.

        `level` counts the leading dots, as in `ast.ImportFrom`.
        """
        folder = os.path.dirname(importer)  # noqa: PTH120
        for base in self._bases(folder, level):
            key = (base, dotted)
            if key not in self._found:
                self._found[key] = self._look_up(base, dotted)
            if self._found[key] is not None:
                return self._found[key]
        return None

    def _bases(self, folder: str, level: int) -> Iterator[str]:
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)  # noqa: PTH120
            yield folder
            return
        yield from self._roots
        top = self._top(folder)
        if top not in self._roots:
            yield top

    def _top(self, folder: str) -> str:
        """The folder from which the outermost package around `folder` is imported."""
        if folder not in self._tops:
            parent = os.path.dirname(folder)  # noqa: PTH120
            is_package = "__init__.py" in self._listed(folder) and parent != folder
            self._tops[folder] = self._top(parent) if is_package else folder
        return self._tops[folder]

    def _look_up(self, base: str, dotted: str) -> Path | None:
        parts = [part for part in dotted.split(".") if part]
        folder = base
        for part in parts[:-1]:
            if part not in self._listed(folder):
                return None
            folder = f"{folder}/{part}"
        package = f"{folder}/{parts[-1]}" if parts else base
        is_folder = not parts or parts[-1] in self._listed(folder)
        inside = self._listed(package) if is_folder else frozenset[str]()
        candidates = [(package, "__init__", inside), *([(folder, parts[-1], self._listed(folder))] if parts else [])]
        for holder, stem, listed in candidates:
            for suffix in _SUFFIXES:
                if stem + suffix in listed:
                    return Path(holder, stem + suffix)
        return Path(package) if parts and inside else None

    def _listed(self, folder: str) -> frozenset[str]:
        """The names in a folder; empty when there is no such folder."""
        if folder not in self._entries:
            try:
                self._entries[folder] = frozenset(os.listdir(folder))  # noqa: PTH208
            except OSError:
                self._entries[folder] = frozenset()
        return self._entries[folder]
