"""Opening ledgers to look into them: nothing is made, nothing is changed, and a folder may be read-only."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from contextlib import ExitStack, aclosing, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import LedgerLocked, LedgerMissing, LedgerUnavailable, LedgerUnreadable, UnknownTurn
from pleach_runtime.ledger.archive import opened_archive
from pleach_runtime.ledger.opening import database_at, open_sql_ledger
from pleach_runtime.ledger.sql import SqlLedger
from tests.runtime.builders import turn_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.ledger.connection import Access
    from tests.runtime.stores import Store

NOBODY = 65534


async def fill(url: str, turns: int = 1) -> None:
    """Open some turns."""
    async with aclosing(await open_sql_ledger(url)) as ledger:
        for number in range(turns):
            await ledger.open_turn(turn_record(f"t{number:04}"))


def open_and_close(url: str) -> None:
    """Open a ledger to read it, and leave it."""
    with opened_archive(url):
        pass


@pytest.fixture
def backup() -> Iterator[Path]:
    """A folder that everybody can get into."""
    with tempfile.TemporaryDirectory(prefix="pleach-backup-") as folder:
        yield Path(folder)


@contextmanager
def with_rights(folder: Path, mode: int) -> Iterator[None]:
    """Be somebody who has only these rights on a folder."""
    folder.chmod(mode)
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(NOBODY)
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


def test_all_turns(store: Store) -> None:
    """Every turn of a ledger is given once, however many there are."""
    asyncio.run(fill(store.url, turns=501))
    with opened_archive(store.url) as archive:
        assert list(archive.turn_ids()) == [f"t{number:04}" for number in range(501)]


@pytest.mark.parametrize("access", ["read", "write"])
def test_nothing_there(store: Store, access: Access) -> None:
    """Nothing is made where there is no ledger."""
    store.run("CREATE TABLE notes (note TEXT)")
    for _ in range(2):
        with pytest.raises(LedgerMissing, match="holds no ledger"):
            asyncio.run(SqlLedger.opened(database_at(store.url, access)))


async def test_reading_cannot_write(store: Store) -> None:
    """A ledger that was opened to be read refuses to be written, by its database's word."""
    await fill(store.url)
    async with aclosing(await SqlLedger.opened(database_at(store.url, "read"))) as ledger:
        with pytest.raises(LedgerUnreadable, match=r"read-?only"):
            await ledger.open_turn(turn_record("t2"))


def test_unknown_turn(store: Store) -> None:
    """A turn that was never opened is not an empty one."""
    asyncio.run(fill(store.url))
    with opened_archive(store.url) as archive, pytest.raises(UnknownTurn):
        archive.turn("t9")


def test_error_of_the_driver(store: Store) -> None:
    """What the driver says while the archive is open is told as an error of the ledger."""
    asyncio.run(fill(store.url))
    store.run("DROP TABLE harness_turn_slots")
    with pytest.raises(LedgerUnavailable, match="harness_turn_slots"), opened_archive(store.url) as archive:
        archive.turn("t0000")


def test_beside_a_writer(store: Store) -> None:
    """What another process confirmed is read while it still has the ledger open."""

    async def look() -> list[str]:
        async with aclosing(await open_sql_ledger(store.url)) as ledger:
            await ledger.open_turn(turn_record("t1"))
            with opened_archive(store.url) as archive:
                return list(archive.turn_ids())

    assert asyncio.run(look()) == ["t1"]


def test_read_only_folder(backup: Path) -> None:
    """A file in a folder where nobody may write, such as a backup, can be read."""
    url = f"sqlite:///{backup / 'audit.db'}"
    asyncio.run(fill(url))
    with with_rights(backup, 0o555), opened_archive(url) as archive:
        assert list(archive.turn_ids()) == ["t0000"]


def test_read_only_folder_with_a_log(backup: Path, tmp_path: Path) -> None:
    """What is only in the log of such a file is not left out without a word."""
    asyncio.run(copy_while_open(tmp_path / "audit.db", backup))
    with with_rights(backup, 0o555), pytest.raises(LedgerUnreadable):
        open_and_close(f"sqlite:///{backup / 'audit.db'}")


async def copy_while_open(path: Path, folder: Path) -> None:
    """Copy a ledger while its log holds turns that its file does not."""
    async with aclosing(await open_sql_ledger(f"sqlite:///{path}")) as ledger:
        await ledger.open_turn(turn_record())
        for each in (path, path.with_name("audit.db-wal")):
            shutil.copy(each, folder)


