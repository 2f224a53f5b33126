"""Copies of this process, each of which computes one value for it. For short work: a copy is made in no time."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ItemT = TypeVar("ItemT")
ValueT = TypeVar("ValueT")

_WIDTH: Final = 4
"""Bytes of the number by which items are taken."""
_MOST_HANDS: Final = 512
"""About how many times items are taken; all these numbers fit into a pipe."""


def may_fork() -> bool:
    """Whether a process can begin as a copy of this one: safe where this one has but one thread, which Linux tells."""
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - the names alone
    except OSError:
        return False


def deal(
    items: Sequence[ItemT],
    processes: int,
    work: Callable[[Iterator[tuple[int, ItemT]]], ValueT],
    *,
    beside: Callable[[], None] = lambda: None,
) -> tuple[ValueT, ...]:
    """Have this process and copies of it work on items, each taking the next ones when it has done what it took.

    Args:
        items: Each is taken by one process, unless one dies too early.
        processes: How many, from 1 up; more than one where `may_fork` holds.
        work: What each process does with the items that it takes, with their indexes. What it returns can be pickled.
        beside: What this process has to do besides; the copies take items meanwhile.

    Returns:
        What came of the work of each process, of this one first. Copies that died, or failed, are left out.
    """
    reader, writer = os.pipe()
    size = len(items) // _MOST_HANDS + 1
    os.write(writer, b"".join(start.to_bytes(_WIDTH, "big") for start in range(0, len(items), size)))
    os.close(writer)

    def dealt() -> Iterator[tuple[int, ItemT]]:
        while token := os.read(reader, _WIDTH):
            start = int.from_bytes(token, "big")
            yield from enumerate(items[start : start + size], start)

    copies = [Copy(lambda: work(dealt())) for _ in range(1, processes)]
    try:
        beside()
        own = work(dealt())
        return (own, *(value for copy in copies if (value := copy.value()) is not None))
    finally:
        os.close(reader)
        for copy in copies:
            copy.stop()


class Copy(Generic[ValueT]):
    """A copy of this process that computes a value and ends. Ctrl-C does not reach it; who made it stops it."""

    def __init__(self, compute: Callable[[], ValueT]) -> None:
        """Begin at once. The value must be one that can be pickled; `may_fork` must hold."""
        self._receiver, sender = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.pid = os.fork()
        if not self.pid:
            _send_and_end(compute, sender)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(sender)

    def value(self) -> ValueT | None:
        """Wait for the value; None when the copy died, or failed, before it had one."""
        import pickle  # noqa: PLC0415 - most runs make no copy

        with open(self._receiver, "rb", closefd=False) as pipe:
            sent = pipe.read()
        try:
            value: ValueT = pickle.loads(sent)  # noqa: S301 - from our own copy
        except (EOFError, pickle.UnpicklingError):
            return None
        return value

    def stop(self) -> None:
        """End the copy, whatever it is doing."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._receiver)


def _send_and_end(compute: Callable[[], object], sender: int) -> None:
    import pickle  # noqa: PLC0415 - most runs make no copy

    try:
        with open(sender, "wb") as pipe:
            pipe.write(pickle.dumps(compute()))
    finally:
        os._exit(0)
