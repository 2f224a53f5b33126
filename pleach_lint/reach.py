"""Whether a file can matter, for what it holds or for what its imports hold. Reads bytes, parses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_lint.gate import Signs, imported_names, signs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pleach_lint.locator import Locator


class Reach:
    """The signs of the project's files, and of all that they import, directly or through others."""

    def __init__(
        self, locator: Locator, names: tuple[str, ...], is_seam: Callable[[Path], bool], *, strict: bool
    ) -> None:
        self._strict = strict
        self._locator = locator
        self._names = names
        self._is_seam = is_seam
        self._signs: dict[Path, Signs] = {}
        self._imports: dict[Path, tuple[Path, ...]] = {}
        self._wide: dict[Path, tuple[bool, bool]] = {}

    def speaks(self, path: Path, data: bytes) -> bool:
        """Whether a file holds a class word as it is spelled, or the name of a slot."""
        here = self._read(path, data)
        return here.names_slot or here.spells

    def may_matter(self, path: Path, data: bytes) -> bool:
        """Whether a file can have a finding.

        It can by itself, when it names a slot, imports a seam package, or holds two class words between quotes; and
        through its imports, when they hold a slot, and a word stands in the file or in what it imports.
        """
        here = self._read(path, data)
        if here.names_slot or here.together or (self._strict and here.words):
            return True
        if any(self._is_seam(imported) for imported in self._imports[path]):
            return True
        words, slots = self._around(path)
        return slots and (here.words or words)

    def _read(self, path: Path, data: bytes) -> Signs:
        if path not in self._signs:
            self._signs[path] = signs(data, self._names)
            located = (self._locator.locate(path, dotted, level) for level, dotted in imported_names(data))
            self._imports[path] = tuple({found for found in located if found is not None})
        return self._signs[path]

    def _around(self, start: Path) -> tuple[bool, bool]:
        """Whether a word, and whether a slot, stands anywhere in what a file imports."""
        words = slots = False
        seen, pending = {start}, [start]
        while pending and not (words and slots):
            path = pending.pop()
            if path is not start:
                known = self._wide.get(path)
                found = self._load(path)
                words = words or (known[0] if known else found.words and not self._is_seam(path))
                slots = slots or (known[1] if known else found.bears_slot)
                if known:
                    continue
            for further in self._imports.get(path, ()):
                if further not in seen:
                    seen.add(further)
                    pending.append(further)
        self._wide[start] = (words or self._signs[start].words, slots or self._signs[start].bears_slot)
        return words, slots

    def _load(self, path: Path) -> Signs:
        if path not in self._signs:
            try:
                data = path.read_bytes() if path.is_file() else b""
            except OSError:
                data = b""
            self._read(path, data)
        return self._signs[path]
