"""The modules of a project: which file an import means, which files are seams, and their analysis."""

from __future__ import annotations

import gc
import os
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.locator import Locator
from pleach_lint.reach import Reach, Wanted, key_of
from pleach_lint.source import UnreadableSource, decode
from pleach_lint.vocabulary import SEAM_DIRECTORY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_lint.flow.analysis import Analysis, Use
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.symbols import ModuleFinder
    from pleach_lint.gate import Signs
    from pleach_lint.source import Source
    from pleach_lint.syntax import Tree

_MOST_SOURCE: Final = 3_000_000
"""Characters of source whose modules are kept at once. What is known of one takes about forty times its length."""
_FEW: Final = 10
"""Files that tell, when they fill the room, that each of them needs it."""


class Settings(NamedTuple):
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
    optional: tuple[str, ...] = ()
    """The codes of the rules that are on although they are off by default, sorted."""
    provider_modules: tuple[str, ...] = ()
    """Files and folders that may call providers directly: paths or globs relative to `root`."""


class Project:
    """One project. Reads modules on demand and keeps them while it lives."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._root = os.path.realpath(settings.root)
        self._seams = SeamFolders(self._root, settings.seams)
        self._modules: dict[str, Module | None] = {}
        self._analyses: dict[Module, Analysis] = {}
        self._source_kept = 0
        self._room = _MOST_SOURCE
        self._files_since = 0
        """How many files were checked since modules were dropped."""
        self.is_torn = False
        """Whether a file changed between two looks at it, so that its `fingerprint` may belong to another text."""
        self._locator = Locator(key_of(settings.root), settings.source_roots)
        callees = tuple(text.split(":")[1].rpartition(".")[2].encode() for text in settings.callables)
        wanted = Wanted(settings.names, callees, settings.strict, settings.optional)
        self._reach = Reach(self._locator, wanted, self._seams.holds)

    def analysis_of(self, module: Module) -> Analysis:
        """The analysis that answers for a module that is checked.

        Where neither the module nor anything that it imports holds a slot, its imports need not be read.
        """
        if module not in self._analyses:
            leads = self._reach.leads_to_slot(key_of(module.path), _bytes_of(module))
            self._analyses[module] = self._analysis if leads else self._analysis_alone
        return self._analyses[module]

    @cached_property
    def _analysis(self) -> Analysis:
        return self.new_analysis(self)

    @cached_property
    def _analysis_alone(self) -> Analysis:
        return self.new_analysis(_SeamsAlone(self))

    def new_analysis(self, finder: ModuleFinder) -> Analysis:
        """An analysis by all rules, whose modules the finder finds."""
        from pleach_lint.flow.analysis import Analysis  # noqa: PLC0415 - most runs analyse nothing
        from pleach_lint.rules import visitors  # noqa: PLC0415 - the same

        analysis = Analysis(
            finder, visitors(), self.settings.names, unconcerned=self.unconcerned, strict=self.settings.strict
        )
        for module, name, argument in (text.split(":") for text in self.settings.callables):
            slot = int(argument) if argument.isdecimal() else argument
            analysis.foreign_slots.setdefault(f"{module}.{name}", []).append(slot)
        return analysis

    def unconcerned(self, module: Module) -> frozenset[str]:
        """The codes of the rules that have no business in a module."""
        from pleach_lint.rules import unconcerned  # noqa: PLC0415 - most runs analyse nothing

        return unconcerned(module.tree.source.text, self.settings.optional)

    def uses(self, module: Module) -> Sequence[tuple[str, Use]]:
        """What the rules find in a module that is checked, each with the code of the rule.

        Those about class words look at every value, so they are asked only where the bytes leave them a finding.
        """
        from pleach_lint.rules import about_classes  # noqa: PLC0415 - most runs analyse nothing

        out_of_place = frozenset[str]() if self.may_hold_class(module) else about_classes()
        return self.analysis_of(module).uses(module, out_of_place)

    def may_hold_class(self, module: Module) -> bool:
        """Whether a rule about class words can have a finding in a module, told from its bytes."""
        return self._reach.may_hold_class(key_of(module.path), _bytes_of(module))

    def is_seam(self, path: Path) -> bool:
        """Whether a file lies in a seam package: whole components of its real path below the root count."""
        return self._seams.holds(key_of(path))

    def seam_packages_used(self) -> tuple[str, ...]:
        """The seam packages that were met so far, relative to the root, sorted."""
        return self._seams.met()

    def speaks(self, path: Path, data: bytes) -> bool:
        """Whether a file holds a class word or the name of a slot, so that it has to be parsed."""
        return self._reach.speaks(key_of(path), data)

    def may_matter(self, path: Path, data: bytes) -> bool:
        """Whether a file can have a finding at all, told without parsing it."""
        return self._reach.may_matter(key_of(path), data)

    def look_at(self, path: str, data: bytes) -> Signs:
        """Look at the bytes of one of many files that will be checked, so that `is_bare` can tell."""
        return self._reach.look_at(key_of(path), data)

    def look_around(self) -> None:
        """List what could be imported in the project, of which `is_bare` will want to know."""
        self._reach.look_around()

    def learn(self, path: str, seen: Signs) -> None:
        """Take what another process saw in one of many files."""
        self._reach.learn(key_of(path), seen)

    def is_bare(self, path: str) -> bool:
        """Whether a file that was looked at can have no finding, and need not even be parsed."""
        return self._reach.is_bare(key_of(path))

    def fingerprint(self, path: Path, data: bytes) -> str:
        """A digest of all that the findings of a file depend on, beside the linter itself."""
        import hashlib  # noqa: PLC0415 - it loads OpenSSL, for nothing where nothing is kept

        key = key_of(path)
        inside = self._reach.fingerprint(key, data)
        parts = (key, str(self.settings), str(self._seams.holds(key)), inside)
        return hashlib.blake2b("\0".join(parts).encode(errors="surrogateescape"), digest_size=16).hexdigest()

    def shown(self, path: Path) -> str:
        """A path as messages give it: relative to the project root, with forward slashes."""
        real = os.path.realpath(path)
        inside = real.startswith(self._root + os.sep)
        return real[len(self._root) + 1 :].replace(os.sep, "/") if inside else str(path)

    def read(self, path: Path, source: Source) -> Module:
        """The module of a file whose text is at hand, whatever is on disk.

        Raises:
            UnparsableSource: if no parser can read it.
        """
        from pleach_lint.syntax import parse  # noqa: PLC0415 - most runs parse nothing

        known = self._modules.get(key_of(path))
        if known is not None and known.tree.source.text == source.text:
            return known
        tree = parse(source)
        if known is not None:
            self._forget()
        return self.add(path, tree)

    def add(self, path: Path, tree: Tree) -> Module:
        """Take a module that nothing was derived from yet."""
        from pleach_lint.flow.module import Module  # noqa: PLC0415 - most runs analyse nothing

        key = key_of(path)
        place = self.shown(Path(key))
        module = self._modules[key] = Module(
            Path(key),
            tree,
            is_seam=self._seams.holds(key),
            place=place,
            is_provider=is_among(place, self.settings.provider_modules),
        )
        self._source_kept += len(tree.source.text)
        return module

    def renewed(self) -> Project:
        """The same project and modules, with nothing derived from them yet: one of them is about to be replaced."""
        other = Project(self.settings)
        other._modules = dict(self._modules)
        other._locator, other._reach, other._seams = self._locator, self._reach, self._seams
        return other

    def make_room(self) -> None:
        """Between two files, drop what takes much memory and can be had again.

        Where so few files need so much, the next ones would need it again: then there must be room for it.
        """
        self._files_since += 1
        if self._source_kept > self._room:
            if self._files_since < _FEW:
                self._room *= 2
            else:
                self._forget()

    def _forget(self) -> None:
        self._modules.clear()
        self._source_kept = self._files_since = 0
        self._analyses.clear()
        self.__dict__.pop("_analysis", None)
        self.__dict__.pop("_analysis_alone", None)
        gc.collect()

    def imported(self, importer: Module, dotted: str, level: int) -> Module | Path | None:
        """The module that an import names; a folder for a namespace package; None outside the project.

        `level` counts the leading dots, as in `ast.ImportFrom`.
        """
        found = self.imported_path(importer, dotted, level)
        if found is None:
            return None
        return self._load(found) if found.endswith((".py", ".pyi")) else Path(found)

    def seam_package(self, module: Module) -> tuple[Module, ...]:
        """The modules of the seam package that a module lies in, `__init__` first; none outside of one."""
        folder = self._seams.package(key_of(module.path))
        paths = {module.path, *Path(folder).rglob("*.py")} if folder else set[Path]()
        found = (self._load(key_of(path)) for path in sorted(paths, key=_init_first))
        return tuple(each for each in found if each is not None)

    def imported_path(self, importer: Module, dotted: str, level: int) -> str | None:
        """Where the module lies that an import names, as a key; None outside the project."""
        return self._locator.locate(str(importer.path), dotted, level)

    def _load(self, key: str) -> Module | None:
        if key not in self._modules:
            self._modules[key] = None
            tree = self._tree_on_disk(key)
            return None if tree is None else self.add(Path(key), tree)
        return self._modules[key]

    def _tree_on_disk(self, key: str) -> Tree | None:
        from pleach_lint.syntax import UnparsableSource, parse  # noqa: PLC0415 - most runs parse nothing

        try:
            data = Path(key).read_bytes()
            self.is_torn = self.is_torn or self._reach.contradicts(key, data)
            return parse(decode(data))
        except (OSError, UnreadableSource, UnparsableSource):
            return None


def _bytes_of(module: Module) -> bytes:
    return module.tree.source.text.encode(errors="replace")


def is_among(place: str, patterns: tuple[str, ...]) -> bool:
    """Whether a file, or a folder that it lies in, matches a path or glob. All are relative to one folder."""
    parts = place.split("/")
    outer = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    wanted = [pattern.strip("/").removeprefix("./").removesuffix("/**") for pattern in patterns]
    return any(fnmatchcase(each, pattern) for pattern in wanted for each in outer)


def _init_first(path: Path) -> tuple[bool, str]:
    return path.stem != "__init__", str(path)


class _SeamsAlone:
    """Finds the seam packages of a project, and no other module."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def imported(self, importer: Module, dotted: str, level: int) -> Module | Path | None:
        """The module that an import names, if it lies in a seam package."""
        found = self._project.imported_path(importer, dotted, level)
        return self._project.imported(importer, dotted, level) if found and self._project.is_seam(Path(found)) else None

    def seam_package(self, module: Module) -> tuple[Module, ...]:
        """The modules of the seam package that a module lies in."""
        return self._project.seam_package(module)


