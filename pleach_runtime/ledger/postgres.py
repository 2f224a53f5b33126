"""A ledger in PostgreSQL: connecting, locking, errors. The tables and statements are shared with SQLite."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo
from psycopg.types.string import TextLoader
from sqlalchemy import make_url

from pleach_runtime.errors import (
    AppendOnlyViolation,
    LedgerError,
    LedgerLocked,
    LedgerUnavailable,
    LedgerUnreadable,
)
from pleach_runtime.ledger.connection import Access, Connection, Database
from pleach_runtime.ledger.creation import ensure_schema, require_schema
from pleach_runtime.ledger.guards import postgres_guards
from pleach_runtime.ledger.statements import Statements, statements_for

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from sqlalchemy import Dialect

    from pleach_runtime.ledger.columns import Columns, Row

# Rows that a caller was told of must be on disk; a stronger setting than "on" is left as it is.
_SETTINGS: Final = """
SELECT set_config('TimeZone', 'UTC', false),
       set_config('lock_timeout', '30s', false),
       CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END
"""
_READ_ONLY: Final = "SELECT set_config('default_transaction_read_only', 'on', false)"
# Not to_regclass: a name that was once looked up in vain stays unknown, though another process made the table since.
_IS_THERE: Final = "SELECT 1 FROM pg_class WHERE relname = 'harness_ledger_schema' AND pg_table_is_visible(oid)"
_DEFAULTS: Final = {"connect_timeout": "10", "application_name": "pleach"}

_PROBLEMS: Final[tuple[tuple[type[psycopg.Error], type[LedgerError]], ...]] = (
    (errors.RestrictViolation, AppendOnlyViolation),
    (errors.LockNotAvailable, LedgerLocked),
    (errors.InsufficientPrivilege, LedgerUnreadable),
    (errors.ReadOnlySqlTransaction, LedgerUnreadable),
)


@cache
def _dialect() -> Dialect:
    return make_url("postgresql+psycopg://").get_dialect()()


@cache
def _statements() -> Statements:
    return statements_for(_dialect())


@dataclass(frozen=True)
class PostgresDatabase(Database):
    """One database, shared by any number of processes on any number of machines."""

    options: Mapping[str, str] = field(repr=False)
    """Connection options by the names of libpq, a password among them."""
    access: Access = "create"
    threads: ClassVar[int] = 4
    error: ClassVar[type[Exception]] = psycopg.Error

    @property
    def address(self) -> str:
        """User, host, port and database, as far as they were given."""
        given = {"user": "", "host": "", "port": "", "dbname": ""} | dict(self.options)
        return "postgresql://{user}@{host}:{port}/{dbname}".format_map(given)

    @property
    def dialect(self) -> Dialect:
        """See `Database.dialect`."""
        return _dialect()

    def connect(self) -> Connection:
        """See `Database.connect`."""
        raw = psycopg.connect(make_conninfo(**{**_DEFAULTS, **self.options}), autocommit=True)
        connection = PostgresConnection(raw)
        try:
            raw.adapters.register_loader("json", TextLoader)
            raw.execute(_SETTINGS)
            if self.access == "read":
                raw.execute(_READ_ONLY)
            if self.access == "create":
                ensure_schema(connection, is_there=_IS_THERE, dialect=_dialect(), guards=postgres_guards())
            else:
                require_schema(connection, is_there=_IS_THERE, address=self.address)
        except BaseException:
            connection.close()
            raise
        return connection

    def meaning(self, error: Exception) -> LedgerError:
        """See `Database.meaning`."""
        kind = next((kind for driver, kind in _PROBLEMS if isinstance(error, driver)), LedgerUnavailable)
        return kind(f"{self.address}: {error}")

    def is_collision(self, error: Exception) -> bool:
        """See `Database.is_collision`."""
        return isinstance(error, errors.UniqueViolation)


class PostgresConnection:
    """See `Connection`. The lock of a turn is an advisory one: it needs no right to change rows."""

    def __init__(self, raw: psycopg.Connection[Row]) -> None:
        self._raw = raw
        self.statements = _statements()

    @property
    def is_lost(self) -> bool:
        """See `Connection.is_lost`."""
        return self._raw.closed

    @contextmanager
    def transaction(self, *turn_ids: str) -> Generator[None]:
        """See `Connection.transaction`."""
        # Sorted, so that two transactions never wait for each other; and locked before anything is read: a statement
        # that locks and counts at once counts what was there before it had to wait.
        locks = [f"SELECT pg_advisory_xact_lock({key})" for key in sorted(map(lock_key, turn_ids))]
        try:
            self._raw.execute("; ".join(["BEGIN ISOLATION LEVEL READ COMMITTED", *locks]).encode())
            yield
            self._raw.execute("COMMIT")
        except BaseException:
            if not self._raw.closed:
                self._raw.execute("ROLLBACK")
            raise

    def fetch(self, statement: str, parameters: Columns) -> list[Row]:
        """See `Connection.fetch`."""
        return self._raw.execute(statement.encode(), parameters or None).fetchall()

    def execute(self, statement: str, parameters: Columns) -> int:
        """See `Connection.execute`."""
        return self._raw.execute(statement.encode(), parameters or None).rowcount

    def execute_all(self, statement: str, parameters: Sequence[Columns]) -> None:
        """See `Connection.execute_all`."""
        self._raw.cursor().executemany(statement.encode(), parameters)

    def close(self) -> None:
        """See `Connection.close`."""
        self._raw.close()


def lock_key(turn_id: str) -> int:
    """Return the key of the advisory lock that guards a turn, for programs that write to the tables themselves."""
    digest = hashlib.sha256(b"pleach-turn/1\0" + turn_id.encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
