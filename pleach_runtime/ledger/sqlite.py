"""A ledger in a SQLite file: opening, locking, errors. The tables and statements are shared with PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from sqlalchemy.dialects import sqlite

from pleach_runtime.errors import (
    AppendOnlyViolation,
    LedgerCorrupt,
    LedgerError,
    LedgerLocked,
    LedgerUnavailable,
    LedgerUnreadable,
)
from pleach_runtime.ledger.at_rest import FileAtRest, at_rest, require_file
from pleach_runtime.ledger.connection import Access, Database
from pleach_runtime.ledger.creation import ensure_schema, require_schema
from pleach_runtime.ledger.guards import sqlite_guards
from pleach_runtime.ledger.statements import Statements, statements_for

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from sqlalchemy import Dialect

    from pleach_runtime.ledger.columns import Columns, Row

Synchronous: TypeAlias = Literal["normal", "full"]
"""`normal`: recorded rows survive the death of every process; `full`: also that of the machine, at several times the
cost of a write."""

OLDEST: Final = (3, 37, 0)
"""First SQLite with STRICT tables."""

_MODES: Final[dict[Access, str]] = {"create": "rwc", "write": "rw"}
_IS_THERE: Final = "SELECT 1 FROM sqlite_master WHERE name = 'harness_ledger_schema'"
_PROBLEMS: Final[tuple[tuple[str, type[LedgerError]], ...]] = (
    ("is append-only", AppendOnlyViolation),
    ("is locked", LedgerLocked),
    ("unable to open", LedgerUnreadable),
    ("readonly", LedgerUnreadable),
    ("not a database", LedgerCorrupt),
    ("malformed", LedgerCorrupt),
)
"""Words of SQLite's messages, which are the same since its first versions, and what they mean."""


@cache
def _dialect() -> Dialect:
    return sqlite.dialect(paramstyle="named")


@cache
def _statements() -> Statements:
    return statements_for(_dialect())


@dataclass(frozen=True)
class SqliteDatabase(Database):
    """One file, written by one thread of each process. Processes take turns: SQLite has one writer at a time."""

    path: Path
    timeout_seconds: float = 30.0
    """How long to wait for another process before `LedgerLocked`."""
    synchronous: Synchronous = "normal"
    access: Access = "create"
    threads: ClassVar[int] = 1
    error: ClassVar[type[Exception]] = sqlite3.Error

    @property
    def address(self) -> str:
        """The path of the file."""
        return str(self.path)

    @property
    def dialect(self) -> Dialect:
        """See `Database.dialect`."""
        return _dialect()

    def connect(self) -> SqliteConnection:
        """See `Database.connect`."""
        if sqlite3.sqlite_version_info < OLDEST:
            raise LedgerUnavailable(f"SQLite {sqlite3.sqlite_version} is too old: a ledger needs 3.37")
        if self.access != "create":
            require_file(self.path)
        if self.access == "read":
            return self._opened_to_read()
        if self.access == "write":
            # The file of another program must not be made one with a write-ahead log.
            self._opened_to_read().close()
        return self._opened(f"mode={_MODES[self.access]}")

    def meaning(self, error: Exception) -> LedgerError:
        """See `Database.meaning`."""
        text = str(error)
        kind = next((kind for words, kind in _PROBLEMS if words in text), LedgerUnavailable)
        return kind(f"{self.address}: {text}")

    def is_collision(self, error: Exception) -> bool:
        """See `Database.is_collision`."""
        return isinstance(error, sqlite3.IntegrityError) and "a row with this key exists" in str(error)

    def _opened_to_read(self) -> SqliteConnection:
        # SQLite makes the files that readers and writers share, and only who may write to the database removes them. A
        # log that is there already is another's, and would be written back by who removes it.
        file = at_rest(self.path)
        if file is None:
            return self._opened("mode=ro", writes=False)
        if file.is_writable:
            try:
                return self._opened("mode=rw", writes=False)
            except sqlite3.OperationalError as error:
                if not isinstance(self.meaning(error), LedgerUnreadable):
                    raise
        # Where this process may not write, SQLite cannot make those files, or would leave them with its owner's rights.
        return self._opened("mode=ro&immutable=1", writes=False, file=file)

    def _opened(self, parameters: str, *, writes: bool = True, file: FileAtRest | None = None) -> SqliteConnection:
        uri = f"{self.path.absolute().as_uri()}?{parameters}"
        # The one thread changes when the process forks, and closing comes from the thread of the caller.
        raw = sqlite3.connect(
            uri, timeout=self.timeout_seconds, isolation_level=None, check_same_thread=False, uri=True
        )
        connection = SqliteConnection(raw, file)
        try:
            if writes:
                self._prepare(raw)
            else:
                raw.execute("PRAGMA query_only = ON")
            if self.access == "create":
                ensure_schema(connection, is_there=_IS_THERE, dialect=_dialect(), guards=sqlite_guards())
            else:
                require_schema(connection, is_there=_IS_THERE, address=self.address)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, raw: sqlite3.Connection) -> None:
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA recursive_triggers = ON")
        raw.execute(f"PRAGMA synchronous = {self.synchronous}")
        deadline = time.monotonic() + self.timeout_seconds
        # Here SQLite does not wait for other processes, as it does everywhere else.
        while time.monotonic() < deadline:
            with suppress(sqlite3.OperationalError):
                raw.execute("PRAGMA journal_mode = WAL")
                return
            time.sleep(0.01)
        raw.execute("PRAGMA journal_mode = WAL")


class SqliteConnection:
    """See `Connection`. The lock of a turn is the lock of the file; a file that must stay at rest is read without one.

    Raises:
        LedgerUnavailable: from `fetch`, if that file did not stay at rest.
    """

    def __init__(self, raw: sqlite3.Connection, file: FileAtRest | None = None) -> None:
        self._raw = raw
        self._file = file
        self.is_lost = False
        self.statements = _statements()

    @contextmanager
    def transaction(self, *_: str) -> Generator[None]:
        """See `Connection.transaction`."""
        # A deferred transaction would read first, and fail at once when another process wrote in between.
        self._raw.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._raw.execute("COMMIT")
        except BaseException:
            self._raw.rollback()
            raise

    def fetch(self, statement: str, parameters: Columns) -> list[Row]:
        """See `Connection.fetch`."""
        try:
            return self._raw.execute(statement, parameters).fetchall()
        finally:
            if self._file is not None:
                self._file.check()

    def execute(self, statement: str, parameters: Columns) -> int:
        """See `Connection.execute`."""
        return self._raw.execute(statement, parameters).rowcount

    def execute_all(self, statement: str, parameters: Sequence[Columns]) -> None:
        """See `Connection.execute_all`."""
        self._raw.executemany(statement, parameters)

    def close(self) -> None:
        """See `Connection.close`."""
        self._raw.close()
