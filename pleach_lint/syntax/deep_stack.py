"""Room for recursion: a thread with a large stack and a raised recursion limit."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_MEBIBYTE: Final = 1024 * 1024
_STACKS: Final = ((512 * _MEBIBYTE, 100_000), (64 * _MEBIBYTE, 12_000))
"""Bytes and the frames that fit, best first: a system that is short of address space may grant the second only."""
_here = threading.local()
_limits = threading.Lock()

ResultT = TypeVar("ResultT")


def with_deep_stack(function: Callable[[], ResultT]) -> ResultT:
    """Call `function` where tens of thousands of nested calls fit, and return or raise what it does.

    A call that is already there, or to which the system grants no such thread, runs in place. The recursion limit
    belongs to the whole process: other threads see it raised in the meantime, and wait for their turn here.
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
    """Call `run` on a thread of its own, or return False where the system grants none."""
    with _limits:
        size, limit = threading.stack_size(), sys.getrecursionlimit()
        try:
            return any(_ran(run, stack, max(limit, frames)) for stack, frames in _STACKS)
        finally:
            threading.stack_size(size)
            sys.setrecursionlimit(limit)


def _ran(run: Callable[[], None], stack: int, frames: int) -> bool:
    """Try one size of stack; the thread dies with the process, so that an interrupt ends both."""
    thread = threading.Thread(target=run, name="pleach-deep", daemon=True)
    try:
        threading.stack_size(stack)
        sys.setrecursionlimit(frames)
        thread.start()
    except (RuntimeError, ValueError):
        return False
    thread.join()
    return True
