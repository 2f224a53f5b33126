"""Settings put into the text of a TOML file, all of whose characters stay. Knows no tool."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, cast

from pleach_lint.adoption.step import appended, line_end
from pleach_lint.neighbours.toml import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator


def with_list_entry(text: str, keys: tuple[str, ...], entry: str) -> str | None:
    """Add an entry to the list under some keys, which is made when it is not there.

    Of the ways to write it the first is taken that a parser reads as the same document with the entry in it.

    Returns:
        The new text; None when there is no such way.
    """
    document = parsed(text)
    expected = None if document is None else _expected(document, keys, entry)
    if document is None or expected is None:
        return None
    return next((each for each in _candidates(text, keys, entry) if parsed(each) == expected), None)


def _expected(document: dict[str, object], keys: tuple[str, ...], entry: str) -> dict[str, object] | None:
    """The document with the entry in it; None when something else than a list or a table is in the way."""
    new = deepcopy(document)
    table = new
    for key in keys[:-1]:
        inner = table.setdefault(key, {})
        if not isinstance(inner, dict):
            return None
        table = cast("dict[str, object]", inner)
    found = table.setdefault(keys[-1], [])
    if not isinstance(found, list):
        return None
    table[keys[-1]] = [entry, *cast("list[object]", found)]
    return new


def _candidates(text: str, keys: tuple[str, ...], entry: str) -> Iterator[str]:
    """Ways to write it, the most usual first."""
    yield from _in_lists(text, keys[-1], entry)
    end = line_end(text)
    for length in range(len(keys) - 1, -1, -1):
        setting = f'{".".join(keys[length:])} = ["{entry}"]{end}'
        header = rf"^[ \t]*\[[ \t]*{re.escape('.'.join(keys[:length]))}[ \t]*\][^\n]*\n"
        found = re.search(header, text if text.endswith("\n") else text + end, re.MULTILINE) if length else None
        if found is not None:
            yield f"{(text + end)[: found.end()]}{setting}{text[found.end() :]}"
        if length == len(keys) - 1 and length:
            yield appended(text, f"[{'.'.join(keys[:-1])}]\n{setting}")
    yield f'{".".join(keys)} = ["{entry}"]{end}{text}'


def _in_lists(text: str, key: str, entry: str) -> Iterator[str]:
    """The entry as the first of each list under a key, on a line of its own where the list has lines."""
    for array in re.finditer(rf"^[ \t]*(?:[\w-]+\.)*{re.escape(key)}[ \t]*=[ \t]*\[", text, re.MULTILINE):
        kept, follows = text[: array.end()], text[array.end() :]
        line = re.match(r"[ \t]*(?:#[^\n]*)?\n([ \t]*)", follows.replace("\r", ""))
        if line is not None:
            first = follows.index("\n") + 1 + len(line[1])
            yield f'{kept}{follows[:first]}"{entry}",{line_end(text)}{line[1]}{follows[first:]}'
        comma = "" if follows.lstrip().startswith("]") else ", "
        yield f'{kept}"{entry}"{comma}{follows}'
