"""Whether a file can matter, for what it holds or for what its imports hold. Reads bytes, parses nothing."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.gate import BARE, Signs, bare_without, imported_names, is_bare, may_compose, signs
from pleach_lint.triggers import texts, trigger

if TYPE_CHECKING:
    import hashlib
    from collections.abc import Callable, Iterator

    from pleach_lint.locator import Locator


_DIGEST_BYTES: Final = 16
_MANY_FILES: Final = 16
"""Number of files from which a look at the whole project is cheaper than one at what each imports."""
_NO_NAMES: Final = frozenset({"", os.curdir, os.pardir})


class _Around(NamedTuple):
    """What a file and all that it imports, directly or through others, hold."""

    words: bool
    """A class word, in a file that is no seam."""
    slots: bool
    """A call-class slot that other modules can find."""
    digest: bytes
    """Of their paths, their contents, and where their imports lead."""


class Wanted(NamedTuple):
    """What is looked for, beside the class words and the names of their slots."""

    names: tuple[str, ...]
    """More names of slots."""
    callees: tuple[bytes, ...]
    """The names of callables that are known to take a class."""
    strict: bool
    """Whether every class word counts."""
    optional: tuple[str, ...]
    """The codes of the rules that are on although they are off by default."""


_NOTHING_AROUND: Final = _Around(words=False, slots=False, digest=b"")


class Reach:
    """The signs of the project's files, and of all that they import. Paths are absolute, as strings."""

    def __init__(self, locator: Locator, wanted: Wanted, is_seam: Callable[[str], bool]) -> None:
        self._locator = locator
        self._wanted = wanted
        self._triggers = trigger(wanted.optional)
        self._parts = bare_without(wanted.names, (*wanted.callees, *texts(wanted.optional)))
        self._is_seam = is_seam
        self._signs: dict[str, Signs] = {}
        self._imports: dict[str, tuple[str, ...]] = {}
        self._contents: dict[str, bytes] = {}
        self._around: dict[str, _Around] = {}
        self._asked = 0
        self._importable: tuple[str, ...] = ()
        self._slotless: bool | None = None

    def look_at(self, path: str, data: bytes) -> Signs:
        """Look at one of many files that will be checked, so that `is_bare` can tell."""
        self.learn(path, self._read(path, data))
        return self._signs[path]

    def look_around(self) -> None:
        """List the project's modules, of which `is_bare` will want to know."""
        self._importable = self._importable or tuple(self._locator.importable())

    def learn(self, path: str, seen: Signs) -> None:
        """Take what another process saw in one of many files."""
        self._signs[path] = BARE if seen == BARE else seen
        self._asked += 1

    def is_bare(self, path: str) -> bool:
        """Whether a file that was looked at can have no finding, and need not even be parsed."""
        return self._signs.get(path) is BARE and self._is_slotless(path)

    def speaks(self, path: str, data: bytes) -> bool:
        """Whether a file may hold a class word as it is spelled, or the name of a slot."""
        here = self._read(path, data)
        return here.names_slot or here.spells or here.triggers or here.hides

    def may_matter(self, path: str, data: bytes) -> bool:
        """Whether a file can have a finding: of a class literal, or of a rule whose sign stands in it."""
        return self._read(path, data).triggers or self.may_hold_class(path, data)

    def may_hold_class(self, path: str, data: bytes) -> bool:
        """Whether a rule about class words can have a finding in a file.

        It can by itself, when it names a slot, imports a seam package, or holds two class words between quotes; and
        through its imports, when they hold a slot, and a word stands in the file or in what it imports, or in the file
        the pieces of one.
        """
        here = self._read(path, data)
        if here.names_slot or here.together or here.hides or (self._wanted.strict and here.words):
            return True
        slotless = self._is_slotless(path)
        if slotless and not here.words:
            return False
        imports = self._imported(path, data)
        if any(self._is_seam(imported) for imported in imports):
            return True
        if slotless:
            return False
        around = [self._everything(imported) for imported in imports]
        if not any(each.slots for each in around):
            return False
        return here.words or any(each.words for each in around) or may_compose(data)

    def leads_to_slot(self, path: str, data: bytes) -> bool:
        """Whether a call-class slot stands in a file or in anything that it imports."""
        here = self._read(path, data)
        if here.names_slot or here.bears_slot or here.triggers:
            return True
        return not self._is_slotless(path) and any(self._everything(each).slots for each in self._imported(path, data))

    def fingerprint(self, path: str, data: bytes) -> str:
        """A digest of the files on which the findings of a file depend: itself and, if it can matter, its imports."""
        whole = _hash(data)
        if self.may_matter(path, data):
            for imported in sorted(self._imported(path, data)):
                whole.update(self._named(imported) + self._everything(imported).digest)
        return whole.hexdigest()

    def contradicts(self, path: str, data: bytes) -> bool:
        """Whether another content of a file went into a fingerprint."""
        return path in self._contents and self._contents[path] != _digest(data)

    def _is_slotless(self, path: str) -> bool:
        """Whether no file that could be imported holds a slot, so that imports need no look.

        To find out costs a walk over the project; that pays from some number of files on.
        """
        self._asked += 1
        if self._asked < _MANY_FILES or not self._locator.is_inside(path):
            return False
        if self._slotless is None:
            self.look_around()
            self._slotless = not any(map(self._bears_slot, self._importable))
        return self._slotless

    def _bears_slot(self, path: str) -> bool:
        if path not in self._signs:
            self._signs[path] = self._signs_of(_content(path))
        return self._signs[path].bears_slot

    def _signs_of(self, data: bytes) -> Signs:
        """The signs of a file; one that names a callee which is known to take a class names a slot."""
        if is_bare(data, self._parts):
            return BARE
        found = signs(data, self._wanted.names)
        if self._triggers(data, words=found.words):
            found = found._replace(triggers=True)
        named = any(callee in data for callee in self._wanted.callees)
        return found._replace(names_slot=True, bears_slot=True) if named else found

    def _read(self, path: str, data: bytes) -> Signs:
        if path not in self._signs:
            self._signs[path] = self._signs_of(data)
        return self._signs[path]

    def _imported(self, path: str, data: bytes) -> tuple[str, ...]:
        if path not in self._imports:
            located = (self._locator.locate(path, dotted, level) for level, dotted in imported_names(data))
            self._imports[path] = tuple({found for found in located if found is not None})
            self._contents[path] = _digest(data)
        return self._imports[path]

    def _load(self, path: str) -> None:
        """Read a file that an import leads to; a folder without `__init__` and a file that is gone hold nothing."""
        if path not in self._imports or path not in self._signs:
            data = _content(path)
            self._read(path, data)
            self._imported(path, data)

    def _everything(self, start: str) -> _Around:
        if start not in self._around:
            for component in self._components(start):
                self._settle(component)
        return self._around[start]

    def _settle(self, component: list[str]) -> None:
        """Give the files of one import cycle what they and all that they import hold."""
        words = slots = False
        whole = _hash(b"")
        for path in sorted(component):
            words = words or (self._signs[path].words and not self._is_seam(path))
            slots = slots or self._signs[path].bears_slot
            whole.update(self._named(path) + self._contents[path])
            for imported in sorted(self._imports[path]):
                known = self._around.get(imported, _NOTHING_AROUND)
                words, slots = words or known.words, slots or known.slots
                whole.update(self._named(imported) + known.digest)
        self._around.update(dict.fromkeys(component, _Around(words, slots, whole.digest())))

    def _named(self, path: str) -> bytes:
        """A path as a digest takes it, with whether it is a seam, which hangs on where links lead."""
        return os.fsencode(path) + (b"\0seam\0" if self._is_seam(path) else b"\0")

    def _components(self, start: str) -> Iterator[list[str]]:
        """The import cycles that can be reached and are not settled yet, imported ones first.

        Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972; iterative, since imports run deep.
        """
        order: dict[str, int] = {}
        lowest: dict[str, int] = {}
        open_paths: list[str] = []
        is_open: set[str] = set()
        work: list[tuple[str, Iterator[str]]] = []

        def enter(path: str) -> None:
            self._load(path)
            order[path] = lowest[path] = len(order)
            open_paths.append(path)
            is_open.add(path)
            work.append((path, iter(self._imports[path])))

        enter(start)
        while work:
            path, rest = work[-1]
            for imported in rest:
                if imported in is_open:
                    lowest[path] = min(lowest[path], order[imported])
                elif imported not in order and imported not in self._around:
                    enter(imported)
                    break
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[path])
                if lowest[path] == order[path]:
                    cut = open_paths.index(path)
                    component, open_paths[cut:] = open_paths[cut:], []
                    is_open.difference_update(component)
                    yield component


def _digest(data: bytes) -> bytes:
    return _hash(data).digest()


def _hash(data: bytes) -> hashlib.blake2b:
    import hashlib  # noqa: PLC0415 - it loads OpenSSL, for nothing where a file imports nothing of the project

    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - paths are strings here
            return file.read()
    except OSError:
        return b""


def key_of(path: str | os.PathLike[str]) -> str:
    """A path as the keys of this module are: absolute, without `..`, links kept."""
    folder, slash, name = os.fspath(path).rpartition("/")
    if name in _NO_NAMES:
        return os.path.abspath(path)  # noqa: PTH100 - much faster than `Path.absolute`, for every file of a run
    return f"{_key_of_folder(folder + slash, os.getcwd())}/{name}"  # noqa: PTH109 - the same


@lru_cache(maxsize=1024)
def _key_of_folder(folder: str, _cwd: str) -> str:
    """The key of a folder, seen from a working directory, without a slash at its end."""
    return os.path.abspath(folder).rstrip("/")  # noqa: PTH100 - as in `key_of`
