"""What becomes of a write whose connection breaks, before or after the server made it permanent."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from pleach_runtime.errors import LedgerConflict, LedgerUnavailable, TerminalConflict, UnknownTurn
from pleach_runtime.events import Event
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.ledger.postgres import PostgresDatabase, lock_key
from pleach_runtime.ledger.records import Append, open_turn
from pleach_runtime.ledger.reservation import Granted
from pleach_runtime.ledger.sql import SqlLedger
from tests.runtime.builders import T0, UTILITY, closing, intent, moment, row, turn_record, wish
from tests.runtime.ledger.faults import FaultyDatabase
from tests.runtime.postgres import wait_for_a_waiter
from tests.runtime.stores import again

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pleach_runtime.audit import AuditableCall
    from tests.runtime.postgres import Server

WRITES = [
    pytest.param(lambda ledger: ledger.open_turn(turn_record("t2")), id="open_turn"),
    pytest.param(lambda ledger: ledger.begin(intent(call_class=UTILITY)), id="begin"),
    pytest.param(lambda ledger: ledger.reserve(wish(intent())), id="reserve"),
    pytest.param(lambda ledger: ledger.append(row(intent(call_class=UTILITY))), id="append"),
    pytest.param(lambda ledger: ledger.append_event(Event(kind="note", turn_id="t1", at=T0)), id="append_event"),
    pytest.param(lambda ledger: ledger.close_turn("t1", closing()), id="close_turn"),
]


def libpq_options(url: str) -> dict[str, str]:
    """Return the connection options in a URL."""
    return {name: str(value) for name, value in conninfo_to_dict(url).items()}


def faulty(url: str) -> FaultyDatabase:
    """Return a database that breaks when it is told to."""
    return FaultyDatabase(libpq_options(url))


async def footprint(ledger: SqlLedger) -> tuple[int, int]:
    """Return how many events and rows the turn holds."""
    return len(await ledger.events("t1")), len(await ledger.calls("t1"))


@pytest.mark.parametrize("fault", ["before commit", "after commit"])
class TestOneLoss:
    """The write is done again on a new connection, and has happened once."""

    @pytest.mark.parametrize("write", WRITES)
    async def test_happens_once(
        self, postgres_url: str, fault: str, write: Callable[[SqlLedger], Awaitable[object]]
    ) -> None:
        """A write that meets a broken connection leaves exactly what it leaves without one."""
        database = faulty(postgres_url)
        async with aclosing(await SqlLedger.opened(database)) as ledger:
            await ledger.open_turn(turn_record(cap=1))
            before = await footprint(ledger)
            database.faults.append(fault)
            await write(ledger)
            after = await footprint(ledger)
            assert database.faults == []
            assert sum(after) - sum(before) <= 1
            assert verify_chain("t1", await ledger.chain("t1")) == after[1]

    async def test_grant_is_still_ours(self, postgres_url: str, fault: str) -> None:
        """A reservation whose answer was lost is granted, not taken for somebody else's call in flight."""
        database = faulty(postgres_url)
        async with aclosing(await SqlLedger.opened(database)) as ledger:
            await ledger.open_turn(turn_record(cap=1))
            database.faults.append(fault)
            verdict = await ledger.reserve(wish(intent("m1")))
            assert isinstance(verdict, Granted)
            assert (verdict.slot_no, verdict.intent.attempt) == (1, 1)
            assert len(await ledger.events("t1")) == 1

    async def test_recovery(self, postgres_url: str, fault: str) -> None:
        """Recovery closes an attempt once."""
        database = faulty(postgres_url)
        async with aclosing(await SqlLedger.opened(database)) as ledger:
            await ledger.open_turn(turn_record(cap=1))
            await ledger.reserve(wish(intent("m1")))
            database.faults.append(fault)
            await ledger.recover(started_before=moment(1), ended_at=moment(9))
            assert [call.outcome for call in await ledger.calls("t1")] == ["unknown"]

    async def test_twice_in_a_row(self, postgres_url: str, fault: str) -> None:
        """A second loss is not hidden: the caller hears that the ledger is unavailable, and may ask again."""
        database = faulty(postgres_url)
        async with aclosing(await SqlLedger.opened(database)) as ledger:
            await ledger.open_turn(turn_record(cap=1))
            database.faults.extend([fault, fault])
            call = row(intent(call_class=UTILITY))
            with pytest.raises(LedgerUnavailable, match="closed the connection"):
                await ledger.append(call)
            await ledger.append(call)
            assert await ledger.calls("t1") == (call,)


