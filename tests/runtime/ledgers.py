"""Every ledger that the contract suite runs over: a name, and how to open an empty one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.ledger import MemoryLedger

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from pleach_runtime.ledger import Ledger


async def _memory(_: Path) -> Ledger:
    return MemoryLedger()


LEDGERS: dict[str, Callable[[Path], Coroutine[object, object, Ledger]]] = {"memory": _memory}
