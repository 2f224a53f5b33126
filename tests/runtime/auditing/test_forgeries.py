"""Files in which somebody wrote past guards and checks what no ledger writes: told in a line that quotes nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.runtime.auditing.conftest import fill
from tests.runtime.stores import SqliteStore, drop_guards

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.auditing.conftest import Audit

NO_JSON, NO_INTENT = "payload = 'geheim'", "payload = '{\"geheim\": 1}'"
NO_EVENT, NO_ATTEMPT = (
    "an event of turn 't1' cannot be read",
    "the event of an attempt cannot be read",
)


@pytest.fixture
def file(tmp_path: Path) -> SqliteStore:
    """A file with three turns in it."""
    store = SqliteStore(tmp_path / "audit.db")
    asyncio.run(fill(store.url))
    return store


def forge(store: SqliteStore, table: str, change: str) -> None:
    """Change all rows of a table, past its guards and checks."""
    drop_guards(store, table)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"UPDATE {table} SET {change}")  # noqa: S608 - a case


@pytest.mark.parametrize(
    ("change", "command", "said"),
    [
        pytest.param(NO_JSON, "verify", NO_EVENT, id="payload that is no JSON"),
        pytest.param("kind = ''", "verify", NO_EVENT, id="event of no kind"),
        pytest.param(NO_INTENT, "verify", NO_ATTEMPT, id="attempt that is none"),
        pytest.param(NO_INTENT, "replay --turn t2", NO_ATTEMPT, id="the same, replayed"),
        pytest.param(NO_INTENT, "recover", NO_ATTEMPT, id="the same, recovered"),
        pytest.param(NO_JSON, "recover --dry-run", NO_ATTEMPT, id="the same, to be recovered"),
    ],
)
def test_events(audit: Audit, file: SqliteStore, change: str, command: str, said: str) -> None:
    """An event that is none any more is no answer, whoever reads it."""
    forge(file, "harness_events", change)
    name, *options = command.split()
    assert audit(name, file.url, *options) == (2, "", f"error: {said}\n")


@pytest.mark.parametrize("command", ["verify", "turns"])
def test_turns(audit: Audit, file: SqliteStore, command: str) -> None:
    """A turn that was opened at no moment is no answer."""
    forge(file, "harness_turns", "opened_at = 'geheim'")
    code, out, err = audit(command, file.url)
    assert (code, out) == (2, "")
    assert err in {f"error: the record of turn '{turn_id}' cannot be read\n" for turn_id in ("t1", "t3")}


@pytest.mark.parametrize("column", ["draft", "synthesis_quality"])
def test_calls(audit: Audit, file: SqliteStore, column: str) -> None:
    """A call that holds no JSON any more is a problem of its turn, as any changed call."""
    forge(file, "harness_auditable_calls", f"{column} = 'geheim'")
    code, out, err = audit("verify", file.url)
    assert (code, err) == (1, "")
    assert "calls that can be read  the one at position 1 cannot" in out
