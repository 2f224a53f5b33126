"""The coding agent in `fixtures/`: it works, it is typed, and our own gate has nothing to say about it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVICE = Path(__file__).parent.parent / "fixtures" / "coding_agent"


def run(*arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a Python module in the folder of the service."""
    return subprocess.run(
        [sys.executable, "-B", "-m", *arguments],
        cwd=SERVICE,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("arguments", [pytest.param((), id="as it asks for"), pytest.param(("--strict",), id="strict")])
def test_gate_is_silent(arguments: tuple[str, ...]) -> None:
    """A service without seams of its own spells no class but where nodes declare theirs."""
    checked = run("pleach_lint", "--no-cache", *arguments, "--expect-files", "9")
    assert (checked.returncode, checked.stdout) == (0, "")
    assert "0 findings, 0 suppressed, 0 in baseline, 0 not analysed" in checked.stderr


def test_mends_the_program(tmp_path: Path) -> None:
    """With the stub it plans, slips, mends its slip, and lands one answer; every call is in the ledger."""
    ledger = tmp_path / "audit.db"
    ran = run("agent", "Make the tests pass.", env={"AGENT_LEDGER": f"sqlite:///{ledger}"})
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "once more. \nThe titles are mended: the tests pass." in ran.stdout
    assert ran.stdout.endswith("9 calls, 1 landed; the tests pass\n")
    query = "SELECT count(*), sum(terminal_synthesis), count(token_cost) FROM harness_auditable_calls"
    with sqlite3.connect(ledger) as connection:
        assert connection.execute(query).fetchone() == (9, 1, 9)


def test_declarations_are_what_happens(tmp_path: Path) -> None:
    """Every stage and class on record is a node of the source that declares it."""
    ledger = f"sqlite:///{tmp_path / 'audit.db'}"
    run("agent", env={"AGENT_LEDGER": ledger})
    drawn = run("pleach_lint", "map", "--ledger", ledger)
    assert (drawn.returncode, "drift" in drawn.stdout) == (0, False), drawn.stdout


def test_unknown_provider() -> None:
    """A deployment that names another provider is told which there are."""
    ran = run("agent", env={"AGENT_PROVIDER": "oracle"})
    assert ran.returncode == 1
    assert ran.stderr.endswith("ValueError: AGENT_PROVIDER is stub or openai, not 'oracle'\n")


def test_is_typed() -> None:
    """A strict type checker accepts it, seams of nodes included."""
    checked = run("mypy", "--config-file=", "--strict", "--cache-dir", os.devnull, "--follow-imports=silent", "agent")
    assert checked.stdout.splitlines()[-1:] == ["Success: no issues found in 9 source files"], checked.stdout
