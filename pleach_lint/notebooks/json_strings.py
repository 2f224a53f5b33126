"""Where the strings of a JSON document stand, and under which keys. Checks nothing: the document must be valid."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN: Final = re.compile(r'"(?P<spelled>[^"\\]*(?:\\.[^"\\]*)*)"|[\[\]{},]')


class PlacedString(NamedTuple):
    """A string that is a value."""

    path: tuple[str | int, ...]
    """The keys and indices, from 0, that lead to it."""
    start: int
    """Where the first character behind its quote stands in the document, from 0."""
    spelled: str
    """What stands between its quotes."""


def placed_strings(document: str) -> Iterator[PlacedString]:
    """Find every string that is a value, in order."""
    path: list[str | int | None] = []
    for token in _TOKEN.finditer(document):
        mark = document[token.start()]
        if mark in "{[":
            path.append(None if mark == "{" else 0)
        elif mark in "}]":
            path.pop()
        elif mark == ",":
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else None
        elif path and path[-1] is None:
            path[-1] = json.loads(token[0])
        else:
            yield PlacedString(tuple(key for key in path if key is not None), token.start("spelled"), token["spelled"])
