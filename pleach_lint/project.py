"""The modules of a project: which file an import means, which files are seams, and their analysis."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

from pleach_lint.flow.analysis import Analysis
from pleach_lint.flow.module import Module
from pleach_lint.locator import Locator
from pleach_lint.reach import Reach
from pleach_lint.rules import visitors
from pleach_lint.source import UnreadableSource, decode
from pleach_lint.syntax import UnparsableSource, parse
from pleach_lint.vocabulary import SEAM_DIRECTORY

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_lint.syntax import Tree


@dataclass(frozen=True)
class Settings:
    """What the analysis depends on, beside the files."""

    root: Path
    """The project root, absolute."""
    seams: tuple[str, ...] = ()
    """Seam packages: paths or globs relative to `root`. Empty: every directory named exactly `seams` below it."""
    source_roots: tuple[str, ...] = (".", "src")
    """Directories, relative to `root`, from which absolute imports are looked up."""
    strict: bool = False
    names: tuple[str, ...] = ()
    """More names of call-class slots."""
    callables: tuple[str, ...] = ()
    """Slots of callables that cannot be read: `package.module:function:0`, by position or by keyword."""


class Project:
    """One project. Reads modules on demand and keeps them while it lives."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._modules: dict[Path, Module | None] = {}
        self._locator = Locator(settings.root, settings.source_roots)
        self._reach = Reach(self._locator, settings.names, self.is_seam, strict=settings.strict)
        self._seams: set[str] = set()

    @cached_property
    def analysis(self) -> Analysis:
        """The analysis that all modules of the project share."""
        return Analysis(self, visitors(), self.settings.names, strict=self.settings.strict)

    def is_seam(self, path: Path) -> bool:
        """Whether a file lies in a seam package: whole components of its real path below the root count."""
        return self._seam_package(path) is not None

    def _seam_package(self, path: Path) -> str | None:
        try:
            parts = path.resolve().relative_to(self._real_root).parts[:-1]
        except ValueError:
            return None
        for length in range(1, len(parts) + 1):
            folder = "/".join(parts[:length])
            if self._is_seam_folder(folder, parts[length - 1]):
                self._seams.add(folder)
                return folder
        return None

    @cached_property
    def _real_root(self) -> Path:
        return self.settings.root.resolve()

    def _is_seam_folder(self, folder: str, name: str) -> bool:
        patterns = self.settings.seams
        if not patterns:
            return name == SEAM_DIRECTORY
        return any(fnmatchcase(folder, pattern.strip("/").removeprefix("./")) for pattern in patterns)

    def seam_packages_used(self) -> tuple[str, ...]:
        """The seam packages that were met so far, relative to the root, sorted."""
        return tuple(sorted(self._seams))

    def speaks(self, path: Path, data: bytes) -> bool:
        """Whether a file holds a class word or the name of a slot, so that it has to be parsed."""
        return self._reach.speaks(path, data)

    def may_matter(self, path: Path, data: bytes) -> bool:
        """Whether a file can have a finding at all, told without parsing it."""
        return self._reach.may_matter(path, data)

    def shown(self, path: Path) -> str:
        """A path as messages give it: relative to the project root, with forward slashes."""
        try:
            return path.resolve().relative_to(self._real_root).as_posix()
        except ValueError:
            return str(path)

    def add(self, path: Path, tree: Tree) -> Module:
        """Take a module whose tree is already at hand, in place of what is on disk."""
        module = Module(path, tree, is_seam=self.is_seam(path))
        self._modules[path.resolve()] = module
        return module

    def renewed(self) -> Project:
        """The same project and modules, with nothing derived from them yet: one of them is about to be replaced."""
        other = Project(self.settings)
        other._modules = dict(self._modules)
        other._locator, other._reach = self._locator, self._reach
        return other

    def imported(self, importer: Module, dotted: str, level: int) -> Module | Path | None:
        """The module that an import names; a folder for a namespace package; None outside the project.

        `level` counts the leading dots, as in `ast.ImportFrom`.
        """
        target = self._locator.locate(importer.path, dotted, level)
        if target is None or target.is_dir():
            return target
        return self._load(target)

    def _load(self, path: Path) -> Module | None:
        real = path.resolve()
        if real not in self._modules:
            self._modules[real] = None
            try:
                tree = parse(decode(path.read_bytes()))
            except (OSError, UnreadableSource, UnparsableSource):
                return None
            self._modules[real] = Module(path, tree, is_seam=self.is_seam(path))
        return self._modules[real]
