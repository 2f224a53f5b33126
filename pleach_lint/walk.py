"""The Python files below a folder: excludes, `.gitignore`, links. Reads no file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.gitignore import GitIgnore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.config.effective import Configuration
    from pleach_lint.config.governing import Configurations

NOTEBOOK: Final = ".ipynb"
SUFFIXES: Final = (".py", ".pyi", ".pyw", NOTEBOOK)
"""What a walk takes for Python. A file that is named explicitly is checked whatever its name."""


class Target(NamedTuple):
    """One file to check."""

    path: str
    """As it is shown to people: relative to the working directory when below it, else absolute."""
    real: str
    """Absolute, links followed."""
    configuration: Configuration
    problem: str = ""
    """Why it cannot be checked, where that is known without opening it."""

    @property
    def is_notebook(self) -> bool:
        """Whether its Python stands in the cells of a notebook."""
        return self.real.endswith(NOTEBOOK)


class _Folder(NamedTuple):
    """A folder on the way, and what holds in it."""

    prefix: str
    """What the shown paths of its entries begin with."""
    real: str
    configuration: Configuration
    ignore: GitIgnore

    def keeps(self, entry: os.DirEntry[str], *, is_folder: bool) -> bool:
        """Tell whether neither excludes nor git leave an entry out."""
        if self.configuration.excluded.matches(self.real, entry.name):
            return False
        return not self.ignore.ignores(entry.path, is_folder=is_folder)

    def below(self, entry: os.DirEntry[str]) -> _Folder | None:
        """The folder that an entry is; None when it is none, or is left out."""
        if not entry.is_dir(follow_symlinks=False) or not self.keeps(entry, is_folder=True):
            return None
        return self._replace(prefix=self.prefix + entry.name + os.sep, real=entry.path)


class Walk:
    """Walks folders under the same settings. Links to folders are not followed, links to files are."""

    def __init__(self, configurations: Configurations, *, respect_gitignore: bool) -> None:
        self._configurations = configurations
        self._respect_gitignore = respect_gitignore

    def below(self, prefix: str, real: Path) -> Iterator[Target]:
        """Find the files below a folder, in no particular order.

        Args:
            prefix: What the shown paths of the folder's entries begin with.
            real: The folder, absolute, links followed.

        Raises:
            ConfigError: if a configuration that governs a file cannot be obeyed.
        """
        ignore = GitIgnore.above(real) if self._respect_gitignore else GitIgnore()
        waiting = [_Folder(prefix, str(real), self._configurations.governing(real), ignore)]
        while waiting:
            folder = waiting.pop()
            try:
                entries = list(os.scandir(folder.real))
            except FileNotFoundError:
                continue
            except OSError as error:
                yield _unlisted(folder, error)
                continue
            folder = self._settled(folder, {entry.name for entry in entries})
            waiting += filter(None, (folder.below(entry) for entry in entries))
            for entry in entries:
                yield from self._file(folder, entry)

    def _settled(self, folder: _Folder, names: set[str]) -> _Folder:
        """Turn what holds around a folder into what holds in it."""
        configuration = self._configurations.inside(folder.configuration, folder.real, names)
        ignore = folder.ignore.inside(folder.real, names) if self._respect_gitignore else folder.ignore
        return folder._replace(configuration=configuration, ignore=ignore)

    def _file(self, folder: _Folder, entry: os.DirEntry[str]) -> Iterator[Target]:
        if not entry.name.endswith(SUFFIXES) or not folder.keeps(entry, is_folder=False):
            return
        path = folder.prefix + entry.name
        if entry.is_file(follow_symlinks=False):
            yield Target(path, entry.path, folder.configuration)
        elif Path(entry.path).is_file():
            real = Path(entry.path).resolve()
            yield Target(path, str(real), self._configurations.governing(real.parent))


def _unlisted(folder: _Folder, error: OSError) -> Target:
    problem = f"the folder cannot be listed: {error.strerror}"
    return Target(folder.prefix or os.curdir, folder.real, folder.configuration, problem)
