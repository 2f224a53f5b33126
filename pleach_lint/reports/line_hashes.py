"""The number by which GitHub knows a finding again when the lines above it have changed.

Source: the comments and the tests of `src/fingerprints.ts` in https://github.com/github/codeql-action
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import Final

_LENGTH: Final = 100
"""Characters, as UTF-16 counts them, that identify a line: its own and those that follow, blanks left out."""
_FACTOR: Final = 37
_RANGE: Final = 2**64
_END: Final = "\uffff"
"""Stands behind the last character of a file; NULs fill up what is missing then."""


def line_hash(text: str, row: int) -> str:
    """The hash of a line, and how many lines up to it have the same.

    Args:
        text: The whole file.
        row: 1-based; a row that the text does not have stands for its last.
    """
    lines = _lines(text)
    row = min(row, len(lines))
    line = lines[row - 1]
    number = 0
    for character in line.ljust(_LENGTH, "\0"):
        number = (number * _FACTOR + ord(character)) % _RANGE
    return f"{number:x}:{lines[:row].count(line)}"


@lru_cache(maxsize=1)
def _lines(text: str) -> tuple[str, ...]:
    """What identifies each line; cached for the several findings of one file."""
    dense = re.sub("[ \t]", "", re.sub("\r\n|\r", "\n", text))
    units = "".join(map(chr, array("H", dense.encode("utf-16", "surrogatepass"))))[1:] + _END
    starts = (0, *(end.end() for end in re.finditer("\n", units)))
    return tuple(units[start : start + _LENGTH] for start in starts)
