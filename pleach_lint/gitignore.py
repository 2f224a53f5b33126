"""`.gitignore` files, from the top of the repository down. Loads their parser only when there is one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_REPOSITORY = ".git"


class _Rules(NamedTuple):
    folder: str
    """Absolute; what the patterns are relative to."""
    spec: GitIgnoreSpec


class GitIgnore:
    """What git ignores in one folder. Files above the repository say nothing; without one, files above `start`."""

    def __init__(self, rules: tuple[_Rules, ...] = ()) -> None:
        self._rules = rules

    @classmethod
    def at(cls, start: str) -> GitIgnore:
        """What holds in the folder, absolute and real, in which a walk begins."""
        ignore = cls()
        for folder in reversed(_up_to_repository(start)):
            ignore = ignore.inside(folder)
        return ignore

    def inside(self, folder: str) -> GitIgnore:
        """What holds in a folder of the one that this object stands for."""
        outer = () if (Path(folder) / _REPOSITORY).exists() else self._rules
        own = _read(folder)
        return GitIgnore((*outer, own) if own else outer)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether git ignores an entry, given that it does not ignore the folders that hold it."""
        for folder, spec in reversed(self._rules):
            inner = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
            verdict = spec.check_file(inner + "/" if is_folder else inner).include
            if verdict is not None:
                return verdict
        return False


def _up_to_repository(start: str) -> list[str]:
    """The folders from `start` up to the top of its repository; only `start` when there is none."""
    above = [start, *map(str, Path(start).parents)]
    top = next((depth for depth, folder in enumerate(above) if (Path(folder) / _REPOSITORY).exists()), 0)
    return above[: top + 1]


def _read(folder: str) -> _Rules | None:
    try:
        text = (Path(folder) / ".gitignore").read_text(encoding="utf-8", errors="surrogateescape")
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