class SeamFolders:
    """Which folders of a project are seam packages."""

    def __init__(self, root: str, patterns: tuple[str, ...]) -> None:
        self._root = root
        self._patterns = tuple(pattern.strip("/").removeprefix("./").removesuffix("/**") for pattern in patterns)
        self._known: dict[str, str | None] = {}
        self._met: set[str] = set()

    def holds(self, path: str) -> bool:
        """Whether a file lies in a seam package, by its real path."""
        return self.package(path) is not None

    def package(self, path: str) -> str | None:
        """The folder of the seam package that a file lies in, absolute and real; None outside of one."""
        if path not in self._known:
            self._known[path] = self._around(os.path.realpath(path))
        return self._known[path]

    def met(self) -> tuple[str, ...]:
        """The seam packages that were asked about so far, relative to the root, sorted."""
        return tuple(sorted(self._met))

    def _around(self, real: str) -> str | None:
        if not real.startswith(self._root + os.sep):
            return None
        parts = real[len(self._root) + 1 :].split(os.sep)[:-1]  # noqa: PTH206 - a string, and in a hot path
        for length, name in enumerate(parts, start=1):
            folder = "/".join(parts[:length])
            if self._is_seam(folder, name):
                self._met.add(folder)
                return os.path.join(self._root, *parts[:length])  # noqa: PTH118 - a string, and in a hot path
        return None

    def _is_seam(self, folder: str, name: str) -> bool:
        if not self._patterns:
            return name == SEAM_DIRECTORY
        return any(fnmatchcase(folder, pattern) for pattern in self._patterns)
