"""How a path is shown to people. Touches no disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import PurePath


def shown(path: PurePath, cwd: PurePath) -> str:
    """Write an absolute path relative to the working directory when it lies below it, else as it is."""
    return str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)


def visible(text: str) -> str:
    """Write a name on one line, whatever is in it: line breaks, control characters, undecodable bytes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