def test_hidden_folder(backup: Path) -> None:
    """A file in a folder that may not be looked into is unreadable, not missing."""
    asyncio.run(fill(f"sqlite:///{backup / 'audit.db'}"))
    with with_rights(backup, 0o600), pytest.raises(LedgerUnreadable):
        open_and_close(f"sqlite:///{backup / 'audit.db'}")


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
@pytest.mark.parametrize("access", ["read", "write"])
def test_file_of_another_program(tmp_path: Path, access: Access, journal: str) -> None:
    """A database that holds no ledger keeps its bytes, its journal and its folder, whatever it was to be opened for."""
    path = tmp_path / "notes.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute("CREATE TABLE notes (note TEXT)")
    before = path.read_bytes()
    with pytest.raises(LedgerMissing, match="holds no ledger"):
        asyncio.run(SqlLedger.opened(database_at(f"sqlite:///{path}", access)))
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    "left", [pytest.param((), id="at rest"), pytest.param(("-wal", "-shm"), id="with an empty log")]
)
@pytest.mark.parametrize("rights", [0o444, 0o644])
def test_nothing_is_left_behind(tmp_path: Path, rights: int, left: tuple[str, ...]) -> None:
    """Reading a ledger that nobody has open leaves nothing beside it, and the file as it was."""
    path = tmp_path / "audit.db"
    asyncio.run(fill(f"sqlite:///{path}"))
    before = path.read_bytes()
    path.chmod(rights)
    for suffix in left:
        path.with_name(path.name + suffix).touch()
    open_and_close(f"sqlite:///{path}")
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]


def test_log_of_a_dead_process(tmp_path: Path) -> None:
    """Turns that are only in the log of a process that died are read, and file and log stay as they were."""
    copies = tmp_path / "copies"
    copies.mkdir()
    asyncio.run(copy_while_open(tmp_path / "audit.db", copies))
    files = [copies / "audit.db", copies / "audit.db-wal"]
    before = [each.read_bytes() for each in files]
    with opened_archive(f"sqlite:///{files[0]}") as archive:
        assert list(archive.turn_ids()) == ["t1"]
    assert [each.read_bytes() for each in files] == before


@pytest.mark.parametrize("access", ["read", "write", "create"])
def test_folder(tmp_path: Path, access: Access) -> None:
    """A folder is no ledger, whatever it was to be opened for."""
    with pytest.raises(LedgerUnreadable, match=r"unable to open|not a file"):
        asyncio.run(SqlLedger.opened(database_at(f"sqlite:///{tmp_path}", access)))


def test_log_behind_a_link(tmp_path: Path, backup: Path) -> None:
    """The log of a file that is named by a link lies beside the file, and is read and left there too."""
    asyncio.run(copy_while_open(tmp_path / "audit.db", backup))
    files = [backup / "audit.db", backup / "audit.db-wal"]
    before = [each.read_bytes() for each in files]
    link = tmp_path / "link.db"
    link.symlink_to(files[0])
    with opened_archive(f"sqlite:///{link}") as archive:
        assert list(archive.turn_ids()) == ["t1"]
    assert [each.read_bytes() for each in files] == before


def test_file_of_somebody_else(backup: Path) -> None:
    """A file that one may not write is read, and no files are left that its owner could not write to."""
    path = backup / "audit.db"
    asyncio.run(fill(f"sqlite:///{path}"))
    path.chmod(0o444)
    with with_rights(backup, 0o777), opened_archive(f"sqlite:///{path}") as archive:
        assert list(archive.turn_ids()) == ["t0000"]
    assert [*backup.iterdir()] == [path]


def test_written_while_it_is_read(backup: Path) -> None:
    """Where nothing can keep writers from a file that is read, what was read is given only if nobody wrote."""
    url = f"sqlite:///{backup / 'audit.db'}"
    asyncio.run(fill(url))
    with ExitStack() as stack:
        with with_rights(backup, 0o555):
            archive = stack.enter_context(opened_archive(url))
            assert list(archive.turn_ids()) == ["t0000"]
        asyncio.run(fill(url, turns=2))
        with pytest.raises(LedgerUnavailable, match="wrote to it while it was read; try again"):
            archive.turn("t0000")


@pytest.mark.parametrize("access", ["read", "write"])
@pytest.mark.parametrize("path", [".", "/", "/dev/null"])
def test_not_a_file(path: str, access: Access) -> None:
    """What is no file is called so."""
    with pytest.raises(LedgerUnreadable, match="it is not a file"):
        asyncio.run(SqlLedger.opened(database_at(f"sqlite:///{path}", access)))


def test_file_that_may_be_written_in_a_folder_that_may_not(backup: Path) -> None:
    """A file can be read where only its folder keeps SQLite from the files that it would make."""
    path = backup / "audit.db"
    asyncio.run(fill(f"sqlite:///{path}"))
    path.chmod(0o666)
    with with_rights(backup, 0o555), opened_archive(f"sqlite:///{path}") as archive:
        assert list(archive.turn_ids()) == ["t0000"]


def test_locked_without_a_log(tmp_path: Path) -> None:
    """A file that another program has locked in the old way is locked, not read past the lock."""
    path = tmp_path / "audit.db"
    asyncio.run(fill(f"sqlite:///{path}"))
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerLocked):
            open_and_close(f"sqlite:///{path}?timeout=0.1")
