"""Where findings are kept for later runs. Touches no disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = ".pleach_cache"
"""The cache of a project, below its root."""
VARIABLE: Final = "PLEACH_CACHE_DIR"
"""The environment variable that names one cache for all projects."""


class CachePlace(NamedTuple):
    """Where the caches of a run lie."""

    folder: str | None = None
    """Absolute; of all projects. None: each project has its own, below its root."""

    def of(self, root: Path) -> str:
        """The folder for the project of a root."""
        return self.folder or f"{root}{os.sep}{FOLDER}"


def chosen_place(option: str | None, configured: str | None) -> CachePlace:
    """Settle the place: the option of the command line stands over the environment, that over the configuration.

    Args:
        option: Relative to the working directory, as what `PLEACH_CACHE_DIR` says; None and empty: not given.
        configured: Absolute; None: not configured.
    """
    said = option or os.environ.get(VARIABLE)
    return CachePlace(os.path.abspath(said) if said else configured)  # noqa: PTH100 - `Path` is not needed here
