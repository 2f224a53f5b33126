"""The ledger in a SQL database: the Protocol's coroutines over the jobs of `records.py`. Holds no SQL."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, cast

from pleach_runtime.ledger import records
from pleach_runtime.ledger.columns import cost_from, event_from, link_from
from pleach_runtime.ledger.protocol import CapLeak, TerminalLeak
from pleach_runtime.ledger.workers import Workers
from pleach_runtime.seams.classes import CALL_CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from typing_extensions import Self

    from pleach_runtime.audit import AuditableCall, CallIntent
    from pleach_runtime.events import Event
    from pleach_runtime.ledger.chain import ChainLink
    from pleach_runtime.ledger.columns import Columns, Row
    from pleach_runtime.ledger.connection import Database
    from pleach_runtime.ledger.protocol import AppendOutcome, ClassCost, OpenedTurn, TurnRecord
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.ledger.statements import Statements


class SqlLedger:
    """A ledger in a SQLite file or a PostgreSQL database; `open_ledger` makes one from a URL.

    What a method recorded is there after a kill -9 of every process. Any number of threads, event loops and processes
    may share the database; each process opens it for itself, and a fork of a process that has it open may go on.
    """

    def __init__(self, database: Database) -> None:
        self._address = database.address
        self._workers = Workers(database)

    @classmethod
    async def opened(cls, database: Database) -> Self:
        """Connect, make the tables if there are none, and return the ledger.

        Raises:
            LedgerUnavailable: if the database cannot be opened.
            LedgerSchemaMismatch: if its tables are of another version.
        """
        ledger = cls(database)
        try:
            await ledger._workers.run(lambda _: None)
        except BaseException:
            await ledger.aclose()
            raise
        return ledger

    def __repr__(self) -> str:
        """Say where the ledger is, without a password."""
        return f"<{type(self).__name__} {self._address}>"

    async def open_turn(self, turn: TurnRecord, /) -> OpenedTurn:
        """See `LedgerWriter.open_turn`."""
        return await self._workers.run(lambda connection: records.open_turn(connection, turn))

    async def close_turn(self, turn_id: str, event: Event, /) -> None:
        """See `LedgerWriter.close_turn`."""
        write_id = _new_id()
        await self._workers.run(lambda connection: records.close_turn(connection, turn_id, event, write_id))

    async def begin(self, intent: CallIntent, /) -> None:
        """See `LedgerWriter.begin`."""
        write_id = _new_id()
        await self._workers.run(lambda connection: records.begin(connection, intent, write_id))

    async def reserve(self, wish: Reservation, /) -> ReservationVerdict:
        """See `LedgerWriter.reserve`."""
        write_id = _new_id()
        return await self._workers.run(lambda connection: records.reserve(connection, wish, write_id))

    async def append(self, row: AuditableCall, /) -> AppendOutcome:
        """See `LedgerWriter.append`."""
        (outcome,) = await self.append_all([row])
        return outcome

    async def append_all(self, rows: Sequence[AuditableCall], /) -> tuple[AppendOutcome, ...]:
        """Record rows as `append` does, in order and in one transaction: all of them, or none.

        Raises:
            UnknownTurn: if a turn was never opened here.
            TerminalConflict: as for `append`.
            LedgerConflict: as for `append`.
        """
        return await self._workers.run(records.Append(rows))

    async def append_event(self, event: Event, /) -> None:
        """See `LedgerWriter.append_event`."""
        write_id = _new_id()
        await self._workers.run(lambda connection: records.append_event(connection, event, write_id))

    async def recover(
        self, *, started_before: datetime, ended_at: datetime, turn_id: str | None = None
    ) -> tuple[AuditableCall, ...]:
        """See `LedgerWriter.recover`."""
        return await self._workers.run(
            lambda connection: records.recover(connection, started_before, ended_at, turn_id)
        )

    async def aclose(self) -> None:
        """Finish what was begun and close the database."""
        await asyncio.get_running_loop().run_in_executor(None, self._workers.close)

    async def calls(self, turn_id: str, /) -> tuple[AuditableCall, ...]:
        """See `LedgerReader.calls`."""
        return tuple(link.row for link in await self.chain(turn_id))

    async def events(self, turn_id: str | None = None, /) -> tuple[Event, ...]:
        """See `LedgerReader.events`."""
        if turn_id is None:
            return tuple(map(event_from, await self._fetch(lambda known: known.stray_events, {})))
        return tuple(map(event_from, await self._fetch(lambda known: known.events, {"turn_id": turn_id})))

    async def chain(self, turn_id: str, /) -> tuple[ChainLink, ...]:
        """See `LedgerReader.chain`.

        Raises:
            ChainBroken: if somebody changed a row so that it is no longer one.
        """
        return tuple(map(link_from, await self._fetch(lambda known: known.calls, {"turn_id": turn_id})))

    async def rollup(self, turn_id: str, /) -> tuple[ClassCost, ...]:
        """See `LedgerReader.rollup`."""
        costs = map(cost_from, await self._fetch(lambda known: known.rollup, {"turn_id": turn_id}))
        return tuple(sorted(costs, key=lambda cost: CALL_CLASSES.index(cost.call_class)))

    async def cap_leaks(self) -> tuple[CapLeak, ...]:
        """See `LedgerReader.cap_leaks`."""
        leaks = cast("list[tuple[str, int, int]]", await self._fetch(lambda known: known.cap_leaks, {}))
        return tuple(CapLeak(*leak) for leak in sorted(leaks))

    async def terminal_leaks(self) -> tuple[TerminalLeak, ...]:
        """See `LedgerReader.terminal_leaks`."""
        terminal: dict[str, list[str]] = {}
        for turn_id, call_id in cast(
            "list[tuple[str, str]]", await self._fetch(lambda known: known.terminal_leaks, {})
        ):
            terminal.setdefault(turn_id, []).append(call_id)
        return tuple(TerminalLeak(turn_id, tuple(terminal[turn_id])) for turn_id in sorted(terminal))

    async def _fetch(self, query: Callable[[Statements], str], parameters: Columns) -> list[Row]:
        return await self._workers.run(lambda connection: connection.fetch(query(connection.statements), parameters))


def _new_id() -> str:
    return uuid.uuid4().hex