class TestServer:
    """A server that cuts its clients off, or dies."""

    async def append_many(self, ledger: SqlLedger, acknowledged: list[AuditableCall]) -> None:
        """Append rows one after the other, and note those that the ledger confirmed."""
        for _ in range(40):
            call = row(intent(call_class=UTILITY))
            with suppress(LedgerUnavailable):
                await ledger.append(call)
                acknowledged.append(call)

    async def test_cut_off_while_appending(self, postgres_url: str) -> None:
        """Every row that was confirmed while connections were cut is there once, in an unbroken chain."""
        acknowledged: list[AuditableCall] = []
        async with aclosing(await open_sql_ledger(postgres_url)) as ledger:
            await ledger.open_turn(turn_record())
            appending = [asyncio.create_task(self.append_many(ledger, acknowledged)) for _ in range(3)]
            for _ in range(10):
                await asyncio.sleep(0.02)
                await asyncio.to_thread(end_connections, postgres_url)
            await asyncio.gather(*appending)
            calls = await ledger.calls("t1")
            assert {call.call_id for call in acknowledged} <= {call.call_id for call in calls}
            assert verify_chain("t1", await ledger.chain("t1")) == len(calls) >= 20

    async def test_crash(self, postgres_server: Server, postgres_url: str) -> None:
        """Rows that were confirmed before the server died are there when it is back; in between nothing is accepted."""
        async with aclosing(await open_sql_ledger(postgres_url)) as ledger:
            await ledger.open_turn(turn_record())
            call = row(intent(call_class=UTILITY))
            await ledger.append(call)
            postgres_server.stop(signal.SIGQUIT)
            with pytest.raises(LedgerUnavailable):
                await ledger.append(row(intent(call_class=UTILITY)))
            postgres_server.start()
            assert await ledger.calls("t1") == (call,)


class TestOtherWriters:
    """Programs that write to the tables without the locks."""

    async def test_terminal_in_between(self, postgres_url: str) -> None:
        """A terminal row that slips in past the locks is a terminal conflict, not a driver's error."""
        async with aclosing(await open_sql_ledger(postgres_url)) as ledger:
            await ledger.open_turn(turn_record("t1"))
            await ledger.open_turn(turn_record("t2"))
            await ledger.append(row(intent(turn_id="t2", landing=True)))
            with psycopg.connect(postgres_url) as intruder:
                intruder.execute(again("harness_auditable_calls", call_id="'x'", turn_id="'t1'").encode())
                late = asyncio.create_task(ledger.append(row(intent(landing=True))))
                await asyncio.to_thread(wait_for_a_waiter, postgres_url)
            with pytest.raises(TerminalConflict, match="'t1' has a terminal row"):
                await late

    async def test_same_call_in_between(self, postgres_url: str) -> None:
        """A call id that slips in under another turn is a conflict."""
        async with aclosing(await open_sql_ledger(postgres_url)) as ledger:
            await ledger.open_turn(turn_record("t1"))
            await ledger.open_turn(turn_record("t2"))
            await ledger.append(row(intent("m2", turn_id="t2")))
            call = row(intent("m1", call_class=UTILITY))
            stolen = {"call_id": f"'{call.call_id}'", "chain_pos": "2", "attempt": "2"}
            with psycopg.connect(postgres_url) as intruder:
                intruder.execute(again("harness_auditable_calls", **stolen).encode())
                late = asyncio.create_task(ledger.append(call))
                await asyncio.to_thread(wait_for_a_waiter, postgres_url)
            with pytest.raises(LedgerConflict, match=f"call_id '{call.call_id}'"):
                await late

    async def test_same_call_while_comparing(self, postgres_url: str) -> None:
        """A call id that slips in while the rows are compared one by one is a conflict as well."""
        call = row(intent("m1", call_class=UTILITY))
        job = Append([call])
        with contextlib.closing(PostgresDatabase(libpq_options(postgres_url)).connect()) as connection:
            with pytest.raises(UnknownTurn):
                job(connection)
            open_turn(connection, turn_record("t1"))
            open_turn(connection, turn_record("t2"))
            Append([row(intent("m2", turn_id="t2"))])(connection)
            stolen = {"call_id": f"'{call.call_id}'", "chain_pos": "2", "attempt": "2"}
            with psycopg.connect(postgres_url) as intruder:
                intruder.execute(again("harness_auditable_calls", **stolen).encode())
                late = asyncio.create_task(asyncio.to_thread(job, connection))
                await asyncio.to_thread(wait_for_a_waiter, postgres_url)
            with pytest.raises(LedgerConflict, match=f"call_id '{call.call_id}'"):
                await late

    async def test_turn_in_between(self, postgres_url: str) -> None:
        """A turn that another process opens while we wait for its lock is resumed with that one's cap."""
        async with aclosing(await open_sql_ledger(postgres_url)) as ledger:
            await ledger.open_turn(turn_record("t2", cap=7))
            with psycopg.connect(postgres_url) as other:
                other.execute("SELECT pg_advisory_xact_lock(%s)", [lock_key("t1")])
                late = asyncio.create_task(ledger.open_turn(turn_record("t1", cap=1)))
                await asyncio.to_thread(wait_for_a_waiter, postgres_url)
                shown = {"turn_id": "'t1'", "turn_message_id": "'t1-shown'"}
                other.execute(again("harness_turns", **shown).encode())
            assert ((await late).resumed, (await late).record.synthesize_cap) == (True, 7)


def end_connections(url: str) -> None:
    """Cut off every ledger."""
    with psycopg.connect(url) as superuser:
        superuser.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pleach'")
