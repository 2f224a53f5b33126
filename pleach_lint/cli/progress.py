"""A progress bar on stderr, for people who wait."""

from __future__ import annotations

import sys
import time
from typing import Final

_PATIENCE: Final = 1.0
"""Seconds of work before the bar appears."""
_PAUSE: Final = 0.1
"""Seconds between two drawings of it."""
_WIDTH: Final = 30
"""Characters of it."""


class Progress:
    """A bar that appears when the work takes long, and leaves no trace."""

    def __init__(self, total: int, *, visible: bool) -> None:
        """Wait for `total` files; an invisible bar never appears."""
        self._total = total
        self._next = time.monotonic() + _PATIENCE if visible else float("inf")
        self._drawn = 0
        """Characters on the screen."""

    def advance(self, done: int) -> None:
        """Say how many files are done, as often as you like."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self._draw(done)

    def _draw(self, done: int) -> None:
        filled = _WIDTH * done // max(self._total, 1)
        line = f"[{'#' * filled}{' ' * (_WIDTH - filled)}] {done}/{self._total} files"
        self._drawn = len(line)
        sys.stderr.write(f"\r{line}")
        sys.stderr.flush()

    def erase(self) -> None:
        """Leave the line as if nothing had been there."""
        if self._drawn:
            sys.stderr.write(f"\r{' ' * self._drawn}\r")
            sys.stderr.flush()
