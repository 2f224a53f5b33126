"""The file of a baseline: what it says of each finding, one a line. Knows no finding."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pleach_lint.config.table import ConfigError
from pleach_lint.rewriting import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path, PurePath

_VERSION: Final = 1
_VERSION_KEY: Final = "pleach-lint-baseline"
_ENTRIES_KEY: Final = "findings"
_MERGING: Final = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |$)", re.MULTILINE)
_FOREIGN: Final = "is not a baseline of pleach-lint; name another file with --baseline"
_ANEW: Final = "repair it, or delete it and run with --write-baseline"


class BaselineError(ConfigError):
    """A baseline that cannot be used; the message names the file, the line where it is known, and what to do."""


class Identity(NamedTuple):
    """What two findings of one file have in common when they are the same one, seen at two times."""

    scope: str
    """Qualified name of the class or function around its statement."""
    code: str
    word: str
    """The word that the message is about; empty when it is about none."""
    digest: str
    """Of what the statement means, however it is laid out, on every version of Python."""
    occurrence: int
    """From 1 up, among findings that agree in all else."""


class Entry(NamedTuple):
    """One finding of the past."""

    file: str
    """As `name_from` writes it."""
    identity: Identity
    statement: str
    """Its first characters, for people; does not tell findings apart."""


def name_from(path: PurePath, folder: PurePath) -> str:
    """Write an absolute path relative to an absolute folder, with slashes; absolute where they share no drive."""
    shared = 0
    for ours, theirs in zip(path.parts, folder.parts, strict=False):
        if ours != theirs:
            break
        shared += 1
    if not shared:
        return path.as_posix()
    return "/".join((*[".."] * (len(folder.parts) - shared), *path.parts[shared:]))


def distinct(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Sort entries, and keep one of those that mean the same finding, as a merge of two branches may bring."""
    return tuple({(entry.file, entry.identity): entry for entry in sorted(entries)}.values())


def save(path: Path, entries: Iterable[Entry]) -> None:
    """Write the file of a baseline. No line hangs on its neighbours, so that branches can be merged line by line.

    Raises:
        RewriteError: if it cannot be written.
    """
    lines = [f"{json.dumps(_row(entry))},\n" for entry in distinct(entries)]
    head = f'{{\n"{_VERSION_KEY}": {_VERSION},\n"{_ENTRIES_KEY}": [\n'
    replace_file(path, "".join((head, *lines, "null\n]\n}\n")).encode())


def load(path: Path, name: str) -> tuple[Entry, ...]:
    """Read the file of a baseline, in any layout and order.

    Args:
        path: The file.
        name: What it is called in messages.

    Raises:
        BaselineError: if it cannot be read, or is not a baseline that this version knows.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BaselineError(f"{name}: there is no such baseline; --write-baseline makes it") from None
    except OSError as error:
        raise BaselineError(f"{name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BaselineError(f"{name}: is not UTF-8 text; {_ANEW}") from None
    rows = _rows(_parsed(text, name), name)
    return distinct(_entry(cast("Mapping[str, object]", row), text, name) for row in rows if row is not None)


def _parsed(text: str, name: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        conflict = _MERGING.search(text)
        if conflict is not None:
            line = text.count("\n", 0, conflict.start()) + 1
            advice = "keep the lines of both sides, then run with --prune-baseline"
            raise BaselineError(f"{name}:{line}: a merge is unfinished here; {advice}") from None
        raise BaselineError(f"{name}:{error.lineno}: is not JSON: {error.msg}; {_ANEW}") from None
    except RecursionError:
        raise BaselineError(f"{name}: {_FOREIGN}") from None


def _rows(document: object, name: str) -> list[object]:
    """The entries of a document of a version that is known."""
    found = cast("dict[str, object]", document if isinstance(document, dict) else {})
    version, rows = found.get(_VERSION_KEY), found.get(_ENTRIES_KEY)
    if isinstance(version, int) and version > _VERSION:
        raise BaselineError(f"{name}: was written by a newer pleach-lint (version {version}); upgrade this one")
    if version != _VERSION or not isinstance(rows, list):
        raise BaselineError(f"{name}: {_FOREIGN}")
    return cast("list[object]", rows)


def _row(entry: Entry) -> dict[str, object]:
    return {
        "file": entry.file,
        "in": entry.identity.scope,
        "code": entry.identity.code,
        "word": entry.identity.word,
        "statement": entry.statement,
        "digest": entry.identity.digest,
        "occurrence": entry.identity.occurrence,
    }


def _entry(row: Mapping[str, object], text: str, name: str) -> Entry:
    """Understand one entry.

    Raises:
        BaselineError: if it is none.
    """
    try:
        file, scope, code, word, statement, digest = (
            _text(row[key]) for key in ("file", "in", "code", "word", "statement", "digest")
        )
        return Entry(file, Identity(scope, code, word, digest, _count(row["occurrence"])), statement)
    except (KeyError, TypeError):
        place = text.find(json.dumps(row))
        where = f"{name}:{text.count(chr(10), 0, place) + 1}" if place >= 0 else name
        raise BaselineError(
            f"{where}: an entry is not as pleach-lint writes it: {json.dumps(row)[:60]}; {_ANEW}"
        ) from None


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _count(value: object) -> int:
    if isinstance(value, int) and value > 0 and value is not True:
        return value
    raise TypeError
