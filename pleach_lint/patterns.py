"""Path patterns, as `exclude` and `per-file-ignores` hold them. Knows neither configuration nor the disk."""

from __future__ import annotations

import fnmatch
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_ANY_FOLDERS: Final = "\0"
_GLOB: Final = frozenset("*?[")


class Pattern(NamedTuple):
    """A pattern and the folder that it is relative to.

    Without a slash it is a name, wherever it stands; with one it is a path from `base`. `*` and `?` match any
    characters, slashes included; `**/` also matches no folder at all.
    """

    text: str
    base: str
    """Absolute."""

    def seen_from(self, folder: str) -> str:
        """The same path as a pattern relative to `folder`, with slashes; absolute where the two share no drive."""
        path = os.path.join(self.base, self.text)  # noqa: PTH118 - a pattern is not a path
        try:
            return os.path.relpath(path, folder).replace(os.sep, "/")
        except ValueError:
            return path


class PathMatcher:
    """Tells which paths a set of patterns means."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        kept = [Pattern(_plain(pattern.text), pattern.base) for pattern in patterns]
        names = [pattern.text for pattern in kept if "/" not in pattern.text]
        self._names = frozenset(name for name in names if not _GLOB & set(name))
        self._globs = tuple(_expression(name) for name in names if _GLOB & set(name))
        self._paths = tuple(_anchored(pattern) for pattern in kept if "/" in pattern.text)

    def matches(self, folder: str, name: str) -> bool:
        """Tell whether the patterns mean the entry `name` of an absolute folder itself."""
        if name in self._names or any(glob.match(name) for glob in self._globs):
            return True
        path = _prefix(folder) + name
        return any(
            path.startswith(base) and expression.match(path[len(base) :].replace(os.sep, "/"))
            for base, expression in self._paths
        )

    def covers(self, path: str, root: str) -> bool:
        """Tell whether the patterns mean an absolute path, or a folder below `root` that holds it."""
        top = _prefix(root)
        while True:
            folder, name = os.path.split(path)
            if not name or self.matches(folder, name):
                return bool(name)
            if not folder.startswith(top):
                return False
            path = folder


def _prefix(folder: str) -> str:
    return folder if folder.endswith(os.sep) else folder + os.sep


def _plain(text: str) -> str:
    return text.replace(os.sep, "/").removesuffix("/")


def _anchored(pattern: Pattern) -> tuple[str, re.Pattern[str]]:
    """The folder that a pattern with a slash starts from, and the expression for what lies below it."""
    drive, text = os.path.splitdrive(pattern.text)
    if text.startswith("/"):
        return drive + os.sep, _expression(text[1:])
    text, base = text.removeprefix("./"), pattern.base
    while text.startswith("../"):
        text, base = text[len("../") :], str(Path(base).parent)
    return _prefix(base), _expression(text)


def _expression(glob: str) -> re.Pattern[str]:
    translated = fnmatch.translate(glob.replace("**/", _ANY_FOLDERS))
    return re.compile(translated.replace(_ANY_FOLDERS, "(?:.*/)?"))
