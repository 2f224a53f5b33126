"""SQLite files that nobody writes to: which they are, and whether one stays so. Opening them is in `sqlite.py`."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pleach_runtime.errors import LedgerMissing, LedgerUnavailable, LedgerUnreadable

_State: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class FileAtRest:
    """A file beside which no log lay, or an empty one: all that was committed is in it."""

    path: Path
    """Where it is, past all links."""
    state: _State

    @property
    def is_writable(self) -> bool:
        """Whether this process may write to it."""
        return os.access(self.path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)

    def check(self) -> None:
        """Check that nobody has written to it since.

        Raises:
            LedgerUnavailable: if somebody has.
        """
        if _state(self.path) != self.state:
            raise LedgerUnavailable(f"{self.path}: a program wrote to it while it was read; try again")


def at_rest(path: Path) -> FileAtRest | None:
    """Return the file at a path if nobody writes to it or has died while it did; `None` if that cannot be said."""
    # SQLite keeps its files beside the file itself, not beside a link to it.
    file = Path(os.path.realpath(path))
    # In this order: whoever opens the file after the look for a log changes the state when it gets back into the file.
    state = _state(file)
    logs = (file.with_name(f"{file.name}{suffix}") for suffix in ("-wal", "-journal"))
    return FileAtRest(file, state) if state is not None and all(map(_is_empty, logs)) else None


def require_file(path: Path) -> None:
    """Check that there is a file.

    Raises:
        LedgerMissing: if there is nothing.
        LedgerUnreadable: if there is something else, such as a folder.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise LedgerMissing(f"{path}: there is no such file") from None
    except OSError:
        # Of a file that may not be looked at, SQLite says so.
        return
    if not stat.S_ISREG(mode):
        raise LedgerUnreadable(f"{path}: it is not a file")


def _is_empty(log: Path) -> bool:
    try:
        return log.stat().st_size == 0
    except OSError as error:
        return isinstance(error, FileNotFoundError)


def _state(file: Path) -> _State | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
