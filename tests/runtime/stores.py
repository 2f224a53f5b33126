"""The databases behind SQL ledgers, as any other program could reach them: past the runtime, with plain SQL."""

# ruff: noqa: S608 - the statements are the tests' own
from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import psycopg

from pleach_runtime.ledger.schema import METADATA

if TYPE_CHECKING:
    from pathlib import Path


class Store(Protocol):
    """A database that may hold a ledger."""

    @property
    def url(self) -> str:
        """Address of the ledger."""
        ...

    def run(self, *statements: str) -> None:
        """Run statements in one transaction, as the owner of the tables."""
        ...

    def fetch(self, query: str) -> list[tuple[object, ...]]:
        """Run a query."""
        ...

    def explain(self, query: str) -> str:
        """Return the plan of a query."""
        ...


@dataclass(frozen=True)
class SqliteStore:
    """A file."""

    path: Path

    @property
    def url(self) -> str:
        """Address of the ledger."""
        return f"sqlite:///{self.path}"

    def run(self, *statements: str) -> None:
        """Run statements; foreign keys are checked, and all else is as on any connection."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            for statement in ("PRAGMA foreign_keys = ON", *statements):
                connection.execute(statement)

    def fetch(self, query: str) -> list[tuple[object, ...]]:
        """Run a query."""
        with closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(query).fetchall()

    def explain(self, query: str) -> str:
        """Return the plan, a line a step."""
        return "\n".join(str(row[-1]) for row in self.fetch(f"EXPLAIN QUERY PLAN {query}"))


@dataclass(frozen=True)
class PostgresStore:
    """A schema in a server."""

    url: str

    def run(self, *statements: str) -> None:
        """Run statements as the superuser."""
        with psycopg.connect(self.url) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def fetch(self, query: str) -> list[tuple[object, ...]]:
        """Run a query."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(query.encode()).fetchall()

    def explain(self, query: str) -> str:
        """Return the plan, a line a step."""
        return "\n".join(str(row[0]) for row in self.fetch(f"EXPLAIN (COSTS OFF) {query}"))


def again(table: str, *, verb: str = "INSERT", **changes: str) -> str:
    """Return the statement that inserts the rows of a table again, with some columns changed."""
    columns = [column.name for column in METADATA.tables[table].columns if column.name != "seq" or "seq" in changes]
    values = [changes.get(column, column) for column in columns]
    return f"{verb} INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {table}"


def drop_guards(store: Store, table: str, *more: str) -> None:
    """Take down the triggers of a table, as only its owner can."""
    if isinstance(store, SqliteStore):
        triggers = store.fetch(f"SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '{table}'")
        store.run(*(f"DROP TRIGGER {name}" for (name,) in triggers), *more)
    else:
        store.run(f"ALTER TABLE {table} DISABLE TRIGGER USER", *more)
