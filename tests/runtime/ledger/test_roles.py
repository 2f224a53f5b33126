"""The roles that `docs/postgres-roles.sql` makes: what each can do, and what it cannot."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from pleach_runtime.auditing.checks import problems_of
from pleach_runtime.errors import LedgerUnreadable
from pleach_runtime.ledger.archive import opened_archive
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import closing, intent, moment, row, turn_record, wish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.runtime.postgres import Server

SCRIPT = Path(__file__).parents[3] / "docs" / "postgres-roles.sql"
DATABASE = "audited"


async def open_once(url: str) -> None:
    """Make the tables."""
    await (await open_sql_ledger(url)).aclose()


@pytest.fixture(scope="module")
def audited(postgres_server: Server) -> Iterator[Server]:
    """Give a server with a database that was set up as the script says, with a service and a dashboard."""
    postgres_server.run("CREATE ROLE pleach_owner LOGIN")
    postgres_server.run(f"CREATE DATABASE {DATABASE}")
    postgres_server.run("GRANT USAGE, CREATE ON SCHEMA public TO pleach_owner", DATABASE)
    asyncio.run(open_once(postgres_server.url(DATABASE, "pleach_owner")))
    for _ in range(2):
        postgres_server.run(SCRIPT.read_text(), DATABASE)
    postgres_server.run("CREATE ROLE my_service LOGIN IN ROLE pleach_writer")
    postgres_server.run("CREATE ROLE my_dashboard LOGIN IN ROLE pleach_reader")
    yield postgres_server
    postgres_server.run(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    postgres_server.run("DROP ROLE my_service, my_dashboard, pleach_writer, pleach_reader, pleach_owner")


async def test_service_records(audited: Server) -> None:
    """A writer can do all that a runtime does: open, reserve, append, recover, close, read."""
    async with aclosing(await open_sql_ledger(audited.url(DATABASE, "my_service"))) as ledger:
        await ledger.open_turn(turn_record("t1", cap=2))
        answered = intent("m1", landing=True)
        await ledger.reserve(wish(answered))
        await ledger.append(row(answered))
        await ledger.reserve(wish(intent("m2")))
        assert len(await ledger.recover(started_before=moment(1), ended_at=moment(9), turn_id="t1")) == 1
        await ledger.close_turn("t1", closing())
        assert [cost.calls for cost in await ledger.rollup("t1")] == [2]


async def test_dashboard_reads(audited: Server) -> None:
    """A reader can open and read the ledger, and is refused when it records."""
    async with aclosing(await open_sql_ledger(audited.url(DATABASE, "my_dashboard"))) as ledger:
        assert await ledger.cap_leaks() == ()
        with pytest.raises(LedgerUnreadable, match="permission denied"):
            await ledger.open_turn(turn_record("t9"))


async def test_dashboard_audits(audited: Server) -> None:
    """A reader can look into the whole ledger."""
    async with aclosing(await open_sql_ledger(audited.url(DATABASE, "my_service"))) as ledger:
        await ledger.open_turn(turn_record("t5"))
    with opened_archive(audited.url(DATABASE, "my_dashboard")) as archive:
        assert "t5" in archive.turn_ids()
        assert problems_of(archive.turn("t5")) == ()


@pytest.mark.parametrize("role", ["my_service", "my_dashboard"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE harness_auditable_calls SET token_cost = 0",
        "DELETE FROM harness_auditable_calls",
        "TRUNCATE harness_auditable_calls",
        "ALTER TABLE harness_auditable_calls DISABLE TRIGGER USER",
        "DROP TABLE harness_auditable_calls",
        "DROP INDEX uq_hac_terminal",
        "SET session_replication_role = replica",
        "INSERT INTO harness_ledger_schema (version) VALUES (99)",
        "CREATE TABLE public.mine (n int)",
    ],
)
def test_nobody_changes(audited: Server, role: str, statement: str) -> None:
    """Neither can change, empty or unguard a table, or stop others from opening the ledger."""
    refused = pytest.raises(psycopg.errors.InsufficientPrivilege)
    with psycopg.connect(audited.url(DATABASE, role)) as connection, refused:
        connection.execute(statement.encode())
