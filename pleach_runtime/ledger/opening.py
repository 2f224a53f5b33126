"""Opening a SQL ledger from a URL. The drivers, and SQLAlchemy with them, are imported when one is opened."""

# ruff: noqa: PLC0415 - a ledger in a file must not need the driver of PostgreSQL
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast, get_args
from urllib.parse import parse_qsl

from pleach_runtime.errors import ConfigurationError

if TYPE_CHECKING:
    from pleach_runtime.ledger.connection import Access, Database
    from pleach_runtime.ledger.sql import SqlLedger

SQLITE: Final = "sqlite:///"
POSTGRES: Final = ("postgresql://", "postgresql+psycopg://", "postgres://")


async def open_sql_ledger(url: str) -> SqlLedger:
    """Open the ledger in a SQLite file or a PostgreSQL database, and make its tables if there are none.

    Args:
        url: `sqlite:///folder/file.db`, `sqlite:////absolute/file.db`, or `postgresql://user:password@host/database`
            with whatever options libpq takes. A SQLite file takes `?timeout=30` (seconds to wait for other processes)
            and `?synchronous=full` (recorded rows survive a power cut too, at several times the cost of a write).

    Raises:
        ConfigurationError: if the URL is none of these, or an extra is not installed.
        LedgerUnavailable: if the database cannot be opened. No message shows the password.
        LedgerSchemaMismatch: if another version of this package made the tables.
    """
    database = database_at(url)
    from pleach_runtime.ledger.sql import SqlLedger

    return await SqlLedger.opened(database)


def database_at(url: str, access: Access = "create") -> Database:
    """Return the database that a URL names, without connecting to it.

    Args:
        url: see `open_sql_ledger`.
        access: what its connections will be for.

    Raises:
        ConfigurationError: if the URL is none of a ledger, or an extra is not installed.
    """
    try:
        return _database(url, access)
    except ImportError as error:
        raise ConfigurationError(
            f"{error}: install pleach-lint[sql] for ledgers in SQLite, pleach-lint[postgres] for PostgreSQL"
        ) from error


def _database(url: str, access: Access) -> Database:
    if url.startswith(SQLITE):
        return _sqlite(url.removeprefix(SQLITE), access)
    scheme = next((scheme for scheme in POSTGRES if url.startswith(scheme)), None)
    if scheme is None:
        raise ConfigurationError(f"a ledger URL starts with {SQLITE} or {POSTGRES[0]}, not {url.partition(':')[0]!r}")
    return _postgres(POSTGRES[0] + url.removeprefix(scheme), access)


def _sqlite(rest: str, access: Access) -> Database:
    from pleach_runtime.ledger.sqlite import SqliteDatabase, Synchronous

    path, _, query = rest.partition("?")
    if path in {"", ":memory:"}:
        raise ConfigurationError("a SQLite ledger is a file; MemoryLedger is the ledger that leaves none")
    options = dict(parse_qsl(query, keep_blank_values=True))
    timeout, synchronous = options.pop("timeout", "30"), options.pop("synchronous", "normal")
    if options or synchronous not in get_args(Synchronous) or not timeout.replace(".", "", 1).isdecimal():
        raise ConfigurationError(f"a SQLite ledger takes timeout=SECONDS and synchronous=normal|full, not {query!r}")
    return SqliteDatabase(Path(path), float(timeout), cast("Synchronous", synchronous), access)


def _postgres(url: str, access: Access) -> Database:
    from pleach_runtime.ledger.postgres import PostgresDatabase

    options = _libpq_options(url)
    if options is None:
        raise ConfigurationError("the PostgreSQL URL cannot be read: is every special character in it escaped?")
    return PostgresDatabase(options, access)


def _libpq_options(url: str) -> dict[str, str] | None:
    """Return the connection options in a URL; `None` if it has none, without libpq's reason: it quotes passwords."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        options = conninfo_to_dict(url)
    except (ProgrammingError, UnicodeError):
        return None
    # After a bare @ or / in a password, libpq takes what follows for a host, which any message may name.
    address = str(options.get("host", "")) + str(options.get("port", "")) + str(options.get("dbname", ""))
    return None if "@" in address else {name: str(value) for name, value in options.items()}
