"""Room for recursion: a thread with a large stack and a raised recursion limit."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_STACK_SIZES: Final = (512 * 1024 * 1024, 64 * 1024 * 1024)
"""Bytes, best first: a system that is short of address space may grant the second only."""
_FRAMES: Final = 100_000
_here = threading.local()

ResultT = TypeVar("ResultT")


def with_deep_stack(function: Callable[[], ResultT]) -> ResultT:
    """Call `function` where about 100,000 nested calls fit, and return or raise what it does.

    A call that is already there, or to which the system grants no such thread, runs in place. The recursion limit
    belongs to the whole process: other threads see it raised in the meantime.
    """
    results: list[ResultT] = []
    errors: list[BaseException] = []

    def run() -> None:
        _here.deep = True
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001 - the calling thread raises it
            errors.append(error)

    if getattr(_here, "deep", False) or not _ran_deep(run):
        return function()
    if errors:
        raise errors.pop()
    return results.pop()


def _ran_deep(run: Callable[[], None]) -> bool:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        thread = _started(run)
        if thread is not None:
            thread.join()
        return thread is not None
    finally:
        sys.setrecursionlimit(limit)


def _started(run: Callable[[], None]) -> threading.Thread | None:
    """Start a thread that dies with the process, or return None where the system grants none of the sizes."""
    usual = threading.stack_size()
    try:
        for size in _STACK_SIZES:
            thread = threading.Thread(target=run, name="pleach-deep", daemon=True)
            try:
                threading.stack_size(size)
                thread.start()
            except (RuntimeError, ValueError):
                continue
            return thread
    finally:
        threading.stack_size(usual)
    return None
