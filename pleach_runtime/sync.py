"""The runtime for code without an event loop: the same coroutines, on one background loop."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from pleach_runtime.errors import RuntimeClosed, SyncFromAsyncError
from pleach_runtime.sync_stream import SyncStream

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Iterable
    from contextlib import AbstractAsyncContextManager

    from typing_extensions import Self

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.ledger.protocol import ClassCost
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.runtime import SessionRuntime
    from pleach_runtime.seams.classes import C
    from pleach_runtime.seams.seam import ProviderSeam, SeamResult
    from pleach_runtime.streams.verdicts import StreamObserver
    from pleach_runtime.turn import Turn

T = TypeVar("T")


class Errand(Generic[T]):
    """A coroutine that another thread waits for.

    Unlike with asyncio's own bridge, the wait can be interrupted anywhere: there is no moment at which the coroutine
    runs and nobody knows how to cancel it.
    """

    def __init__(self, work: Callable[[], Coroutine[object, object, T]]) -> None:
        self.outcome: Future[T] = Future()
        self._work = work
        self._task: asyncio.Task[T] | None = None

    def start(self) -> None:
        """Start the coroutine. On the loop."""
        self._task = asyncio.get_running_loop().create_task(self._work())
        self._task.add_done_callback(self._finish)

    def abandon(self) -> None:
        """Cancel the coroutine if it was started. On the loop."""
        if self._task is not None:
            self._task.cancel()

    def _finish(self, task: asyncio.Task[T]) -> None:
        if task.cancelled():
            self.outcome.cancel()
            return
        error = task.exception()
        if error is not None:
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(task.result())


class BackgroundLoop:
    """An event loop in a daemon thread. One loop for all calls: pooled clients do not survive a loop per call."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._waiting = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="pleach-sync", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run a coroutine on the loop and wait for it. If the wait is interrupted, the coroutine is cancelled.

        Raises:
            SyncFromAsyncError: if an event loop is running in this thread, which the wait would block.
            RuntimeClosed: if the loop was stopped, or stayed with the process that this one was forked from.
        """
        if _has_running_loop():
            raise SyncFromAsyncError("this thread runs an event loop: await the async API instead")
        if self._process != os.getpid():
            raise RuntimeClosed("the runtime stayed with the process that was forked: boot one in each process")
        errand = Errand(work)
        with self._loop_kept():
            try:
                self._loop.call_soon_threadsafe(errand.start)
                return errand.outcome.result()
            except BaseException:
                self._loop.call_soon_threadsafe(errand.abandon)
                raise

    @property
    def is_running(self) -> bool:
        """Whether the loop runs in this process, and was not stopped yet."""
        return self._process == os.getpid() and not self._stopping

    def stop(self) -> None:
        """Wait until no thread waits for the loop, and stop it. A second call only waits for the first."""
        with self._changed:
            is_first, self._stopping = not self._stopping, True
            self._changed.wait_for(lambda: not self._waiting)
        if is_first:
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        if is_first:
            self._loop.close()

    @contextmanager
    def _loop_kept(self) -> Generator[None]:
        """Keep the loop from being stopped while a thread waits for it."""
        with self._changed:
            if self._stopping:
                raise RuntimeClosed("the runtime is closed")
            self._waiting += 1
        try:
            yield
        finally:
            with self._changed:
                self._waiting -= 1
                self._changed.notify_all()


class SyncTurn:
    """A turn for code without an event loop. See `Turn`."""

    def __init__(self, turn: Turn, background: BackgroundLoop) -> None:
        self.turn = turn
        self._background = background

    def invoke(
        self,
        seam: ProviderSeam[C],
        request: SeamRequest,
        *,
        stage_id: str,
        message_id: str | None = None,
        landing: bool | None = None,
    ) -> SeamResult[C]:
        """See `ProviderSeam.invoke`."""
        return self._background.run(
            lambda: seam.invoke(request, turn=self.turn, stage_id=stage_id, message_id=message_id, landing=landing)
        )

    @contextmanager
    def stream(  # noqa: PLR0913 - those of `ProviderSeam.stream`
        self,
        seam: ProviderSeam[C],
        request: SeamRequest,
        *,
        stage_id: str,
        message_id: str | None = None,
        landing: bool | None = None,
        observers: Iterable[StreamObserver] = (),
    ) -> Generator[SyncStream[C]]:
        """See `ProviderSeam.stream`: `with turn.stream(...) as stream`. Observers are called on another thread."""
        opened = seam.stream(
            request,
            turn=self.turn,
            stage_id=stage_id,
            message_id=message_id,
            landing=landing,
            observers=observers,
        )
        stream = self._background.run(lambda: _entered(opened))
        try:
            yield SyncStream(stream, self._background)
        finally:
            self._background.run(lambda: _left(opened))

    def calls(self) -> tuple[AuditableCall, ...]:
        """See `Turn.calls`."""
        return self._background.run(self.turn.calls)

    def rollup(self) -> tuple[ClassCost, ...]:
        """See `Turn.rollup`."""
        return self._background.run(self.turn.rollup)

    def close(self, *, passthrough: bool = False) -> None:
        """See `Turn.close`."""
        self._background.run(lambda: self.turn.close(passthrough=passthrough))


class SyncRuntime:
    """A runtime for code without an event loop, usable from many threads at once. See `SessionRuntime`."""

    def __init__(self, runtime: SessionRuntime, background: BackgroundLoop, *, owns_runtime: bool = False) -> None:
        self.runtime = runtime
        self._background = background
        self._owns_runtime = owns_runtime

    @contextmanager
    def turn(
        self, *, chat_id: str, turn_id: str | None = None, turn_message_id: str | None = None
    ) -> Generator[SyncTurn]:
        """See `SessionRuntime.turn`."""
        opened = self._background.run(
            lambda: self.runtime.open_turn(chat_id=chat_id, turn_id=turn_id, turn_message_id=turn_message_id)
        )
        turn = SyncTurn(opened, self._background)
        try:
            yield turn
        finally:
            turn.close()

    def close(self) -> None:
        """Stop, and close the runtime too if it was booted by `Boot.sync`. A second call does nothing."""
        if self._owns_runtime and self._background.is_running:
            self._owns_runtime = False
            self._background.run(self.runtime.aclose)
        self.stop()

    def stop(self) -> None:
        """Wait for what is under way on the background loop, and stop it. A second call does nothing."""
        if self._background.is_running:
            # Another thread may stop it at the same moment.
            with suppress(RuntimeClosed):
                self._background.run(self.runtime.settle)
            self._background.stop()

    def __enter__(self) -> Self:
        """Return the runtime; leaving the block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the runtime."""
        self.close()


async def _entered(opened: AbstractAsyncContextManager[T]) -> T:
    return await opened.__aenter__()


async def _left(opened: AbstractAsyncContextManager[object]) -> None:
    await opened.__aexit__(None, None, None)


def _has_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
