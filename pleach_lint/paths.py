"""How a path is shown to people. Touches no disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import PurePath


def shown(path: PurePath, cwd: PurePath) -> str:
    """Write an absolute path relative to the working directory when it lies below it, else as it is."""
    return str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)
