"""Which configuration governs a folder: the nearest file with settings for us. Reads no settings itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pleach_lint.config.effective import Configuration, defaults
from pleach_lint.config.files import FILE_NAMES, read_file
from pleach_lint.config.table import ConfigError
from pleach_lint.paths import shown

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from pleach_lint.config.layer import Layer

_REPOSITORY: Final = ".git"
_SIGNS: Final = frozenset({_REPOSITORY, *FILE_NAMES})
"""Names whose presence in a folder may give it a configuration of its own."""


class Configurations:
    """The configuration of every folder that is asked about, each found once."""

    def __init__(
        self, cwd: Path, *, overrides: tuple[Layer, ...] = (), file: Path | None = None, isolated: bool = False
    ) -> None:
        """Prepare the search.

        Args:
            cwd: Absolute and real.
            overrides: What the command line says, the strongest first.
            file: The file that governs everything, instead of the nearest.
            isolated: Whether to read no file at all.

        Raises:
            ConfigError: if `file` cannot be obeyed.
        """
        self._cwd = cwd
        self._overrides = overrides
        self._searching = file is None and not isolated
        self._given = None if file is None else self._read_given(file)
        self._nearest: dict[Path, Configuration | None] = {}
        self._unconfigured: dict[Path, Configuration] = {}

    def of_run(self) -> Configuration:
        """The configuration that settles what concerns the run as a whole: that of the working directory."""
        return self.governing(self._cwd)

    def governing(self, folder: Path) -> Configuration:
        """The configuration of the files of an absolute, real folder.

        Raises:
            ConfigError: if the file that governs cannot be obeyed.
        """
        return self._given or self._search(folder) or self._default(self._root_without_file(folder))

    def inside(self, outer: Configuration, folder: str, names: AbstractSet[str]) -> Configuration:
        """The configuration of the files of a folder, given that of its parent and the names of its entries.

        Raises:
            ConfigError: if the file that governs cannot be obeyed.
        """
        return outer if names.isdisjoint(_SIGNS) else self.governing(Path(folder))

    def _search(self, folder: Path) -> Configuration | None:
        if not self._searching:
            return None
        if folder not in self._nearest:
            above = folder.parent
            self._nearest[folder] = self._read_folder(folder) or (self._search(above) if above != folder else None)
        return self._nearest[folder]

    def _read_folder(self, folder: Path) -> Configuration | None:
        for name in FILE_NAMES:
            layers = read_file(folder / name, self._cwd)
            if layers:
                return self._effective(folder, layers)
        return None

    def _read_given(self, file: Path) -> Configuration:
        path = (self._cwd / file).resolve()
        layers = read_file(path, self._cwd)
        if not layers:
            raise ConfigError(f"{shown(path, self._cwd)}: does not exist, or has no [tool.pleach-lint]")
        folder = path.parent
        return self._effective(folder if self._cwd.is_relative_to(folder) else self._cwd, layers)

    def _root_without_file(self, folder: Path) -> Path:
        return next((above for above in (folder, *folder.parents) if (above / _REPOSITORY).exists()), self._cwd)

    def _default(self, root: Path) -> Configuration:
        if root not in self._unconfigured:
            self._unconfigured[root] = self._effective(root, ())
        return self._unconfigured[root]

    def _effective(self, root: Path, layers: tuple[Layer, ...]) -> Configuration:
        file = layers[0].origin if layers else None
        return Configuration(str(root), (*self._overrides, *layers, defaults(root)), file)
