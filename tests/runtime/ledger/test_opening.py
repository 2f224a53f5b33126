"""Opening SQL ledgers: URLs, what cannot be opened, and what is said about it."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import make_url

from pleach_runtime.errors import (
    AppendOnlyViolation,
    ConfigurationError,
    LedgerCorrupt,
    LedgerError,
    LedgerLocked,
    LedgerSchemaMismatch,
    LedgerUnavailable,
    LedgerUnreadable,
)
from pleach_runtime.ledger.guards import postgres_guards
from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.ledger.postgres import PostgresDatabase, lock_key
from pleach_runtime.ledger.schema import SCHEMA_VERSION, ddl
from pleach_runtime.ledger.sqlite import SqliteDatabase
from tests.runtime.builders import turn_record
from tests.runtime.postgres import free_port, wait_for_a_waiter

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.stores import Store

OPEN_IN_A_PROCESS = """
import asyncio, sys
from pleach_runtime.ledger.guards import postgres_guards
from pleach_runtime.ledger.opening import open_sql_ledger
async def main():
    await (await open_sql_ledger(sys.argv[1])).aclose()
asyncio.run(main())
"""


async def check_opens(url: str) -> None:
    """Open the ledger and use it."""
    async with aclosing(await open_sql_ledger(url)) as ledger:
        await ledger.open_turn(turn_record())


def said(error: BaseException | None) -> str:
    """Return all that an error and those behind it say."""
    return "" if error is None else f"{error}\n{said(error.__cause__)}{said(error.__context__)}"


class TestUrls:
    """What a URL may be."""

    @pytest.mark.parametrize(
        ("url", "match"),
        [
            pytest.param("mysql://root@host/db", "not 'mysql'", id="another database"),
            pytest.param("sqlite://", "starts with sqlite:///", id="too few slashes"),
            pytest.param("sqlite:///", "MemoryLedger", id="no file"),
            pytest.param("sqlite:///:memory:", "MemoryLedger", id="memory"),
            pytest.param("sqlite:///a.db?mode=ro", "not 'mode=ro'", id="unknown option"),
            pytest.param("sqlite:///a.db?timeout=soon", "timeout=SECONDS", id="timeout that is no number"),
            pytest.param("sqlite:///a.db?synchronous=off", "synchronous=normal|full", id="not durable"),
            pytest.param("postgresql://u:gehe%im@h/db", "cannot be read", id="bare % in the password"),
            pytest.param("postgresql://u:gehe@im@h/db", "cannot be read", id="bare @ in the password"),
            pytest.param("postgresql://u:gehe/im@h/db", "cannot be read", id="bare / in the password"),
            pytest.param("postgresql://u:geheim@h/db?colour=red", "cannot be read", id="unknown libpq option"),
        ],
    )
    async def test_refused(self, url: str, match: str) -> None:
        """A URL that is none of ours is refused, without showing its password."""
        with pytest.raises(ConfigurationError, match=match) as refusal:
            await open_sql_ledger(url)
        assert "gehe" not in said(refusal.value)

    @pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgres"])
    async def test_names_of_postgres(self, postgres_url: str, scheme: str) -> None:
        """The ways to name PostgreSQL in a URL are all understood."""
        await check_opens(postgres_url.replace("postgresql", scheme, 1))

    @pytest.mark.parametrize("name", ["plain.db", "with space.db", "per%20cent.db", "ha#sh.db", "ünï.db"])
    async def test_file_names(self, tmp_path: Path, name: str) -> None:
        """A file gets exactly the name that the URL gives."""
        await check_opens(f"sqlite:///{tmp_path / name}?timeout=2.5&synchronous=full")
        assert (tmp_path / name).exists()

    async def test_relative_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three slashes are a path from the current folder."""
        monkeypatch.chdir(tmp_path)
        await check_opens("sqlite:///audit.db")
        assert (tmp_path / "audit.db").exists()

    @pytest.mark.parametrize(
        ("missing", "url"),
        [
            pytest.param("sqlalchemy.dialects", "sqlite:///a.db", id="SQLAlchemy"),
            pytest.param("psycopg", "postgresql://h/db", id="psycopg"),
        ],
    )
    async def test_missing_extra(self, missing: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A driver that is not installed is named, with the extra that brings it."""
        for module in ("pleach_runtime.ledger.sqlite", "pleach_runtime.ledger.postgres"):
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, missing, None)
        with pytest.raises(ConfigurationError, match=rf"{missing}.*pleach-lint\[sql\]"):
            await open_sql_ledger(url)


class TestUnavailable:
    """What cannot be opened is refused loudly, and each reason by its own error."""

    async def test_no_such_folder(self, tmp_path: Path) -> None:
        """A file in a folder that does not exist is unreadable."""
        with pytest.raises(LedgerUnreadable, match="unable to open"):
            await open_sql_ledger(f"sqlite:///{tmp_path / 'none' / 'audit.db'}")

    async def test_folder(self, tmp_path: Path) -> None:
        """A folder is unreadable."""
        with pytest.raises(LedgerUnreadable, match="unable to open"):
            await open_sql_ledger(f"sqlite:///{tmp_path}")

    async def test_not_a_database(self, tmp_path: Path) -> None:
        """A file of another kind is left alone and called corrupt."""
        (tmp_path / "audit.db").write_text("notes\n" * 1000)
        with pytest.raises(LedgerCorrupt, match="not a database"):
            await open_sql_ledger(f"sqlite:///{tmp_path / 'audit.db'}")
        assert (tmp_path / "audit.db").read_text() == "notes\n" * 1000

    async def test_locked(self, tmp_path: Path) -> None:
        """A file that another process keeps locked is refused after the timeout."""
        url = f"sqlite:///{tmp_path / 'audit.db'}?timeout=0.1"
        async with aclosing(await open_sql_ledger(url)) as ledger:
            with closing(sqlite3.connect(tmp_path / "audit.db")) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(LedgerLocked, match="is locked"):
                    await ledger.open_turn(turn_record())

    @pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
    async def test_locked_before_it_was_a_ledger(self, tmp_path: Path, lock: str) -> None:
        """A file that is locked before it is opened is refused after the timeout too."""
        with closing(sqlite3.connect(tmp_path / "audit.db")) as other:
            other.execute(f"BEGIN {lock}")
            with pytest.raises(LedgerLocked):
                await open_sql_ledger(f"sqlite:///{tmp_path / 'audit.db'}?timeout=0.1")

    async def test_no_server(self) -> None:
        """A server that does not answer is unavailable; the message names it without the password."""
        port = free_port()
        with pytest.raises(LedgerUnavailable, match=f"postgresql://me@127.0.0.1:{port}/audit") as refusal:
            await open_sql_ledger(f"postgresql://me:geheim@127.0.0.1:{port}/audit")
        assert "geheim" not in said(refusal.value)

    def test_password_is_not_shown(self) -> None:
        """Neither the database nor its address shows the password."""
        database = PostgresDatabase({"user": "me", "password": "geheim", "host": "h", "port": "5", "dbname": "db"})
        assert database.address == "postgresql://me@h:5/db"
        assert "geheim" not in repr(database)

    async def test_too_old_sqlite(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A SQLite without strict tables is refused by name."""
        monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
        with pytest.raises(LedgerUnavailable, match="too old"):
            await open_sql_ledger(f"sqlite:///{tmp_path / 'audit.db'}")

    @pytest.mark.parametrize(
        ("error", "kind"),
        [
            pytest.param(sqlite3.OperationalError("attempt to write a readonly database"), LedgerUnreadable, id="r/o"),
            pytest.param(sqlite3.DatabaseError("database disk image is malformed"), LedgerCorrupt, id="damaged"),
            pytest.param(sqlite3.OperationalError("database or disk is full"), LedgerUnavailable, id="disk full"),
            pytest.param(sqlite3.IntegrityError("t is append-only: DELETE refused"), AppendOnlyViolation, id="guard"),
        ],
    )
    def test_meaning_on_sqlite(self, tmp_path: Path, error: sqlite3.Error, kind: type[LedgerError]) -> None:
        """SQLite's errors are told apart, and name the file."""
        meaning = SqliteDatabase(tmp_path / "audit.db").meaning(error)
        assert type(meaning) is kind
        assert str(meaning) == f"{tmp_path / 'audit.db'}: {error}"

    @pytest.mark.parametrize(
        ("error", "kind"),
        [
            pytest.param(psycopg.errors.LockNotAvailable("timeout"), LedgerLocked, id="lock"),
            pytest.param(psycopg.errors.InsufficientPrivilege("denied"), LedgerUnreadable, id="no right"),
            pytest.param(psycopg.errors.RestrictViolation("refused"), AppendOnlyViolation, id="guard"),
            pytest.param(psycopg.errors.DiskFull("full"), LedgerUnavailable, id="disk full"),
        ],
    )
    def test_meaning_on_postgres(self, error: psycopg.Error, kind: type[LedgerError]) -> None:
        """PostgreSQL's errors are told apart, and name the server."""
        meaning = PostgresDatabase({"host": "h"}).meaning(error)
        assert type(meaning) is kind
        assert str(meaning) == f"postgresql://@h:/: {error}"


class TestSchema:
    """The tables are made once, and only by one version."""

    async def test_newer_version(self, store: Store) -> None:
        """Tables of a newer version are refused, with both versions."""
        await check_opens(store.url)
        store.run(f"INSERT INTO harness_ledger_schema (version) VALUES ({SCHEMA_VERSION + 1})")  # noqa: S608
        with pytest.raises(LedgerSchemaMismatch, match=f"version {SCHEMA_VERSION + 1}; .* {SCHEMA_VERSION}$"):
            await open_sql_ledger(store.url)

    async def test_opened_again(self, store: Store) -> None:
        """What was recorded is there when the ledger is opened again."""
        await check_opens(store.url)
        async with aclosing(await open_sql_ledger(store.url)) as ledger:
            assert (await ledger.open_turn(turn_record())).resumed

    def test_many_at_once(self, store: Store) -> None:
        """Processes that open a new ledger at the same moment make its tables once."""
        command = [sys.executable, "-c", OPEN_IN_A_PROCESS, store.url]
        with ThreadPoolExecutor(3) as threads:
            runs = list(threads.map(lambda _: subprocess.run(command, check=False, stderr=-1), range(3)))
        assert [run.stderr for run in runs] == [b""] * 3
        assert store.fetch("SELECT version FROM harness_ledger_schema") == [(SCHEMA_VERSION,)]

    async def test_made_while_we_waited(self, postgres_url: str) -> None:
        """A process that has to wait for another one to make the tables uses those."""
        dialect = make_url(postgres_url).get_dialect()()
        with psycopg.connect(postgres_url) as other:
            other.execute("SELECT pg_advisory_xact_lock(%s)", [lock_key("harness_ledger_schema")])
            opening = asyncio.create_task(open_sql_ledger(postgres_url))
            await asyncio.to_thread(wait_for_a_waiter, postgres_url)
            for statement in (*ddl(dialect), *postgres_guards()):
                other.execute(statement.encode())
            other.execute("INSERT INTO harness_ledger_schema VALUES (%s)", [SCHEMA_VERSION])
        await (await opening).aclose()

    async def test_says_where_it_is(self, store: Store) -> None:
        """The ledger's name in logs says where it is."""
        async with aclosing(await open_sql_ledger(store.url)) as ledger:
            assert repr(ledger).startswith("<SqlLedger ")
