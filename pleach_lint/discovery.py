"""Paths of the command line to the Python files that they mean. Reads no file."""

from __future__ import annotations

import os
import stat
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.paths import shown
from pleach_lint.walk import Target, Walk

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pleach_lint.config.governing import Configurations


class Discovered(NamedTuple):
    """What the given paths mean."""

    targets: tuple[Target, ...]
    """Sorted by path; no two are the same real file."""
    excluded: int
    """How many files were named explicitly and left out by `force-exclude`."""
    from_stdin: bool = False
    """Whether the one file's text comes from standard input."""


class MissingPathError(Exception):
    """A path that does not exist, or cannot be looked at."""


def discover(paths: Iterable[str], configurations: Configurations, cwd: Path) -> Discovered:
    """Find the files to check.

    A file that has several names is found once, under the first of them.

    Args:
        paths: As given; relative ones start from `cwd`.
        configurations: What governs each folder.
        cwd: Absolute and real.

    Raises:
        MissingPathError: if a path does not exist; the message names every such path, one a line.
        ConfigError: if a configuration that governs a file cannot be obeyed.
    """
    finder = _Finder(configurations, cwd)
    for path in paths:
        finder.take(path)
    if finder.missing:
        raise MissingPathError("\n".join(finder.missing))
    last_to_first = sorted(finder.targets, key=_path, reverse=True)
    by_file = {target.real: target for target in last_to_first}
    return Discovered(tuple(sorted(by_file.values(), key=_path)), finder.excluded)


def discover_named(name: str, configurations: Configurations, cwd: Path) -> Discovered:
    """Take standard input for the file of a name, which need not exist."""
    path = cwd / name
    real = path.resolve()
    if configurations.of_run().merged.force_exclude and is_excluded(real, configurations):
        return Discovered((), 1, from_stdin=True)
    target = Target(shown(path, cwd), str(real), configurations.governing(real.parent))
    return Discovered((target,), 0, from_stdin=True)


def is_excluded(real: Path, configurations: Configurations) -> bool:
    """Tell whether a walk from above would leave out a file, or a folder that holds it.

    Folders above the project's root are nobody's to exclude: a checkout under `build/` is checked.
    """

    def is_inside(path: Path) -> bool:
        return path.parent.is_relative_to(configurations.governing(path.parent).root)

    def is_left_out(path: Path) -> bool:
        return configurations.governing(path.parent).excluded.matches(str(path.parent), path.name)

    return any(map(is_left_out, takewhile(is_inside, (real, *real.parents))))


def _path(target: Target) -> str:
    return target.path


class _Finder:
    """Collects what the given paths mean, one after another."""

    def __init__(self, configurations: Configurations, cwd: Path) -> None:
        self._configurations = configurations
        self._cwd = cwd
        run = configurations.of_run().merged
        self._force_exclude = bool(run.force_exclude)
        self._walk = Walk(configurations, respect_gitignore=bool(run.respect_gitignore))
        self.targets: list[Target] = []
        self.missing: list[str] = []
        self.excluded = 0

    def take(self, given: str) -> None:
        """Take in one path, or note why it cannot be."""
        try:
            self._take(given)
        except OSError as error:
            self.missing.append(f"{given}: {error.strerror}")
        except ValueError as error:
            self.missing.append(f"{given!r}: {error}")

    def _take(self, given: str) -> None:
        path = self._cwd / given
        kind = path.stat().st_mode
        real = path.resolve()
        name = shown(real if ".." in path.parts else path, self._cwd)
        if stat.S_ISDIR(kind):
            self.targets += self._walk.below("" if name == os.curdir else name + os.sep, real)
        elif self._force_exclude and is_excluded(real, self._configurations):
            self.excluded += 1
        else:
            self.targets.append(
                Target(
                    name,
                    str(real),
                    self._configurations.governing(real.parent),
                    "" if stat.S_ISREG(kind) else "not a regular file",
                )
            )
