"""Ledgers, and how to open one from a URL. SQLAlchemy is imported when a SQL ledger is opened, not before."""

from __future__ import annotations

from typing import Final

from pleach_runtime.ledger.memory import MemoryLedger
from pleach_runtime.ledger.protocol import (
    CapLeak,
    ClassCost,
    Ledger,
    LedgerReader,
    LedgerWriter,
    OpenedTurn,
    TerminalLeak,
    TurnRecord,
)

__all__ = [
    "MEMORY_URL",
    "CapLeak",
    "ClassCost",
    "Ledger",
    "LedgerReader",
    "LedgerWriter",
    "MemoryLedger",
    "OpenedTurn",
    "TerminalLeak",
    "TurnRecord",
    "open_ledger",
]

MEMORY_URL: Final = "memory:"


async def open_ledger(url: str) -> Ledger:
    """Open the ledger at a URL; what does not exist yet is made.

    Args:
        url: `memory:`, or what `pleach_runtime.ledger.opening.open_sql_ledger` takes: `sqlite:///audit.db`,
            `postgresql://user@host/database`.

    Raises:
        LedgerUnavailable: if it cannot be opened.
        LedgerSchemaMismatch: if it was written by another version of this package.
    """
    if url == MEMORY_URL:
        return MemoryLedger()
    # Memory alone must not cost the import of SQLAlchemy.
    from pleach_runtime.ledger.opening import open_sql_ledger  # noqa: PLC0415

    return await open_sql_ledger(url)
