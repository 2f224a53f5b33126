"""Single flight: many deliveries of one message, one task. What the task does is decided in the lanes."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    hurry: Callable[[], None]
    """Frees it from whoever could hold it up for ever, such as a reader who has stopped reading."""
    waiting: int = 0


class FlightBoard:
    """The messages that are being answered. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[FlightKey, Flight] = {}
        self._under_way: set[Flight] = set()

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
        """Start answering a message, in a task of its own. It must not be under way on that loop."""
        flight = Flight(key, request_digest, key.loop.create_task(work()), hurry)
        with self._lock:
            self._flights[key] = flight
            self._under_way.add(flight)
        flight.task.add_done_callback(lambda _: self._ended(flight))
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
        while flights := [flight for flight in tuple(self._under_way) if flight.key.loop is loop]:
            for flight in flights:
                flight.hurry()
            await asyncio.wait([flight.task for flight in flights])
            await asyncio.sleep(0)

    def _forget(self, flight: Flight) -> None:
        with self._lock:
            if self._flights.get(flight.key) is flight:
                del self._flights[flight.key]

    def _ended(self, flight: Flight) -> None:
        self._forget(flight)
        with self._lock:
            self._under_way.discard(flight)
        if not flight.task.cancelled():
            # Every waiter may be gone; asyncio logs an exception that nobody has looked at.
            flight.task.exception()
