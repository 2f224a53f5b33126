"""What is under way: many deliveries of one message, one task. What the task does is decided in the lanes."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.errors import RuntimeClosed

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from pleach_runtime.seams.seam import CallRecord


def _nothing() -> None:
    """Hurry nobody."""


@dataclass(frozen=True)
class FlightKey:
    """A message under way on one event loop; other loops and processes meet it in the ledger."""

    loop: asyncio.AbstractEventLoop
    turn_id: str
    message_id: str


@dataclass(eq=False)
class Flight:
    """One task, and those who wait for it."""

    key: FlightKey
    request_digest: str
    task: asyncio.Task[CallRecord]
    waiting: int = 0


class UnderWay:
    """A call that has begun on a loop, whoever runs it.

    Args:
        loop: the loop.
        hurry: frees it from whoever could hold it up for ever, such as a reader who has stopped reading.
    """

    __slots__ = ("ended", "hurry", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, hurry: Callable[[], None]) -> None:
        self.loop = loop
        self.hurry = hurry
        # Made when somebody waits: hardly a call is waited for.
        self.ended: asyncio.Future[None] | None = None

    def end(self) -> asyncio.Future[None]:
        """Return what tells that it is over."""
        if self.ended is None:
            self.ended = self.loop.create_future()
        return self.ended


class FlightBoard:
    """The calls that are under way, and which message each answers. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[FlightKey, Flight] = {}
        self._under_way: set[UnderWay] = set()
        self._closed = False

    def close(self) -> None:
        """Let no further call begin."""
        self._closed = True

    def begin(self, hurry: Callable[[], None] = _nothing) -> UnderWay:
        """Note that a call begins on the running loop. Whoever calls this calls `end` however the call ends.

        Raises:
            RuntimeClosed: if no further call may begin.
        """
        under_way = UnderWay(asyncio.get_running_loop(), hurry)
        # Without the lock, which every call would pay for: to add one, to remove one and to copy all are each one step.
        # Added before the look at `_closed`, so that whoever closes sees it or is seen.
        self._under_way.add(under_way)
        if self._closed:
            self._under_way.discard(under_way)
            raise RuntimeClosed("the runtime is closed")
        return under_way

    def end(self, under_way: UnderWay) -> None:
        """Note that a call is over. On its loop."""
        self._under_way.discard(under_way)
        if under_way.ended is not None:
            under_way.ended.set_result(None)

    def find(self, key: FlightKey) -> Flight | None:
        """Return the flight of a message, or `None` if it is not under way on that loop."""
        return self._flights.get(key)

    def start(
        self,
        key: FlightKey,
        request_digest: str,
        work: Callable[[], Coroutine[object, object, CallRecord]],
        hurry: Callable[[], None] = _nothing,
    ) -> Flight:
        """Start answering a message, in a task of its own. It must not be under way on that loop.

        Raises:
            RuntimeClosed: if no further call may begin.
        """
        under_way = self.begin(hurry)
        flight = Flight(key, request_digest, key.loop.create_task(work()))
        with self._lock:
            self._flights[key] = flight
        flight.task.add_done_callback(lambda _: self._ended(flight, under_way))
        return flight

    async def join(self, flight: Flight) -> CallRecord:
        """Wait for the answer. If every waiter is cancelled, so is the flight, and the last one sees it end."""
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        except asyncio.CancelledError:
            if flight.waiting == 1 and not flight.task.done():
                # Off the board first: a new delivery must not join a flight that is being cancelled.
                self._forget(flight)
                flight.task.cancel()
                await asyncio.wait([flight.task])
            raise
        finally:
            flight.waiting -= 1

    async def all_landed(self) -> None:
        """Wait until nothing that was started on the running loop is under way, and let nobody hold it up meanwhile."""
        loop = asyncio.get_running_loop()
        while calls := [call for call in tuple(self._under_way) if call.loop is loop]:
            for call in calls:
                call.hurry()
            await asyncio.wait([call.end() for call in calls])
            await asyncio.sleep(0)

    def _forget(self, flight: Flight) -> None:
        with self._lock:
            if self._flights.get(flight.key) is flight:
                del self._flights[flight.key]

    def _ended(self, flight: Flight, under_way: UnderWay) -> None:
        self._forget(flight)
        self.end(under_way)
        if not flight.task.cancelled():
            # Every waiter may be gone; asyncio logs an exception that nobody has looked at.
            flight.task.exception()
