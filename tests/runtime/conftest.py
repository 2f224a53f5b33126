"""Async tests run on a fresh event loop each; fixtures that several files share."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

import pytest

from tests.runtime.counters import in_memory, slots_of
from tests.runtime.ledgers import LEDGERS
from tests.runtime.postgres import running_server
from tests.runtime.stores import PostgresStore, SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.ledger import Ledger
    from tests.runtime.counters import MakeCounter
    from tests.runtime.postgres import Server
    from tests.runtime.stores import Store


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine test to its end: ledgers must not care which loop they are called from."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Give a PostgreSQL server of our own, started when the first test needs it."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """Give the address of an empty place in the server."""
    with postgres_server.schema() as url:
        yield url


@pytest.fixture(params=[pytest.param(name, id=name) for name in LEDGERS])
def ledger(request: pytest.FixtureRequest) -> Iterator[Ledger]:
    """Give an empty ledger of each kind, and release it afterwards."""
    name: str = request.param
    opened = asyncio.run(LEDGERS[name](request))
    yield opened
    asyncio.run(opened.aclose())


@pytest.fixture(params=["counter", *LEDGERS])
def make_counter(request: pytest.FixtureRequest) -> Iterator[MakeCounter]:
    """Give what makes counters: the bundled one, and the slots of each ledger."""
    if request.param == "counter":
        yield in_memory
        return
    opened = asyncio.run(LEDGERS[request.param](request))
    yield slots_of(opened)
    asyncio.run(opened.aclose())


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    """Give an empty database of each kind, without a ledger in it."""
    if request.param == "sqlite":
        return SqliteStore(request.getfixturevalue("tmp_path") / "audit.db")
    return PostgresStore(request.getfixturevalue("postgres_url"))
