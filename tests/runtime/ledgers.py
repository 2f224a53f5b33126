"""Every ledger that the contract suite runs over: a name, and how to open an empty one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.ledger.opening import open_sql_ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    import pytest

    from pleach_runtime.ledger import Ledger


async def _memory(_: pytest.FixtureRequest) -> Ledger:
    return MemoryLedger()


async def _sqlite(request: pytest.FixtureRequest) -> Ledger:
    folder: Path = request.getfixturevalue("tmp_path")
    return await open_sql_ledger(f"sqlite:///{folder / 'audit.db'}")


async def _postgres(request: pytest.FixtureRequest) -> Ledger:
    url: str = request.getfixturevalue("postgres_url")
    return await open_sql_ledger(url)


LEDGERS: dict[str, Callable[[pytest.FixtureRequest], Coroutine[object, object, Ledger]]] = {
    "memory": _memory,
    "sqlite": _sqlite,
    "postgres": _postgres,
}
