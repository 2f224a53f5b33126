"""Making the tables of a SQL ledger, and refusing those of another version. What they are is in `schema.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.errors import LedgerCorrupt, LedgerMissing, LedgerSchemaMismatch
from pleach_runtime.ledger.schema import SCHEMA_VERSION, ddl, schema_versions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Dialect

    from pleach_runtime.ledger.connection import Connection


def ensure_schema(connection: Connection, *, is_there: str, dialect: Dialect, guards: Iterable[str]) -> None:
    """Make tables, indexes and guards unless they are there: all or nothing, and once for all processes.

    Args:
        connection: to the database.
        is_there: a query that gives a row if the tables exist.
        dialect: of the database.
        guards: statements that make its triggers.

    Raises:
        LedgerSchemaMismatch: if the tables are of another version.
        LedgerCorrupt: if they do not say of which.
    """
    if not connection.fetch(is_there, {}):
        with connection.transaction(schema_versions.name):
            if not connection.fetch(is_there, {}):
                for statement in (*ddl(dialect), *guards):
                    connection.execute(statement, {})
                connection.execute(connection.statements.insert_version, {"version": SCHEMA_VERSION})
    _check_version(connection)


def require_schema(connection: Connection, *, is_there: str, address: str) -> None:
    """Check that the tables are there.

    Args:
        connection: to the database.
        is_there: a query that gives a row if the tables exist.
        address: of the database, for the message.

    Raises:
        LedgerMissing: if they are not.
        LedgerSchemaMismatch: if they are of another version.
        LedgerCorrupt: if they do not say of which.
    """
    if not connection.fetch(is_there, {}):
        raise LedgerMissing(f"{address}: it holds no ledger")
    _check_version(connection)


def _check_version(connection: Connection) -> None:
    ((version,),) = connection.fetch(connection.statements.version, {})
    if not isinstance(version, int):
        raise LedgerCorrupt(f"the table {schema_versions.name} names no version of a ledger")
    if version != SCHEMA_VERSION:
        raise LedgerSchemaMismatch(version, SCHEMA_VERSION)
