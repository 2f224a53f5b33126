"""The edge of the command line: usage, connections, streams. Never a traceback, never a password."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from pleach_runtime.auditing import commands
from pleach_runtime.auditing.main import main
from pleach_runtime.ledger.schema import SCHEMA_VERSION
from tests.runtime.postgres import free_port
from tests.runtime.stores import SqliteStore

if TYPE_CHECKING:
    from tests.runtime.auditing.conftest import Audit
    from tests.runtime.stores import Store

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
RAW = "import sys; from pleach_runtime.auditing.main import main; main()"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param((), "Missing command", id="nothing"),
        pytest.param(("verify",), "Missing argument 'LEDGER'", id="no ledger"),
        pytest.param(("verify", "mysql://u:geheim@h/db"), "not 'mysql'", id="another database"),
        pytest.param(("verify", "postgresql://u:ge@heim@h/db"), "cannot be read", id="URL that cannot be read"),
        pytest.param(("verify", "postgresql://u:geh\udcffeim@h/db"), "cannot be read", id="URL that is no text"),
        pytest.param(("verify", "postgresql://u:geheim@h/db", "x"), "extra argument", id="an argument too many"),
        pytest.param(("verify", "a", "postgresql://u:geheim@h/db"), "extra argument (postgresql://u:***@h", id="two"),
        pytest.param(("verify", "--postgresql://u:geheim@h/db"), "No such option", id="URL for an option"),
        pytest.param(("postgresql://u:geheim@h/db",), "No such command", id="URL for a command"),
        pytest.param(
            ("replay", "--turn"), "error: Option '--turn' requires an argument", id="an option without a value"
        ),
        pytest.param(("verify", "sqlite:///none.db"), "none.db: there is no such file", id="no such file"),
        pytest.param(("recover", "sqlite:///none.db"), "none.db: there is no such file", id="nothing to recover"),
        pytest.param(("turns", "sqlite:///x.db", "--limit", "0"), "0 is not in the range", id="limit 0"),
        pytest.param(("replay", "sqlite:///x.db"), "Missing option '--turn'", id="no turn"),
    ],
)
def test_no_answer(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    """Wrong usage is told on the error stream, without a password, and makes no file."""
    monkeypatch.chdir(tmp_path)
    code, out, err = audit(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "heim" not in err
    assert [*tmp_path.iterdir()] == []


def test_no_server(audit: Audit) -> None:
    """A server that does not answer is one line, without the password."""
    port = free_port()
    code, out, err = audit("verify", f"postgresql://me:geheim@127.0.0.1:{port}/audit")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: postgresql://me@127.0.0.1:{port}/audit: ")
    assert "geheim" not in err


def test_newer_schema(audit: Audit, filled: Store) -> None:
    """A ledger of a newer version is named with both versions."""
    filled.run(f"INSERT INTO harness_ledger_schema (version) VALUES ({SCHEMA_VERSION + 1})")  # noqa: S608
    said = f"error: the ledger has schema version {SCHEMA_VERSION + 1}; this package supports {SCHEMA_VERSION}\n"
    assert audit("turns", filled.url) == (2, "", said)


@pytest.mark.parametrize("command", ["verify", "recover"])
def test_not_a_ledger(audit: Audit, store: Store, command: str) -> None:
    """A database without a ledger is left as it is."""
    store.run("CREATE TABLE notes (note TEXT)")
    code, _, err = audit(command, store.url)
    assert code == 2
    assert err.endswith(": it holds no ledger\n")


@pytest.mark.parametrize("command", ["verify", "recover"])
@pytest.mark.parametrize("versions", ["", "INSERT INTO harness_ledger_schema VALUES ('x')"])
def test_table_of_the_same_name(audit: Audit, tmp_path: Path, command: str, versions: str) -> None:
    """A database with a table that is called as ours, and names no version, is left as it is."""
    store = SqliteStore(tmp_path / "other.db")
    store.run("CREATE TABLE harness_ledger_schema (version TEXT)", *filter(None, [versions]))
    before = store.path.read_bytes()
    said = "error: the table harness_ledger_schema names no version of a ledger\n"
    assert audit(command, store.url) == (2, "", said)
    assert store.path.read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("turns", "--chat", "c\udcff"), id="chat"),
        pytest.param(("verify", "--turn", "t\udcff"), id="turn"),
        pytest.param(("replay", "--turn", "t\udcff"), id="turn that is needed"),
    ],
)
def test_id_that_is_no_text(audit: Audit, filled: Store, arguments: tuple[str, ...]) -> None:
    """An id that is not UTF-8 is wrong usage."""
    code, out, err = audit(arguments[0], filled.url, *arguments[1:])
    assert (code, out) == (2, "")
    assert "an id is text, and this is not UTF-8" in err


def test_from_the_environment(audit: Audit, filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger may be named by a variable, so that a password is not on the command line."""
    monkeypatch.setenv("PLEACH_LEDGER", filled.url)
    assert audit("verify").code == 0


def test_fault_of_ours(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours is one line too, and no password is in it."""

    def fail(_: str) -> None:
        raise ValueError("geheim went wrong")

    monkeypatch.setattr(commands, "opened_archive", fail)
    answer = audit("verify", "sqlite:///x.db?password=geheim")
    assert answer == (2, "", "error: ValueError: *** went wrong; please report it\n")


def test_interrupted(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends it with 130."""

    def interrupt(_: str) -> None:
        raise click.Abort

    monkeypatch.setattr(commands, "opened_archive", interrupt)
    assert audit("verify", "sqlite:///x.db") == (130, "", "")


def test_missing_extra(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SQLAlchemy, the extra that brings it is named."""
    monkeypatch.delitem(sys.modules, "pleach_runtime.auditing.commands")
    monkeypatch.setitem(sys.modules, "pleach_runtime.ledger.archive", None)
    code, _, err = audit("verify", "sqlite:///x.db")
    assert (code, err.count("\n")) == (2, 1)
    assert "install pleach-lint[sql]" in err


def test_help(audit: Audit) -> None:
    """Help and version are answers."""
    assert audit("--help").code == audit("turns", "-h").code == 0
    assert audit("--version").out.startswith("pleach-audit, version ")


def test_nobody_reads(filled: Store) -> None:
    """Whoever stops reading, as `head` does, is not told about it."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", RAW, "turns", filled.url]
    ran = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_nobody_reads_the_help() -> None:
    """Whoever stops reading the help is not told about it either, nor by an exit code that means something."""
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run([sys.executable, "-c", RAW, "--help"], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (ran.returncode, ran.stderr) == (0, b"")


@FULL
def test_full_disk(filled: Store) -> None:
    """An answer that cannot be written is told in a line, as no fault of ours."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", RAW, "turns", filled.url]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (2, b"error: [Errno 28] No space left on device\n")


@FULL
def test_full_disk_for_errors() -> None:
    """Where not even the failure can be told, the exit code still says that there is no answer."""
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([sys.executable, "-c", RAW, "verify", "none"], stderr=full, check=False)
    assert ran.returncode == 2


def test_streams_of_another_kind(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that have no encoding are written to as they are."""
    out = StringIO()
    monkeypatch.setattr(sys, "argv", ["pleach-audit", "rollup", filled.url, "--turn", "t2"])
    monkeypatch.setattr(sys, "stdout", out)
    with pytest.raises(SystemExit, match="0"):
        main()
    assert out.getvalue() == "no calls\n"
