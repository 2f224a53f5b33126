"""What is asked of a ledger: documented SQL as written, the plans, the leaks, and the marks of a changed row."""

# ruff: noqa: S608 - the statements are the tests' own
from __future__ import annotations

import sqlite3
from contextlib import aclosing, asynccontextmanager, closing
from typing import TYPE_CHECKING

import psycopg
import pytest

from pleach_runtime.errors import ChainBroken
from pleach_runtime.ledger import CapLeak, TerminalLeak
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import CONVERSE, SYNTHESIZE, UTILITY, intent, row, turn_record, wish
from tests.runtime.stores import PostgresStore, SqliteStore, drop_guards

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pleach_runtime.ledger.sql import SqlLedger
    from tests.runtime.stores import Store

DOCUMENTED_ROLLUP = """
SELECT call_class, SUM(token_cost)
FROM harness_auditable_calls
WHERE turn_id = $1
GROUP BY call_class
"""
COSTS = {UTILITY: 7, SYNTHESIZE: 100}
OUR_ROLLUP = """
SELECT call_class, COUNT(*), SUM(token_cost), COUNT(*) - COUNT(token_cost)
FROM harness_auditable_calls WHERE turn_id = 't9' GROUP BY call_class
"""


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[SqlLedger]:
    """Open a ledger in a store with two turns in it, each with one landed answer."""
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        for turn_id in ("t1", "t2"):
            await ledger.open_turn(turn_record(turn_id))
            answer = intent("m1", turn_id=turn_id, landing=True)
            await ledger.reserve(wish(answer))
            await ledger.append(row(answer))
        yield ledger


def multiply(store: Store, turns: int) -> None:
    """Copy the rows of the first turn to many turns, past the runtime."""
    series = f"(WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < {turns}) SELECT i FROM n)"
    columns = "chat_id, turn_message_id, runtime_id, max_synthesize_per_turn, opened_at"
    calls = (
        "chat_id, turn_message_id, message_id, attempt, call_class, stage_id, family, provider, requested_model,"
        "fingerprint, outcome, usage_estimated, token_cost, cache_hit, terminal_synthesis, synthesis_quality,"
        "started_at, ended_at, chain_pos, prev_hash, row_hash"
    )
    store.run(
        f"INSERT INTO harness_turns (turn_id, {columns})"
        f" SELECT 't' || i, {columns} FROM harness_turns, {series} AS n WHERE turn_id = 't1'",
        f"INSERT INTO harness_auditable_calls (call_id, turn_id, {calls})"
        f" SELECT 'copy-' || i, 't' || i, {calls} FROM harness_auditable_calls, {series} AS n WHERE turn_id = 't1'",
    )


class TestDocumentedSql:
    """The SQL in the documentation of Pleach."""

    async def test_on_sqlite(self, tmp_path: Path) -> None:
        """The documented rollup runs as written on the file."""
        store = SqliteStore(tmp_path / "audit.db")
        async with opened(store) as ledger:
            await ledger.append(row(intent(call_class=UTILITY), cost=7))
        with closing(sqlite3.connect(store.path)) as connection:
            assert dict(connection.execute(DOCUMENTED_ROLLUP, {"1": "t1"})) == COSTS

    async def test_on_postgres(self, postgres_url: str) -> None:
        """The documented rollup runs as written on the server."""
        async with opened(PostgresStore(postgres_url)) as ledger:
            await ledger.append(row(intent(call_class=UTILITY), cost=7))
        with psycopg.connect(postgres_url) as connection:
            found = psycopg.RawCursor(connection).execute(DOCUMENTED_ROLLUP, ["t1"])
            assert dict(found.fetchall()) == COSTS


class TestPlans:
    """How the databases find the rows of a turn."""

    async def test_rollup_on_sqlite(self, tmp_path: Path) -> None:
        """The rollup is one range scan of one index that holds all it needs."""
        store = SqliteStore(tmp_path / "audit.db")
        async with opened(store):
            multiply(store, 50)
        plan = store.explain(OUR_ROLLUP)
        assert plan == "SEARCH harness_auditable_calls USING COVERING INDEX ix_hac_rollup (turn_id=?)"

    async def test_rollup_on_postgres(self, postgres_url: str) -> None:
        """The rollup is one range scan of one index that holds all it needs, without a sort."""
        store = PostgresStore(postgres_url)
        async with opened(store):
            multiply(store, 3000)
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE harness_auditable_calls")
        plan = store.explain(OUR_ROLLUP).splitlines()
        assert [line.strip() for line in plan] == [
            "GroupAggregate",
            "Group Key: call_class",
            "->  Index Only Scan using ix_hac_rollup on harness_auditable_calls",
            "Index Cond: (turn_id = 't9'::text)",
        ]


