"""Errors of what is recorded: ledgers that cannot keep a row, rows that contradict each other."""

# ruff: noqa: N818 - the names state the fact that stopped the call
from __future__ import annotations

from dataclasses import dataclass

from pleach_runtime.errors.base import PleachError


@dataclass(eq=False)
class InvariantViolation(PleachError):
    """Recorded rows contradict an invariant."""

    invariant: str
    turn_id: str
    call_ids: tuple[str, ...]
    """The calls that together break it."""

    def _message(self) -> str:
        return f"turn {self.turn_id!r} breaks {self.invariant}: calls {', '.join(self.call_ids)}"


@dataclass(eq=False)
class ReplayDivergence(PleachError):
    """A replay parts from its record."""

    turn_id: str
    stage_id: str
    fingerprint: str
    occurrence: int
    """Which attempt of this stage with this fingerprint it is, from 1."""
    problem: str

    def _message(self) -> str:
        return (
            f"the replay of turn {self.turn_id!r} diverges at stage {self.stage_id!r}, fingerprint "
            f"{self.fingerprint[:12]}, occurrence {self.occurrence}: {self.problem}"
        )


class LedgerError(PleachError):
    """The ledger refused, or could not do, what it was asked."""


@dataclass(eq=False)
class UnknownTurn(LedgerError):
    """A call of a turn that was never opened in this ledger."""

    turn_id: str

    def _message(self) -> str:
        return f"turn {self.turn_id!r} was never opened in this ledger"


@dataclass(eq=False)
class LedgerConflict(LedgerError):
    """A key that must be unique was recorded before, with other content."""

    key: str
    """Name of the key: `call_id`, `turn_id` or `attempt`."""
    value: str

    def _message(self) -> str:
        return f"{self.key} {self.value!r} is already recorded with other content"


@dataclass(eq=False)
class TerminalConflict(LedgerError):
    """A second terminal row of a turn was refused."""

    turn_id: str
    call_id: str
    """The call that came second."""

    def _message(self) -> str:
        return f"call {self.call_id} cannot be terminal: turn {self.turn_id!r} has a terminal row"


class AppendOnlyViolation(LedgerError):
    """A recorded row was about to be changed or removed."""


@dataclass(eq=False)
class ChainBroken(LedgerError):
    """The rows of a turn do not form the chain that was written."""

    turn_id: str
    position: int
    """First position that does not fit, from 1."""

    def _message(self) -> str:
        return f"the chain of turn {self.turn_id!r} is broken at position {self.position}"


@dataclass(eq=False)
class LedgerSchemaMismatch(LedgerError):
    """The ledger holds a schema that this version of the package cannot use."""

    found: int
    """Schema version of the ledger."""
    supported: int
    """Schema version of this package."""

    def _message(self) -> str:
        return f"the ledger has schema version {self.found}; this package supports {self.supported}"


class LedgerUnavailable(LedgerError):
    """The ledger cannot be opened, read or written now. Calls are refused: nothing runs unrecorded."""


class LedgerLocked(LedgerUnavailable):
    """Another process holds the ledger for too long."""


class LedgerMissing(LedgerUnavailable):
    """There is no ledger at the address, and none was to be made."""


class LedgerUnreadable(LedgerUnavailable):
    """The ledger cannot be opened: no permission, no such folder, or not a file."""


class LedgerCorrupt(LedgerUnavailable):
    """The file is not a database, or a damaged one."""
