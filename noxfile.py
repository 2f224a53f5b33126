"""The other environments that the tests must pass in: each Python, the oldest dependencies, no flake8."""

from __future__ import annotations

import re
from pathlib import Path

import nox

PYTHONS = ("3.10", "3.11", "3.12", "3.13")
TESTS = ("hypothesis", "pydantic-sarif", "pytest", "pytest-randomly", "pytest-timeout", "pytest-xdist")
AT_LEAST = re.compile(r'^  "([\w-]+)>=([\w.]+)(;[^"]*)?",$', re.MULTILINE)

nox.needs_version = ">=2024.10"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"
nox.options.sessions = ["tests-3.10", "tests-3.13", "lowest", "no_flake8"]

ELSEWHERE = ("tests/lint", "tests/runtime", "--ignore=tests/runtime/ledger/test_hammer.py")
"""What may come out differently on another Python; the main run has the rest."""
LINTER = ("tests/lint", "--ignore=tests/lint/test_seam_map_ledger.py")
"""What needs no database."""


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests on one Python."""
    session.install("--editable", ".[anthropic,flake8,langgraph,openai,otel,postgres]", "opentelemetry-sdk", *TESTS)
    run_tests(session, *ELSEWHERE)


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """Run the linter's tests with the oldest versions that the dependencies allow."""
    session.install("--editable", ".[flake8]", *TESTS, *oldest_dependencies())
    run_tests(session, *LINTER)


@nox.session
def no_flake8(session: nox.Session) -> None:
    """Run the tests of the linter where flake8 is not installed."""
    session.install("--editable", ".", *TESTS)
    session.run("python", "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('flake8') is not None)")
    run_tests(session, *LINTER, "--ignore-glob=*flake8*")


def run_tests(session: nox.Session, *chosen: str) -> None:
    """Run pytest on what was given after `--`, or on the chosen tests in two processes."""
    session.run("pytest", *(session.posargs or ("--numprocesses", "2", "--quiet", *chosen)))


def oldest_dependencies() -> list[str]:
    """The dependencies of the package, each pinned to the lowest version that `pyproject.toml` allows."""
    text = Path("pyproject.toml").read_text(encoding="utf-8")
    declared = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    found = AT_LEAST.findall(declared[1]) if declared else []
    return [f"{name}=={version}{marker}" for name, version, marker in found]
