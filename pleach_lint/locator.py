"""Which file of the project an import means. Knows directories, not contents; paths are absolute strings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIXES: Final = (".py", ".pyi")


class Locator:
    """Looks imports up from the source roots, and from the folder that holds the importer's outermost package."""

    def __init__(self, root: str, source_roots: tuple[str, ...]) -> None:
        self._roots = tuple(dict.fromkeys(os.path.normpath(f"{root}/{each}") for each in source_roots))
        self._found: dict[str, dict[str, str | None]] = {}
        self._tops: dict[str, str] = {}
        self._entries: dict[str, frozenset[str]] = {}

    def locate(self, importer: str, dotted: str, level: int) -> str | None:
        """The file of a module, or the folder of a package without `__init__`; None outside the project.

        `level` counts the leading dots, as in `ast.ImportFrom`.
        """
        for base in self._bases(importer.rpartition("/")[0], level):
            known = self._found.setdefault(base, {})
            if dotted not in known:
                known[dotted] = self._look_up(base, dotted)
            if known[dotted] is not None:
                return known[dotted]
        return None

    def is_inside(self, path: str) -> bool:
        """Whether all that a file can import lies below the source roots."""
        top = self._top(path.rpartition("/")[0])
        return any(top == root or top.startswith(root + "/") for root in self._roots)

    def importable(self) -> Iterator[str]:
        """Every file below the source roots that some import could name: its folders have names of packages."""
        pending, seen = list(self._roots), set[tuple[int, int]]()
        while pending:
            folder = pending.pop()
            identity = _identity(folder)
            if identity is None or identity in seen:
                continue
            seen.add(identity)
            for name in self._listed(folder):
                stem, dot, suffix = name.rpartition(".")
                if dot + suffix in _SUFFIXES and stem.isidentifier():
                    yield f"{folder}/{name}"
                elif name.isidentifier():
                    pending.append(f"{folder}/{name}")

    def _bases(self, folder: str, level: int) -> Iterator[str]:
        if level:
            for _ in range(level - 1):
                folder = folder.rpartition("/")[0]
            yield folder
            return
        yield from self._roots
        top = self._top(folder)
        if top not in self._roots:
            yield top

    def _top(self, folder: str) -> str:
        """The folder from which the outermost package around `folder` is imported."""
        if folder not in self._tops:
            parent = folder.rpartition("/")[0]
            is_package = bool(parent) and "__init__.py" in self._listed(folder)
            self._tops[folder] = self._top(parent) if is_package else folder
        return self._tops[folder]

    def _look_up(self, base: str, dotted: str) -> str | None:
        parts = [part for part in dotted.split(".") if part]
        folder = base
        for part in parts[:-1]:
            if part not in self._listed(folder):
                return None
            folder = f"{folder}/{part}"
        if not parts:
            return self._module(base, "__init__")
        if parts[-1] not in self._listed(folder):
            return self._module(folder, parts[-1])
        package = f"{folder}/{parts[-1]}"
        found = self._module(package, "__init__") or self._module(folder, parts[-1])
        return found or (package if self._listed(package) else None)

    def _module(self, folder: str, stem: str) -> str | None:
        listed = self._listed(folder)
        return next((f"{folder}/{stem}{suffix}" for suffix in _SUFFIXES if stem + suffix in listed), None)

    def _listed(self, folder: str) -> frozenset[str]:
        """The names in a folder; empty when there is no such folder."""
        if folder not in self._entries:
            try:
                self._entries[folder] = frozenset(os.listdir(folder))  # noqa: PTH208 - paths are strings here
            except OSError:
                self._entries[folder] = frozenset()
        return self._entries[folder]


def _identity(folder: str) -> tuple[int, int] | None:
    """What two names of one folder have in common; None when there is none."""
    try:
        status = os.stat(folder)  # noqa: PTH116 - paths are strings here
    except OSError:
        return None
    return (status.st_dev, status.st_ino)
