"""Single flight: many deliveries of one message, one task. What the task does is decided in the lanes."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from pleach_runtime.seams.seam import CallRecord


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


class FlightBoard:
    """The messages that are being answered. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[FlightKey, Flight] = {}
        self._tasks: set[asyncio.Task[CallRecord]] = set()

    def find(self, key: FlightKey) -> Flight | None:
        """Return the flight of a message, or `None` if it is not under way on that loop."""
        return self._flights.get(key)

    def start(
        self, key: FlightKey, request_digest: str, work: Callable[[], Coroutine[object, object, CallRecord]]
    ) -> Flight:
        """Start answering a message, in a task of its own. It must not be under way on that loop."""
        flight = Flight(key, request_digest, key.loop.create_task(work()))
        with self._lock:
            self._flights[key] = flight
            self._tasks.add(flight.task)
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
        """Wait until nothing that was started on the running loop is under way."""
        loop = asyncio.get_running_loop()
        while tasks := [task for task in tuple(self._tasks) if task.get_loop() is loop]:
            await asyncio.wait(tasks)
            await asyncio.sleep(0)

    def _forget(self, flight: Flight) -> None:
        with self._lock:
            if self._flights.get(flight.key) is flight:
                del self._flights[flight.key]

    def _ended(self, flight: Flight) -> None:
        self._forget(flight)
        with self._lock:
            self._tasks.discard(flight.task)
        if not flight.task.cancelled():
            # Every waiter may be gone; asyncio logs an exception that nobody has looked at.
            flight.task.exception()
