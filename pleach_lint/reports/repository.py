"""Paths as the hosts of repositories want them. Knows no format."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote_from_bytes

from pleach_lint.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHECKOUTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Where GitHub Actions and GitLab CI say that they put the repository."""


def in_repository(filename: str) -> str:
    """Write a path from the top of its repository, with forward slashes; absolute when it lies elsewhere.

    Args:
        filename: Absolute, or relative to the working directory.
    """
    path = Path(filename).absolute()
    return Path(shown(path, _top(Path.cwd(), *map(os.environ.get, _CHECKOUTS)))).as_posix()


def as_uri(filename: str) -> str:
    """Write a path as `in_repository` does, as the reference of a URI."""
    path = in_repository(filename)
    return Path(path).as_uri() if Path(path).is_absolute() else quote_from_bytes(os.fsencode(path))


@lru_cache(maxsize=1)
def _top(cwd: Path, *checkouts: str | None) -> Path:
    """The top of the repository around the working directory; that itself when there is none."""
    return next((top for top in _tops(cwd, checkouts) if cwd.is_relative_to(top)), cwd)


def _tops(cwd: Path, checkouts: tuple[str | None, ...]) -> Iterator[Path]:
    yield from (Path(checkout).resolve() for checkout in checkouts if checkout)
    yield from (folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists())
