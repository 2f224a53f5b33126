"""Tests for `pleach-lint map --ledger`: what is recorded, held against what is declared."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from pleach_runtime import CallClassRoutes, ProviderResponse, SeamRequest, SessionRuntime, SessionRuntimeConfig
from tests.lint.test_seam_map import PROVEN, SEAMS, drawn
from tests.runtime.postgres import running_server

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_runtime import ProviderCall
    from tests.conftest import Project, Run

NODES = "Node(stage_id='answer', accepts_seam='synthesize')\nNode(stage_id='plan', accepts_seam='utility')\n"
SQLITE = "sqlite:///audit.db"


class Stub:
    """Answers without a model."""

    name = "stub"

    async def complete(self, call: ProviderCall) -> ProviderResponse:
        """Repeat what was asked."""
        return ProviderResponse.of_text(str(call.request.messages[-1].content))


async def _record(url: str) -> None:
    config = SessionRuntimeConfig(models=CallClassRoutes.uniform("stub-1"))
    async with (
        SessionRuntime.boot(config, provider=Stub(), ledger=url) as runtime,
        runtime.turn(chat_id="chat-1") as turn,
    ):
        asked = SeamRequest.from_text("Why?")
        await runtime.utility_seam.invoke(asked, turn=turn, stage_id="plan")
        await runtime.utility_seam.invoke(asked, turn=turn, stage_id="plan")
        await runtime.synthesize_seam.invoke(asked, turn=turn, stage_id="answer")


def record(url: str) -> None:
    """Let the runtime record three calls of two stages."""
    asyncio.run(_record(url))


@pytest.fixture
def seams(project: Project) -> Path:
    """A project that has seams and nothing else."""
    return project(SEAMS)


def test_no_drift(project: Project, run: Run) -> None:
    """Where every recorded stage declares its class, the ledger confirms the map."""
    project({**SEAMS, "app.py": NODES})
    record(SQLITE)
    code, out, _ = run("map", "--ledger", SQLITE)
    assert (code, out.splitlines()[-1]) == (0, PROVEN)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("", [("answer", "synthesize", 1), ("plan", "utility", 2)], id="nothing is declared"),
        pytest.param(NODES.replace("'utility'", "'converse'"), [("plan", "utility", 2)], id="another class"),
        pytest.param(NODES.replace("'plan'", "'plans'"), [("plan", "utility", 2)], id="another stage"),
        pytest.param(
            NODES.replace("stage_id='plan', ", "").replace("Node(a", "plan = Node(a"),
            [("plan", "utility", 2)],
            id="no stage",
        ),
    ],
)
def test_drift(project: Project, run: Run, code: str, expected: list[tuple[str, str, int]]) -> None:
    """What is recorded and not declared is drift, and breaks the proof."""
    project({**SEAMS, "app.py": code})
    record(SQLITE)
    assert run("map", "--ledger", SQLITE).code == 1
    found = drawn(run, "--ledger", SQLITE)["drift"]
    assert [(each["stage"], each["class"], each["calls"]) for each in found] == expected


def test_how_drift_is_drawn(project: Project, run: Run) -> None:
    """Drift is a tree of its own, and a mark on the class that it is of."""
    project({**SEAMS, "app.py": NODES.replace("'plan'", "'plans'")})
    record(SQLITE)
    text = run("map", "--ledger", SQLITE).out
    assert "drift: recorded in sqlite:///audit.db, declared by no node\n└─ recorded plan utility" in text
    assert text.splitlines()[-1] == "not proven: 1 recorded stage is declared by no node"
    assert "drift0 -.-> utility" in run("map", "--output-format", "mermaid", "--ledger", SQLITE).out
    assert "utility: 2 calls" in run("map", "--output-format", "html", "--ledger", SQLITE).out


def test_a_class_that_nobody_knows(project: Project, run: Run) -> None:
    """A recorded class that is none of the four is drift as well."""
    project(SEAMS)
    with sqlite3.connect("audit.db") as other:
        other.execute("CREATE TABLE harness_auditable_calls (stage_id TEXT, call_class TEXT)")
        other.execute("INSERT INTO harness_auditable_calls VALUES ('plan', 'other')")
    other.close()
    mermaid = run("map", "--output-format", "mermaid", "--ledger", SQLITE)
    assert mermaid.code == 1
    assert "drift0>" in mermaid.out
    assert "drift0 -.->" not in mermaid.out


def test_a_server(project: Project, run: Run) -> None:
    """A ledger in PostgreSQL is read as one in a file is."""
    project({**SEAMS, "app.py": NODES})
    with running_server() as server, server.schema() as url:
        record(url)
        assert run("map", "--ledger", url).code == 0
        assert run("map", "--ledger", url.replace("postgresql://", "postgres://"), "seams").code == 1


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param("sqlite:///gone.db", "sqlite:///gone.db: there is no such file", id="no file"),
        pytest.param("sqlite:///app.py", "file is not a database", id="no database"),
        pytest.param("sqlite:///empty.db", "it has no table harness_auditable_calls", id="no ledger"),
        pytest.param("mysql://host/x", "takes sqlite:///FILE or postgresql://", id="another database"),
        pytest.param("audit.db", "takes sqlite:///FILE or postgresql://", id="no URL"),
        pytest.param(
            "postgresql://u:s3cret@127.0.0.1:1/x?sslkey=s3cret", "u:***@127.0.0.1:1/x cannot be read", id="no server"
        ),
        pytest.param("postgresql://u:server@127.0.0.1:1/x", "cannot be read: OperationalError", id="a telling reason"),
        pytest.param("postgresql://u:s3cret@[::1/x", "takes sqlite:///FILE or", id="not a URL"),
        pytest.param("postgresql://u:s3cret@h:port/x", "takes sqlite:///FILE or", id="no port"),
        pytest.param(
            "postgresql://u:s3cret@127.0.0.1:1/x?nonsense=s3cret",
            "u:***@127.0.0.1:1/x cannot be read",
            id="an odd option",
        ),
    ],
)
def test_ledgers_that_cannot_be_read(project: Project, run: Run, url: str, message: str) -> None:
    """A ledger that cannot be read is no answer; the reason is one line and holds no password."""
    project({**SEAMS, "app.py": NODES * 200, "empty.db": b""})
    code, out, err = run("map", "--ledger", url)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err
    assert "s3cret" not in err


@pytest.mark.parametrize(
    ("module", "url", "extra"),
    [
        pytest.param("sqlalchemy.exc", SQLITE, "pleach-lint[sql]", id="SQLAlchemy"),
        pytest.param("psycopg", "postgresql://u@h/x", "pleach-lint[postgres]", id="the driver"),
    ],
)
@pytest.mark.usefixtures("seams")
def test_what_is_not_installed(run: Run, monkeypatch: pytest.MonkeyPatch, module: str, url: str, extra: str) -> None:
    """What is missing is named with the extra that brings it."""
    monkeypatch.setitem(sys.modules, module, None)
    code, _, err = run("map", "--ledger", url)
    assert code == 2
    assert f"install {extra}" in err


def test_the_ledger_is_left_as_it_is(project: Project, run: Run) -> None:
    """Reading changes no byte of the file, and leaves nothing beside it."""
    root = project({**SEAMS, "app.py": NODES})
    record(SQLITE)
    before = (root / "audit.db").read_bytes()
    run("map", "--ledger", SQLITE)
    assert (root / "audit.db").read_bytes() == before
    assert [*root.glob("audit.db*")] == [root / "audit.db"]


def test_beside_a_log(project: Project, run: Run) -> None:
    """What is in the log of a program that has the ledger open is counted, and stays there."""
    root = project(SEAMS)
    with closing(sqlite3.connect("audit.db")) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE harness_auditable_calls (stage_id TEXT, call_class TEXT)")
        other.execute("INSERT INTO harness_auditable_calls VALUES ('plan', 'utility')")
        other.commit()
        before = (root / "audit.db-wal").read_bytes()
        assert len(drawn(run, "--ledger", SQLITE)["drift"]) == 1
        assert (root / "audit.db-wal").read_bytes() == before
