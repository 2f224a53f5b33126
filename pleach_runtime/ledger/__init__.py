"""Ledgers, and how to open one from a URL. SQLAlchemy is imported when a SQL ledger is opened, not before."""

from __future__ import annotations

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
    "CapLeak",
    "ClassCost",
    "Ledger",
    "LedgerReader",
    "LedgerWriter",
    "MemoryLedger",
    "OpenedTurn",
    "TerminalLeak",
    "TurnRecord",
]
