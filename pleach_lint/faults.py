"""Faults that are not in the files that are checked, and how those of our own are named."""

from __future__ import annotations

from pathlib import Path


class WorkerError(Exception):
    """A process that could not begin to work."""


def named(error: Exception) -> str:
    """Name a fault by its type and place; its own text is not trusted, for it may hold a tree as deep as a file."""
    import traceback  # noqa: PLC0415 - only a fault pays for it

    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error: {type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
