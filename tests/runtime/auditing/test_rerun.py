"""`replay --program`: the host's own code, run again over the record of a turn."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.request import SeamRequest
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import config

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_runtime.runtime import SessionRuntime
    from pleach_runtime.turn import Turn
    from tests.runtime.auditing.conftest import Audit
    from tests.runtime.stores import Store

CONFIG = config()
ARGUMENTS = ("--turn", "t1", "--program", f"{__name__}:program", "--config", f"{__name__}:CONFIG")


async def program(runtime: SessionRuntime, turn: Turn) -> None:
    """Check, then answer."""
    await runtime.utility_seam.invoke(SeamRequest.from_text("Done?"), turn=turn, stage_id="check")
    await runtime.synthesize_seam.invoke(SeamRequest.from_text("Why?"), turn=turn, stage_id="answer")


async def other_program(runtime: SessionRuntime, turn: Turn) -> None:
    """Ask something else, and answer nothing."""
    await runtime.utility_seam.invoke(SeamRequest.from_text("Ready?"), turn=turn, stage_id="check")


async def leaving_program(_runtime: SessionRuntime, _turn: Turn) -> None:
    """Leave the process."""
    raise SystemExit(0)


async def cancelled_program(_runtime: SessionRuntime, _turn: Turn) -> None:
    """Give up as a task does that was cancelled."""
    raise asyncio.CancelledError


class Outcome(BaseException):
    """Ends a program past every `except Exception`, as the outcomes of test frameworks do."""


async def ending_program(_runtime: SessionRuntime, _turn: Turn) -> None:
    """End with an outcome of its own."""
    raise Outcome("skipped\nhere \x1b[31m")


async def interrupted_program(_runtime: SessionRuntime, _turn: Turn) -> None:
    """Be interrupted."""
    raise KeyboardInterrupt


async def talking_program(runtime: SessionRuntime, turn: Turn) -> None:
    """Tell what it does."""
    sys.stdout.write("asking\n")
    await program(runtime, turn)


async def failing_program(_: SessionRuntime, __: Turn) -> None:
    """Fail."""
    raise ValueError("oh")


async def record(url: str) -> None:
    """Run the program once, for good."""
    async with aclosing(await open_sql_ledger(url)) as ledger, scene(setting(ledger=ledger)) as at:
        await program(at.runtime, at.turn)


def test_identical(audit: Audit, store: Store) -> None:
    """The same program makes the same calls, and the ledger is as it was."""
    asyncio.run(record(store.url))
    before = store.fetch("SELECT COUNT(*) FROM harness_events")
    said = "replayed 2 calls and 0 tool calls; recorded 2 calls and 0 tool calls: identical\n"
    assert audit("replay", store.url, *ARGUMENTS) == (0, said, "")
    assert store.fetch("SELECT COUNT(*) FROM harness_events") == before


def test_another_program(audit: Audit, store: Store) -> None:
    """A program that makes other calls is told where it parts from the record, and the exit code says so."""
    asyncio.run(record(store.url))
    code, out, err = audit("replay", store.url, *ARGUMENTS, "--program", f"{__name__}:other_program")
    assert (code, err) == (1, "")
    assert "diverges at stage 'check'" in out
    assert "recorded, and not made again: call " in out
    assert "the program ended with " in out
    assert out.endswith(": not the same\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("failing_program", "--program ended with ValueError: oh", id="it fails"),
        pytest.param("leaving_program", "--program ended with SystemExit: 0", id="it leaves the process"),
        pytest.param("cancelled_program", "--program was cancelled", id="it is cancelled"),
        pytest.param("ending_program", "ended with Outcome: skipped here \\x1b[31m\n", id="it ends past exceptions"),
        pytest.param("record", "--program ended with TypeError: ", id="it takes something else"),
    ],
)
def test_program_fails(audit: Audit, store: Store, name: str, said: str) -> None:
    """A program that fails by itself is no answer, and nobody's fault but its own."""
    asyncio.run(record(store.url))
    code, out, err = audit("replay", store.url, *ARGUMENTS, "--program", f"{__name__}:{name}")
    assert (code, out) == (2, "")
    assert said in err


def test_interrupted(audit: Audit, store: Store) -> None:
    """Ctrl-C in the program ends the command as any other Ctrl-C."""
    asyncio.run(record(store.url))
    answer = audit("replay", store.url, *ARGUMENTS, "--program", f"{__name__}:interrupted_program")
    assert (answer.code, answer.out) == (130, "")


def test_what_the_program_prints(audit: Audit, store: Store) -> None:
    """What the program prints does not get into the answer, which may be JSON."""
    asyncio.run(record(store.url))
    options = ("--program", f"{__name__}:talking_program", "--output-format", "json")
    answer = audit("replay", store.url, *ARGUMENTS, *options)
    assert json.loads(answer.out)["identical"]
    assert answer.err == "asking\n"


def test_json(audit: Audit, store: Store) -> None:
    """The same as JSON."""
    asyncio.run(record(store.url))
    answer = audit("replay", store.url, *ARGUMENTS, "--output-format", "json")
    document = json.loads(answer.out)
    assert (document["identical"], document["divergences"], document["unconsumed"]) == (True, [], [])
    assert document["recorded"] == document["replayed"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(("--program", "a:b"), "need each other", id="no configuration"),
        pytest.param(("--config", "a:b"), "need each other", id="no program"),
        pytest.param((*ARGUMENTS[2:], "--drafts"), "--drafts shows the record", id="drafts"),
        pytest.param(("--program", "program", "--config", "a:b"), "say MODULE:NAME, not program", id="no module"),
        pytest.param(("--program", "no_such:x", "--config", "a:b"), "No module named 'no_such'", id="missing module"),
        pytest.param(("--program", "json:no_such", "--config", "a:b"), "cannot be loaded", id="missing name"),
        pytest.param(("--program", "json:__name__", *ARGUMENTS[4:]), "is not a function", id="no function"),
        pytest.param((*ARGUMENTS[2:4], "--config", "json:loads"), "not a SessionRuntimeConfig", id="no config"),
    ],
)
def test_usage(audit: Audit, options: tuple[str, ...], said: str) -> None:
    """What cannot be run is told before the ledger is opened, and leaves the search path as it was."""
    path = [*sys.path]
    code, out, err = audit("replay", "sqlite:///none.db", "--turn", "t1", *options)
    assert (code, out) == (2, "")
    assert said in err
    assert sys.path == path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("import sys; sys.exit('bye')", "SystemExit: bye", id="leaves"),
        pytest.param("1 / 0", "ZeroDivisionError: division by zero", id="fails"),
        pytest.param("def (", "SyntaxError: invalid syntax", id="is no Python"),
        pytest.param("print(1); raise BaseException('skipped')", "BaseException: skipped", id="skips"),
    ],
)
def test_program_that_cannot_be_imported(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    """A program that leaves the process or fails while it is imported is told of in words."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "unfit_program.py").write_text(line, encoding="utf-8")
    arguments = ("--turn", "t1", "--program", "unfit_program:run", "--config", f"{__name__}:CONFIG")
    code, out, err = audit("replay", "sqlite:///none.db", *arguments)
    assert (code, out) == (2, "")
    assert f"error: --program: unfit_program:run cannot be loaded: {said}" in err
    assert "Traceback" not in err


def test_import_that_is_interrupted(audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the program is imported ends the command as any other Ctrl-C."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow_program.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    arguments = ("--turn", "t1", "--program", "slow_program:run", "--config", f"{__name__}:CONFIG")
    code, out, err = audit("replay", "sqlite:///none.db", *arguments)
    assert (code, out, err.strip()) == (130, "", "")
