"""Findings of earlier runs, kept on disk under a digest of all that they depend on. Decides no finding."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint import __version__
from pleach_lint.finding import Applicability, Edit, Finding, Fix, Related, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG: Final = "CACHEDIR.TAG"
_TAGGED: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This folder is a cache of pleach-lint. It may be deleted at any time.\n"
)
"""Source: https://bford.info/cachedir/."""
_GIT: Final = ".gitignore"
_IGNORED: Final = "# Made by pleach-lint.\n*\n"
_ENTRY: Final = ".json"
_UNFINISHED: Final = ".part"
_PRUNED: Final = "last-pruned"
_DAY: Final = 24 * 60 * 60
"""Seconds. A look at an entry is noted, and old entries are looked for, once in this time."""
_KEPT: Final = 30 * _DAY
"""Seconds without a look at it after which an entry goes."""

_Place: TypeAlias = "tuple[int, int, int, int]"
_Elsewhere: TypeAlias = "tuple[str, _Place, str, bool]"
_Fix: TypeAlias = "tuple[str, str, list[tuple[_Place, str]]]"
_Row: TypeAlias = "tuple[_Place, str, str, str, str, list[_Elsewhere], _Fix | None]"
"""A finding as an entry has it: without the file name, which its reader knows."""


class Cache:
    """The entries in one folder. Several processes may share it; an entry that is not whole counts as absent."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._entries = os.path.join(folder, __version__)  # noqa: PTH118 - joined once for every entry
        self._is_ready = False
        self.problem = ""
        """Why nothing can be kept here, in plain words; empty while that is not known."""

    def load(self, fingerprint: str, path: str) -> tuple[Finding, ...] | None:
        """The findings of a file, which it reports under the name `path`; None when there is no entry."""
        try:
            with open(self._path(fingerprint), "rb") as file:  # noqa: PTH123 - for every parsed file of a run
                sealed = file.read()
                age = time.time() - os.fstat(file.fileno()).st_mtime
            if age > _DAY:
                os.utime(self._path(fingerprint))
        except OSError:
            return None
        return _opened(sealed, path)

    def save(self, fingerprint: str, findings: tuple[Finding, ...]) -> None:
        """Keep the findings of a file. When that fails, `problem` says why, and nothing is tried again."""
        if self.problem:
            return
        try:
            self._prepare()
            _write(self._path(fingerprint), _sealed(findings))
        except OSError as error:
            self.problem = f"cannot keep a cache in {self._folder}: {error.strerror}"

    def _path(self, fingerprint: str) -> str:
        key = hashlib.blake2b(fingerprint.encode() + made_by(), digest_size=16).hexdigest()
        return f"{self._entries}{os.sep}{key}{_ENTRY}"

    def _prepare(self) -> None:
        """Make the folder and what marks it as a cache, and remove what is old, once in a run.

        Raises:
            OSError: if there is a folder that is not ours, or none can be made.
        """
        if self._is_ready:
            return
        folder = Path(self._folder)
        if not is_cache(folder):
            folder.mkdir(parents=True, exist_ok=True)
            _mark(folder)
        Path(self._entries).mkdir(exist_ok=True)
        self._is_ready = True
        _prune(folder)


def is_cache(folder: Path) -> bool:
    """Whether a folder was made by this module."""
    try:
        return (folder / _TAG).read_text(encoding="utf-8") == _TAGGED
    except (OSError, ValueError):
        return False


def _mark(folder: Path) -> None:
    """Mark a folder as a cache, which lets `clean` remove it.

    Raises:
        OSError: if there is something else in it.
    """
    is_taken = any(not entry.name.startswith((_TAG, _GIT)) for entry in folder.iterdir())
    if is_taken and not is_cache(folder):
        raise OSError(0, "it holds other things than a cache")
    _write(str(folder / _GIT), _IGNORED.encode())
    _write(str(folder / _TAG), _TAGGED.encode())


def _write(path: str, content: bytes) -> None:
    """Put a file in its place whole, whoever else writes or reads it."""
    unfinished = f"{path}.{os.getpid()}.{os.urandom(4).hex()}{_UNFINISHED}"
    try:
        with open(unfinished, "xb") as file:  # noqa: PTH123 - for every parsed file of a run
            file.write(content)
        os.replace(unfinished, path)  # noqa: PTH105 - for every parsed file of a run
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def _prune(folder: Path) -> None:
    """Remove entries that nobody looked at for long, and what a process that was killed left behind."""
    mark = folder / _PRUNED
    now = time.time()
    if mark.exists() and now - mark.stat().st_mtime < _DAY:
        return
    mark.touch()
    for entry in folder.glob("*/*"):
        kept = _KEPT if entry.suffix == _ENTRY else _DAY
        with suppress(OSError):
            if now - entry.stat().st_mtime > kept:
                entry.unlink()


def _sealed(findings: tuple[Finding, ...]) -> bytes:
    body = json.dumps([_row(finding) for finding in findings], separators=(",", ":")).encode()
    return hashlib.blake2b(body, digest_size=16).hexdigest().encode() + b"\n" + body


def _opened(sealed: bytes, path: str) -> tuple[Finding, ...] | None:
    seal, _, body = sealed.partition(b"\n")
    if hashlib.blake2b(body, digest_size=16).hexdigest().encode() != seal:
        return None
    try:
        return tuple(_finding(row, path) for row in json.loads(body))
    except (ValueError, TypeError):
        return None


def _row(finding: Finding) -> _Row:
    related = [(place.filename, _place(place.span), place.message, place.is_origin) for place in finding.related]
    fix = _fix_row(finding.fix) if finding.fix else None
    return (_place(finding.span), finding.code, finding.slug, finding.message, finding.help, related, fix)


def _fix_row(fix: Fix) -> _Fix:
    edits = [(_place(edit.span), edit.replacement) for edit in fix.edits]
    return (fix.applicability.value, fix.message, edits)


def _finding(row: _Row, path: str) -> Finding:
    span, code, slug, message, advice, related, fix = row
    places = tuple(Related(filename, Span(*place), text, is_origin) for filename, place, text, is_origin in related)
    return Finding(path, Span(*span), code, slug, message, advice, places, _fix(fix) if fix else None)


def _fix(row: _Fix) -> Fix:
    applicability, message, edits = row
    return Fix(Applicability(applicability), message, tuple(Edit(Span(*place), text) for place, text in edits))


def _place(span: Span) -> _Place:
    return (span.row, span.column, span.end_row, span.end_column)


@lru_cache(maxsize=1)
def made_by() -> bytes:
    """A digest of what findings owe to the linter itself: its own code, and the versions of libcst and of Python."""
    version = f"{sys.implementation.name} {sys.version_info[:3]}"
    whole = hashlib.blake2b(version.encode(), digest_size=16)
    for file in (*_own_code(), *_version_of_libcst()):
        whole.update(file.name.encode() + b"\0" + file.read_bytes())
    return whole.digest()


def _own_code() -> Iterator[Path]:
    yield from sorted(Path(__file__).parent.rglob("*.py"))


def _version_of_libcst() -> Iterator[Path]:
    """The file that holds it: to import libcst, or `importlib.metadata`, takes longer than all else here."""
    spec = find_spec("libcst")
    if spec is not None and spec.origin is not None:
        yield from Path(spec.origin).parent.glob("_version.py")
