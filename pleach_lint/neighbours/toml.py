"""TOML files of other tools, read with forgiveness: what is not there or not valid says nothing."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def parsed(text: str) -> dict[str, object] | None:
    """The document in a text; None when it is not TOML."""
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return cast("dict[str, object]", toml.loads(text))
    except toml.TOMLDecodeError:
        return None


def read_text(path: Path) -> str | None:
    """The text of a file as it stands, line ends included; None when there is none that is UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def table_at(document: dict[str, object] | None, *keys: str) -> dict[str, object] | None:
    """The table under some keys, each in the table of the one before; None when there is none."""
    found = document
    for key in keys:
        inner = None if found is None else found.get(key)
        found = cast("dict[str, object]", inner) if isinstance(inner, dict) else None
    return found


def texts_at(table: Mapping[str, object] | None, key: str) -> tuple[str, ...] | None:
    """The texts in the list under a key; None when there is no list."""
    found = None if table is None else table.get(key)
    if not isinstance(found, list):
        return None
    return tuple(each for each in cast("list[object]", found) if isinstance(each, str))
