"""Copies of this process, each of which computes one value for it. For short work: a copy is made in no time."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

ValueT = TypeVar("ValueT")


def may_fork() -> bool:
    """Whether a process can begin as a copy of this one: safe where this one has but one thread, which Linux tells."""
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - the names alone
    except OSError:
        return False


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
