"""Async tests run on a fresh event loop each; fixtures that several files share."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

import pytest

from tests.runtime.ledgers import LEDGERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pleach_runtime.ledger import Ledger


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine test to its end: ledgers must not care which loop they are called from."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(params=[pytest.param(name, id=name) for name in LEDGERS])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    """Give an empty ledger of each kind, and release it afterwards."""
    name: str = request.param
    opened = asyncio.run(LEDGERS[name](tmp_path))
    yield opened
    asyncio.run(opened.aclose())
