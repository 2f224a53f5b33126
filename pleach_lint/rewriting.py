"""Files put in place whole: whoever reads one meanwhile finds the old or the new. Knows no content."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
"""Where nobody may write, root is not meant either."""


class RewriteError(Exception):
    """A file that was not written; the message names it and says why."""


def replace_file(path: Path, content: bytes, *, before: bytes | None = None) -> None:
    """Give a file new content, or make it.

    A link stays, and what it leads to is written. The mode of a file stays; a new one gets the usual mode.

    Args:
        path: The file; its folder must exist.
        content: All of it.
        before: What the file must still hold; None: whatever it holds is to be replaced.

    Raises:
        RewriteError: if it holds something else by now, or cannot be written.
    """
    try:
        real = path.resolve()
        if before is not None and real.read_bytes() != before:
            raise RewriteError(f"{path}: changed while it was looked at, so it was left alone; run again")
        _replace(real, content)
    except OSError as error:
        raise RewriteError(f"{path}: cannot be written: {error.strerror}") from None


def _replace(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".pleach-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with unfinished.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(_mode(path))
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The mode of a file; of one that is not there, what the process gives to new ones."""
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if not (mode & _WRITABLE and os.access(path, os.W_OK)):
            raise PermissionError(0, "it is read-only")
        return mode
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
