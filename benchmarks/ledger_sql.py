"""Appending to SQL ledgers and rolling a turn up, against the bare drivers doing the insert or the query alone.

    python -m benchmarks.ledger_sql [--json FILE] [--postgres URL] [--turns N]

The bare inserts go to a table with the same columns, keys and indexes, with values that are ready made: what the ledger
adds is validation's output laid out in columns, the hash chain, the locks, the guards, and a thread so that no event
loop waits. The bare query runs in a thread too, as it must in a coroutine. CPU time of this process; PostgreSQL's own
work is in neither.

PostgreSQL is measured if the address of an empty place in it is given. Exit status 1 if a budget is exceeded.
"""

# ruff: noqa: S608 - the statements are the benchmark's own
from __future__ import annotations

import argparse
import asyncio
import itertools
import sqlite3
import sys
import tempfile
import uuid
from contextlib import aclosing, closing
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from benchmarks.runtime_measure import Row, compare, cpu_medians, report
from pleach_runtime.audit import CallIntent, CallSubject, Draft
from pleach_runtime.ledger import TurnRecord, schema
from pleach_runtime.ledger.chain import GENESIS, ChainLink
from pleach_runtime.ledger.columns import call_columns
from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.seams import CALL_CLASSES, is_synthesize
from pleach_runtime.seams.rows import Ending, row_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.ledger.columns import Columns
    from pleach_runtime.ledger.sql import SqlLedger

    Subjects = Mapping[str, Callable[[], Awaitable[object]]]

CLASSES = [call_class for call_class in CALL_CLASSES if not is_synthesize(call_class)]
NOW = datetime(2025, 3, 1, tzinfo=timezone.utc)
BATCH = 100
ROWS_A_TURN = 30
ROLLUP = (
    "SELECT call_class, COUNT(*), SUM(token_cost), COUNT(*) - COUNT(token_cost)"
    " FROM harness_auditable_calls WHERE turn_id = '{}' GROUP BY call_class"
)
KEYS = (
    "CREATE UNIQUE INDEX bare_call ON bare (call_id)",
    "CREATE UNIQUE INDEX bare_place ON bare (turn_id, chain_pos)",
    "CREATE INDEX bare_rollup ON bare (turn_id, call_class, token_cost)",
)
_numbers = itertools.count(1)


def new_call(turn_id: str) -> AuditableCall:
    """Return a call of an ordinary size, with an answer of 1 kB."""
    subject = CallSubject(
        call_class=CLASSES[next(_numbers) % len(CLASSES)],
        stage_id="plan",
        family="family",
        provider="provider",
        requested_model="model-1",
    )
    intent = CallIntent(
        call_id=uuid.uuid4().hex,
        chat_id="chat",
        turn_id=turn_id,
        turn_message_id="shown",
        message_id=f"message-{next(_numbers)}",
        attempt=1,
        call=subject,
        fingerprint="f" * 64,
        synthesize_cap=1,
        started_at=NOW,
    )
    return row_of(intent, Ending("ok", NOW, draft=Draft(text="word " * 200), token_cost=100))


def ready_made() -> Columns:
    """Return the columns of a new call, with hashes of the right size."""
    place = next(_numbers)
    return call_columns(ChainLink(place, GENESIS, GENESIS, new_call("bare")))


class Bare:
    """The driver alone, on a table like the ledger's."""

    def __init__(self, connection: sqlite3.Connection | psycopg.Connection, mark: str) -> None:
        columns = list(ready_made())
        values = ", ".join(mark.format(column) for column in columns)
        self._connection = connection
        self._insert = f"INSERT INTO bare ({', '.join(columns)}) VALUES ({values})"

    def insert(self, rows: Sequence[Columns]) -> None:
        """Insert rows in one transaction."""
        cursor = self._connection.cursor()
        cursor.execute("BEGIN")
        cursor.executemany(self._insert, rows)
        cursor.execute("COMMIT")

    def query(self, turn_id: str) -> list[tuple[object, ...]]:
        """Roll a turn up."""
        return self._connection.execute(ROLLUP.format(turn_id)).fetchall()


