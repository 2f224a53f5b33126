"""What a ledger of the runtime records, by stage and class. Writes nothing; imports SQLAlchemy when one is read."""

# ruff: noqa: PLC0415 - the linter works without SQLAlchemy
from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pleach_lint.config.table import ConfigError
from pleach_lint.seam_map.model import Recorded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import URL, Engine

    from pleach_lint.seam_map.model import Node

_CALLS: Final = "harness_auditable_calls"
"""Source: the documentation of Pleach, "callClass on the audit row"."""
_QUERY: Final = (
    "SELECT stage_id, call_class, COUNT(*) FROM harness_auditable_calls GROUP BY stage_id, call_class "
    "ORDER BY stage_id, call_class"
)
_FILE: Final = "sqlite:///"
_SERVER: Final = ("postgresql", "postgres", "postgresql+psycopg")
_PATIENCE: Final = 10
"""Seconds to wait for a server, or for other processes to leave a file."""


class LedgerError(ConfigError):
    """A ledger that cannot be read; the message says why, and never shows a password."""


def recorded(url: str) -> tuple[Recorded, ...]:
    """Count the calls of each stage and class, in their order.

    Args:
        url: `sqlite:///folder/file.db`, `sqlite:////absolute/file.db` or `postgresql://user@host/database`.

    Raises:
        LedgerError: if the ledger cannot be read, or SQLAlchemy or the driver is not installed.
    """
    try:
        from sqlalchemy.exc import SQLAlchemyError
    except ImportError:
        raise LedgerError("--ledger needs SQLAlchemy; install pleach-lint[sql], or pleach-lint[postgres]") from None
    shown = without_password(url)
    engine = _file(url, shown) if url.startswith(_FILE) else _server(url, shown)
    try:
        return _counted(engine)
    except SQLAlchemyError as error:
        raise LedgerError(f"--ledger: {shown} cannot be read: {_reason(error, url)}") from None
    finally:
        engine.dispose()


def drift(found: Iterable[Recorded], nodes: Iterable[Node]) -> tuple[Recorded, ...]:
    """What is recorded and not declared: no node whose stage the source gives declares the class."""
    declared = {(node.stage, word) for node in nodes if node.is_named for word in node.words}
    return tuple(each for each in found if (each.stage, each.word) not in declared)


def without_password(url: str) -> str:
    """A URL as it may be shown: its password, and whatever else may hold one, left out.

    Raises:
        LedgerError: if it is none of a ledger.
    """
    parsed = _parsed(url)
    if parsed is None or parsed.get_backend_name() not in {"sqlite", *_SERVER}:
        raise LedgerError(f"--ledger takes {_FILE}FILE or {_SERVER[0]}://USER@HOST/DATABASE, with specials escaped")
    return parsed.set(query={}).render_as_string(hide_password=True)


def _parsed(url: str) -> URL | None:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        return None


def _file(url: str, shown: str) -> Engine:
    from sqlalchemy import create_engine

    path = Path(url.removeprefix(_FILE).partition("?")[0])
    if not path.is_file():
        raise LedgerError(f"--ledger: {shown}: there is no such file")
    return create_engine("sqlite://", creator=lambda: _opened(path.resolve()))


def _opened(file: Path) -> sqlite3.Connection:
    # SQLite makes files beside one that it reads, and takes them away for who may write alone. A log is another's.
    is_at_rest = not any(file.with_name(f"{file.name}{suffix}").exists() for suffix in ("-wal", "-journal"))
    address = f"file:{quote(str(file))}?mode={'rw' if is_at_rest else 'ro'}"
    connection = sqlite3.connect(address, timeout=_PATIENCE, uri=True)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _server(url: str, shown: str) -> Engine:
    from sqlalchemy import create_engine, make_url

    address = make_url(url).set(drivername=_SERVER[-1])
    try:
        return create_engine(address, connect_args={"connect_timeout": _PATIENCE})
    except ImportError:
        raise LedgerError(f"--ledger: {shown} needs the driver psycopg; install pleach-lint[postgres]") from None


def _counted(engine: Engine) -> tuple[Recorded, ...]:
    from sqlalchemy import text

    with engine.connect() as connection:
        rows = connection.execute(text(_QUERY)).all()
    return tuple(Recorded(str(row[0]), str(row[1]), int(row[2])) for row in rows)


def _reason(error: Exception, url: str) -> str:
    """What the driver said, in one line without a password."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines()
    line = said[0] if said else type(error).__name__
    parsed = _parsed(url)
    password = str(parsed.password or "") if parsed is not None else ""
    if password and password in line:
        return type(error).__name__
    if _CALLS in line:
        return f"it has no table {_CALLS}, so it is no ledger of pleach_runtime"
    return line