class TestLeaks:
    """Alerts that only a bug or a forgery can raise: the guards must be taken down to see them."""

    async def test_terminal_leak(self, store: Store) -> None:
        """A turn with two terminal rows is reported with both calls, in chain order."""
        async with opened(store) as ledger:
            await ledger.append(row(intent("m2"), "empty"))
            first, second = await ledger.calls("t1")
            drop_guards(store, "harness_auditable_calls", "DROP INDEX uq_hac_terminal")
            store.run(
                "UPDATE harness_auditable_calls SET terminal_synthesis = (1 = 1), outcome = 'ok',"
                f" synthesis_quality = '{{\"terminalSynthesis\": true}}' WHERE call_id = '{second.call_id}'"
            )
            assert await ledger.terminal_leaks() == (TerminalLeak("t1", (first.call_id, second.call_id)),)

    async def test_cap_leak(self, store: Store) -> None:
        """A turn with more slots than its cap is reported; a turn without a cap never is."""
        async with opened(store) as ledger:
            store.run(
                "INSERT INTO harness_turn_slots (turn_id, slot_no, message_id, request_digest)"
                " SELECT turn_id, 2, 'm2', 'd2' FROM harness_turns WHERE turn_id = 't1'",
                "INSERT INTO harness_turns (turn_id, chat_id, turn_message_id, runtime_id, opened_at)"
                " SELECT 't3', chat_id, turn_message_id, runtime_id, opened_at FROM harness_turns WHERE turn_id = 't1'",
                "INSERT INTO harness_turn_slots (turn_id, slot_no, message_id, request_digest)"
                " VALUES ('t3', 1, 'm1', 'd1'), ('t3', 2, 'm2', 'd2')",
            )
            assert await ledger.cap_leaks() == (CapLeak("t1", 2, 1),)


class TestChangedRows:
    """Whoever owns the tables can take the guards down; the chain shows what they did."""

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param("token_cost = 1", id="cost"),
            pytest.param("token_cost = NULL", id="cost made unknown"),
            pytest.param("ended_at = started_at", id="time"),
            pytest.param('draft = \'{"text": "Another answer."}\'', id="answer"),
            pytest.param("max_synthesize_per_turn = 7", id="cap in force"),
            pytest.param('draft = \'{"tone": "unknown"}\'', id="answer made unreadable"),
        ],
    )
    async def test_found(self, store: Store, change: str) -> None:
        """A changed column breaks the chain of its turn at its place, and no other chain."""
        async with opened(store) as ledger:
            drop_guards(store, "harness_auditable_calls")
            store.run(f"UPDATE harness_auditable_calls SET {change} WHERE turn_id = 't1'")
            with pytest.raises(ChainBroken, match="'t1' is broken at position 1"):
                verify_chain("t1", await ledger.chain("t1"))
            assert verify_chain("t2", await ledger.chain("t2")) == 1

    async def test_flag_alone(self, tmp_path: Path) -> None:
        """A terminal flag that contradicts the row's own account of its quality is found as well."""
        store = SqliteStore(tmp_path / "audit.db")
        async with opened(store) as ledger:
            drop_guards(store, "harness_auditable_calls")
            store.run(
                "PRAGMA ignore_check_constraints = ON", "UPDATE harness_auditable_calls SET terminal_synthesis = 0"
            )
            with pytest.raises(ChainBroken, match="position 1"):
                await ledger.chain("t1")

    async def test_deleted_row(self, store: Store) -> None:
        """A row that was deleted from the middle breaks the chain at its place."""
        async with opened(store) as ledger:
            for _ in range(2):
                await ledger.append(row(intent(call_class=CONVERSE)))
            drop_guards(store, "harness_auditable_calls")
            store.run("DELETE FROM harness_auditable_calls WHERE turn_id = 't1' AND chain_pos = 2")
            with pytest.raises(ChainBroken, match="position 2"):
                verify_chain("t1", await ledger.chain("t1"))
