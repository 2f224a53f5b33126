"""`.gitignore` files, from the top of the repository down. Loads their parser only when there is one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from pathspec import GitIgnoreSpec

_REPOSITORY: Final = ".git"
_FILE: Final = ".gitignore"


class _Rules(NamedTuple):
    folder: str
    """Absolute; what the patterns are relative to."""
    spec: GitIgnoreSpec


class GitIgnore(NamedTuple):
    """What git ignores in one folder. Files above the repository say nothing."""

    rules: tuple[_Rules, ...] = ()

    @classmethod
    def above(cls, start: Path) -> GitIgnore:
        """What the folders around a folder, absolute and real, say of it: those of its repository, if it has one."""
        around = [start, *start.parents]
        top = next((depth for depth, folder in enumerate(around) if (folder / _REPOSITORY).exists()), 0)
        ignore = cls()
        for folder in reversed(around[1 : top + 1]):
            ignore = ignore.inside(str(folder), {_FILE})
        return ignore

    def inside(self, folder: str, names: AbstractSet[str]) -> GitIgnore:
        """What holds in a folder whose parent this object stands for, given the names of its entries."""
        outer = () if _REPOSITORY in names else self.rules
        own = _read(folder) if _FILE in names else None
        return GitIgnore((*outer, own) if own else outer)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether git ignores an entry, given that it does not ignore the folders that hold it."""
        for folder, spec in reversed(self.rules):
            inner = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            verdict = spec.check_file(inner + "/" if is_folder else inner).include
            if verdict is not None:
                return verdict
        return False


def _read(folder: str) -> _Rules | None:
    try:
        text = Path(folder, _FILE).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    return _Rules(folder, _spec(text.splitlines()))


def _spec(lines: list[str]) -> GitIgnoreSpec:
    """Understand the lines, leaving out those that are no patterns, as git does."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - most folders hold no such file

    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        if len(lines) == 1:
            return GitIgnoreSpec.from_lines(())
        return GitIgnoreSpec(pattern for line in lines for pattern in _spec([line]).patterns)
