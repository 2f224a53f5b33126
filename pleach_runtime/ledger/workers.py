"""The threads that own the connections of a SQL ledger. What they run is given to them as jobs."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from pleach_runtime.errors import LedgerUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.ledger.connection import Connection, Database

ResultT = TypeVar("ResultT")


class Workers:
    """Runs jobs on threads that each keep one connection, for callers on any thread and any event loop.

    Threads rather than a driver's own coroutines: a connection of an event loop dies with it, and ledgers outlive
    loops; SQLite has no coroutines at all; and both databases share one body of code.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._closed = False
        self._inherited: list[object] = []
        self._start()

    async def run(self, job: Callable[[Connection], ResultT]) -> ResultT:
        """Run a job and return its result. If the caller is cancelled, a job that has begun is still finished.

        Raises:
            LedgerError: as the job does; or what an error of the driver means.
        """
        return await asyncio.wrap_future(self.submit(job))

    def submit(self, job: Callable[[Connection], ResultT]) -> Future[ResultT]:
        """Queue a job, and return its result to come."""
        if self._closed:
            raise LedgerUnavailable(f"{self._database.address}: the ledger is closed")
        if os.getpid() != self._process:
            # The threads stayed with the parent, and closing its connections would cut it off.
            self._inherited.append((self._threads, self._connections))
            self._start()
        return self._threads.submit(self._work, job)

    def close(self) -> None:
        """Finish the queued jobs, then close all connections. A second call does nothing."""
        self._closed = True
        if os.getpid() == self._process:
            self._threads.shutdown()
            while self._connections:
                self._connections.pop().close()

    def _start(self) -> None:
        self._process = os.getpid()
        self._threads = ThreadPoolExecutor(self._database.threads, thread_name_prefix="pleach-ledger")
        self._connections: list[Connection] = []
        self._own = _Own()

    def _work(self, job: Callable[[Connection], ResultT]) -> ResultT:
        try:
            try:
                return job(self._connection())
            except self._database.error as error:
                if not self._is_worth_repeating(error):
                    raise
            # Jobs are written so that they find what a first run recorded, even if nobody heard of its end.
            return job(self._connection())
        except self._database.error as error:
            raise self._database.meaning(error) from error

    def _is_worth_repeating(self, error: Exception) -> bool:
        connection = self._own.connection
        return connection is not None and (connection.is_lost or self._database.is_collision(error))

    def _connection(self) -> Connection:
        connection = self._own.connection
        if connection is None or connection.is_lost:
            connection = self._own.connection = self._database.connect()
            self._connections.append(connection)
        return connection


class _Own(threading.local):
    connection: Connection | None = None