async def appends(where: str, ledger: SqlLedger, bare: Bare) -> list[Row]:
    """Measure a hundred rows: each in a transaction of its own, and all in one."""
    rounds, calls = 5, 4
    needed = 2 * (rounds + 1) * calls
    await ledger.open_turn(TurnRecord("turn", "chat", "shown", "runtime", 1, NOW))
    rows = iter([[new_call("turn") for _ in range(BATCH)] for _ in range(needed)])
    columns = iter([[ready_made() for _ in range(BATCH)] for _ in range(needed)])

    async def one_by_one() -> None:
        await asyncio.gather(*map(ledger.append, next(rows)))

    async def bare_one_by_one() -> None:
        for each in next(columns):
            bare.insert([each])

    async def at_once() -> None:
        await ledger.append_all(next(rows))

    async def bare_at_once() -> None:
        bare.insert(next(columns))

    single, batched = f"{BATCH} appends, {where}", f"append of {BATCH}, {where}"
    subjects: Subjects = {
        single: one_by_one,
        "bare inserts": bare_one_by_one,
        batched: at_once,
        "bare executemany": bare_at_once,
    }
    medians = await cpu_medians(subjects, rounds=rounds, calls=calls)
    return [compare(medians, single, "bare inserts", 4.0), compare(medians, batched, "bare executemany", 4.0)]


async def rollups(where: str, ledger: SqlLedger, bare: Bare, turns: int) -> Row:
    """Measure the rollup of one turn among many."""
    mine, other = f"rollup, {where}", f"bare query among {turns * ROWS_A_TURN:,} rows"
    numbers = itertools.cycle(range(0, turns, 37))
    subjects: Subjects = {
        mine: lambda: ledger.rollup(f"turn-{next(numbers)}"),
        other: lambda: asyncio.to_thread(bare.query, f"turn-{next(numbers)}"),
    }
    return compare(await cpu_medians(subjects, rounds=10, calls=50), mine, other, 2.0)


async def fill(ledger: SqlLedger, execute: Callable[[str], object], turns: int) -> None:
    """Record one turn, and copy it to many past the runtime."""
    await ledger.open_turn(TurnRecord("turn-0", "chat", "shown", "runtime", 1, NOW))
    await ledger.append_all([new_call("turn-0") for _ in range(ROWS_A_TURN)])
    numbers = f"(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {turns - 1}) SELECT i FROM n)"
    for table in (schema.turns, schema.calls):
        columns = [column.name for column in table.columns]
        copied = [{"turn_id": "'turn-' || i", "call_id": "call_id || i"}.get(name, name) for name in columns]
        execute(
            f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT {', '.join(copied)}"
            f" FROM {table.name}, {numbers} AS n WHERE turn_id = 'turn-0'"
        )


def bare_file(path: Path) -> sqlite3.Connection:
    """Open a file with the settings of a ledger."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


async def on_sqlite(folder: Path, turns: int) -> list[Row]:
    """Measure a file, and beside it one that only the driver writes to."""
    path = folder / "audit.db"
    async with aclosing(await open_sql_ledger(f"sqlite:///{path}")) as ledger:
        with closing(bare_file(path)) as same, closing(bare_file(folder / "bare.db")) as other:
            other.execute(f"CREATE TABLE bare ({', '.join(ready_made())})")
            for key in KEYS:
                other.execute(key)
            measured = await appends("SQLite", ledger, Bare(other, ":{}"))
            await fill(ledger, same.execute, turns)
            measured.append(await rollups("SQLite", ledger, Bare(same, ":{}"), turns))
    return measured


async def on_postgres(url: str, turns: int) -> list[Row]:
    """Measure a server."""
    async with aclosing(await open_sql_ledger(url)) as ledger:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in ("CREATE TABLE bare (LIKE harness_auditable_calls)", *KEYS):
                connection.execute(statement.encode())
            bare = Bare(connection, "%({})s")
            measured = (await appends("PostgreSQL", ledger, bare))[1:]
            await fill(ledger, lambda statement: connection.execute(statement.encode()), turns)
            connection.execute("VACUUM ANALYZE harness_auditable_calls")
            measured.append(await rollups("PostgreSQL", ledger, bare, turns))
    return measured


async def measure(postgres: str | None, turns: int) -> list[Row]:
    """Measure all that is there."""
    with tempfile.TemporaryDirectory() as folder:
        measured = await on_sqlite(Path(folder), turns)
    return measured if postgres is None else measured + await on_postgres(postgres, turns)


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--turns", type=int, default=10_000)
    arguments = parser.parse_args()
    rows = asyncio.run(measure(arguments.postgres, arguments.turns))
    holds = report("SQL ledgers", rows, ("pydantic", "SQLAlchemy", "psycopg"), arguments.json)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
