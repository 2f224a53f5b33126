"""What fixes change, as a unified diff. Prints nothing."""

from __future__ import annotations

import re
from difflib import unified_diff
from typing import TYPE_CHECKING, Final

from pleach_lint.paths import visible
from pleach_lint.source import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROW: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_END: Final = "\\ No newline at end of file\n"


def difference(path: str, before: bytes, after: bytes) -> Iterator[str]:
    """Write what turns one file into the other, as `patch` reads it; nothing where they are the same."""
    for line in unified_diff(_rows(before), _rows(after), fromfile=visible(path), tofile=visible(path)):
        yield line if line.endswith(("\n", "\r")) else f"{line}\n{_NO_END}"


def _rows(data: bytes) -> list[str]:
    return [row[0] for row in _ROW.finditer(decode(data).text)]
