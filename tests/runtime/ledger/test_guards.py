"""What no program can do to a ledger, however it reaches the database."""

# ruff: noqa: S106, S608 - the statements are the tests' own
from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import psycopg
import pytest

from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.ledger.schema import METADATA
from tests.runtime.builders import intent, row, turn_record, wish
from tests.runtime.stores import PostgresStore, SqliteStore, again

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.stores import Store

TABLES = [table.name for table in METADATA.sorted_tables]
REFUSED = (sqlite3.IntegrityError, psycopg.IntegrityError)
NEW_CALL = {
    "call_id": "'x'",
    "chain_pos": "9",
    "attempt": "9",
    "terminal_synthesis": "0 = 1",
    "synthesis_quality": "'{}'",
}
"""Changes that leave a call no key in common with the recorded one."""


def new_call(**changes: str) -> dict[str, str]:
    """Return the changes that make a new call, but for some columns."""
    return {**NEW_CALL, **changes}


async def fill(store: Store) -> None:
    """Record a turn at cap 1 with one landed answer."""
    ledger = await open_sql_ledger(store.url)
    await ledger.open_turn(turn_record(cap=1))
    first = intent("m1", landing=True, cap=1)
    await ledger.reserve(wish(first))
    await ledger.append(row(first))
    await ledger.aclose()


class TestChanges:
    """Recorded rows stay as they are."""

    @pytest.mark.parametrize("table", TABLES)
    async def test_update(self, store: Store, table: str) -> None:
        """No row can be updated, not even to what it was."""
        await fill(store)
        column = list(METADATA.tables[table].columns)[-1].name
        with pytest.raises(REFUSED, match="append-only: UPDATE refused"):
            store.run(f"UPDATE {table} SET {column} = {column}")

    @pytest.mark.parametrize("table", TABLES)
    async def test_delete(self, store: Store, table: str) -> None:
        """No row can be deleted."""
        await fill(store)
        with pytest.raises(REFUSED, match="append-only: DELETE refused"):
            store.run(f"DELETE FROM {table}")

    async def test_upsert(self, store: Store) -> None:
        """An upsert cannot rewrite the cost of a call."""
        await fill(store)
        with pytest.raises(REFUSED, match="append-only"):
            # SQLite cannot tell the upsert of a SELECT without a WHERE from a join.
            store.run(
                again("harness_auditable_calls", token_cost="999")
                + " WHERE true ON CONFLICT (call_id) DO UPDATE SET token_cost = 999"
            )

    @pytest.mark.parametrize("table", TABLES)
    async def test_truncate(self, postgres_url: str, table: str) -> None:
        """No table can be emptied."""
        store = PostgresStore(postgres_url)
        await fill(store)
        with pytest.raises(psycopg.errors.RestrictViolation, match="append-only: TRUNCATE refused"):
            store.run(f"TRUNCATE {table} CASCADE")

    @pytest.mark.parametrize(
        ("table", "changes"),
        [
            pytest.param("harness_auditable_calls", new_call(call_id="call_id"), id="call by its id"),
            pytest.param("harness_auditable_calls", new_call(chain_pos="1"), id="call by its place in the chain"),
            pytest.param("harness_auditable_calls", new_call(attempt="1"), id="call by its attempt"),
            pytest.param(
                "harness_auditable_calls",
                {"call_id": "'x'", "chain_pos": "9", "attempt": "9"},
                id="call by being terminal",
            ),
            pytest.param("harness_events", {"kind": "'other'"}, id="event by its write"),
            pytest.param(
                "harness_events", {"event_id": "'x'", "seq": "seq", "call_id": "'y'"}, id="event by its number"
            ),
            pytest.param("harness_events", {"event_id": "'x'"}, id="event by its call"),
            pytest.param("harness_turns", {"max_synthesize_per_turn": "9"}, id="turn"),
            pytest.param("harness_turn_slots", {"message_id": "'x'"}, id="slot by its number"),
            pytest.param(
                "harness_turn_slots", {"slot_no": "2", "max_synthesize_per_turn": "9"}, id="slot by its message"
            ),
            pytest.param("harness_ledger_schema", {}, id="schema version"),
        ],
    )
    async def test_replace(self, tmp_path: Path, table: str, changes: dict[str, str]) -> None:
        """SQLite's INSERT OR REPLACE cannot replace a row by any of its keys."""
        store = SqliteStore(tmp_path / "audit.db")
        await fill(store)
        before = store.fetch(f"SELECT * FROM {table}")
        with pytest.raises(sqlite3.IntegrityError, match="append-only: a row with this key exists"):
            store.run(again(table, verb="INSERT OR REPLACE", **changes))
        assert store.fetch(f"SELECT * FROM {table}") == before

    @pytest.mark.parametrize("table", ["harness_turns", "harness_turn_slots"])
    async def test_no_hidden_row_number(self, tmp_path: Path, table: str) -> None:
        """Tables with text keys have no row number to replace a row by."""
        store = SqliteStore(tmp_path / "audit.db")
        await fill(store)
        with pytest.raises(sqlite3.OperationalError, match="no such column: rowid"):
            store.fetch(f"SELECT rowid FROM {table}")


class TestStructure:
    """Rows that contradict the contract cannot be inserted, whatever the code does."""

    @pytest.mark.parametrize(
        ("table", "changes"),
        [
            pytest.param(
                "harness_auditable_calls",
                {"call_id": "'x'", "chain_pos": "9", "attempt": "9"},
                id="second terminal",
            ),
            pytest.param("harness_auditable_calls", new_call(call_class="'other'"), id="fifth class"),
            pytest.param("harness_auditable_calls", new_call(terminal_synthesis="1 = 1"), id="terminal by flag only"),
            pytest.param("harness_auditable_calls", new_call(token_cost="-1"), id="negative cost"),
            pytest.param("harness_turn_slots", {"slot_no": "2", "message_id": "'m2'"}, id="slot over the cap"),
            pytest.param("harness_turn_slots", {"turn_id": "'t9'"}, id="slot of no turn"),
            pytest.param("harness_turns", {"turn_id": "'t2'", "max_synthesize_per_turn": "0"}, id="cap of none"),
        ],
    )
    async def test_refused(self, store: Store, table: str, changes: dict[str, str]) -> None:
        """The database refuses it."""
        await fill(store)
        with pytest.raises(REFUSED):
            store.run(again(table, **changes))
