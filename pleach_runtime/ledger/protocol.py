"""What every ledger guarantees, in words and types. The ledgers themselves are beside this file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

    from pleach_runtime.audit import AuditableCall, CallIntent
    from pleach_runtime.caps import Cap
    from pleach_runtime.events import Event
    from pleach_runtime.ledger.chain import ChainLink
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.seams.classes import CallClass

AppendOutcome: TypeAlias = Literal["appended", "duplicate"]
"""`duplicate`: the very same row was recorded before; nothing was written."""


@dataclass(frozen=True)
class TurnRecord:
    """A turn, as it was first opened."""

    turn_id: str
    chat_id: str
    turn_message_id: str
    """The user-visible message of the turn."""
    runtime_id: str
    """The runtime that opened the turn first."""
    synthesize_cap: Cap
    """The cap of the turn; `math.inf` is no cap. It never changes, whatever runtime opens the turn later."""
    opened_at: datetime
    """UTC."""


@dataclass(frozen=True)
class OpenedTurn:
    """What a runtime gets when it opens a turn."""

    record: TurnRecord
    """The turn as first opened: its cap is the one in force."""
    resumed: bool
    """Whether the turn was in the ledger before."""


@dataclass(frozen=True)
class ClassCost:
    """What the calls of one class cost in a turn."""

    call_class: CallClass
    calls: int
    """Rows of this class, whatever their outcome."""
    token_cost: int | None
    """Sum of the known costs in nano-USD; `None` if no row has a known cost."""
    unpriced_calls: int
    """Rows whose cost is unknown and therefore missing from the sum."""


@dataclass(frozen=True)
class CapLeak:
    """A turn with more slots than its cap allows. Its existence is a bug or a forgery."""

    turn_id: str
    reserved_slots: int
    cap: int


@dataclass(frozen=True)
class TerminalLeak:
    """A turn with more than one terminal row. Its existence is a bug or a forgery."""

    turn_id: str
    call_ids: tuple[str, ...]
    """The terminal calls, in chain order."""


class LedgerWriter(Protocol):
    """The writing half of a ledger.

    Append-only: what was recorded is never changed and never removed. When a method returns, what it recorded is as
    durable as the ledger is (in memory: until the process ends; SQL: after a kill -9 of every process). Every method
    may be called from any thread and any event loop, and by any number of processes where the ledger is shared.
    A method that is cancelled has recorded all or nothing.

    Raises:
        LedgerUnavailable: from every method, if the ledger cannot be reached now. Callers then make no provider call.
    """

    async def open_turn(self, turn: TurnRecord, /) -> OpenedTurn:
        """Record the turn, or return it as it was first opened. The first opener's cap stands.

        Raises:
            LedgerConflict: if the turn id is recorded with another `chat_id` or `turn_message_id`.
        """
        ...

    async def close_turn(self, turn_id: str, event: Event, /) -> None:
        """Record that this process is done with the turn. It may be opened again; its record stays in force.

        Args:
            turn_id: the turn.
            event: the `turn.closed` event to append.
        """
        ...

    async def begin(self, intent: CallIntent, /) -> None:
        """Record the `invoked` event of a call that needs no slot, as it is given.

        Raises:
            UnknownTurn: if the turn was never opened here.
            LedgerConflict: if the `call_id` has such an event.
        """
        ...

    async def reserve(self, wish: Reservation, /) -> ReservationVerdict:
        """Decide by `judge_reservation` and, if granted, record slot and `invoked` event: in one step, exactly.

        Under any number of tasks, threads, event loops and processes on this ledger, never more slots are granted
        than the turn's cap, and never fewer: nothing is refused while a slot is free. Slots are numbered from 1
        without gaps and are never given back.

        Raises:
            UnknownTurn: if the turn was never opened here.
        """
        ...

    async def append(self, row: AuditableCall, /) -> AppendOutcome:
        """Record the row at the end of the chain of its turn.

        Raises:
            UnknownTurn: if the turn was never opened here.
            TerminalConflict: if the row is terminal and the turn has another terminal row; nothing is recorded.
            LedgerConflict: if the `call_id` is recorded with other content, or is new but repeats the message id and
                attempt of a recorded synthesize row; nothing is recorded. A `call_id` is looked at first: repeating a
                recorded row exactly is a `duplicate`, terminal or not.
        """
        ...

    async def append_event(self, event: Event, /) -> None:
        """Record an event that is not of an `invoked` kind. Its turn need not be known."""
        ...

    async def recover(
        self, *, started_before: datetime, ended_at: datetime, turn_id: str | None = None
    ) -> tuple[AuditableCall, ...]:
        """Append the `unknown` row of every attempt that has none and started before a moment.

        Safe beside other recoveries: one row per attempt. An attempt that is still running elsewhere must have started
        later than `started_before`, or its real row will find the `unknown` one in its place.

        Args:
            started_before: attempts that started at this moment or later are left alone.
            ended_at: `ended_at` of the rows.
            turn_id: only the attempts of this turn; `None` is all turns.

        Returns:
            The rows that were appended, in the order in which their attempts were recorded.
        """
        ...

    async def aclose(self) -> None:
        """Release what the ledger holds open. A second call does nothing."""
        ...


class LedgerReader(Protocol):
    """The reading half of a ledger. An unknown turn has no rows, no events and no cost."""

    async def calls(self, turn_id: str, /) -> tuple[AuditableCall, ...]:
        """Return the rows of a turn, in chain order."""
        ...

    async def events(self, turn_id: str | None = None, /) -> tuple[Event, ...]:
        """Return the events of a turn in the order they were recorded; `None` is those that belong to no turn."""
        ...

    async def chain(self, turn_id: str, /) -> tuple[ChainLink, ...]:
        """Return the chain of a turn as stored, by position; `verify_chain` checks it."""
        ...

    async def rollup(self, turn_id: str, /) -> tuple[ClassCost, ...]:
        """Return the cost per class, in the order of `CALL_CLASSES`; a class without rows is left out.

        Source: the documentation of Pleach, "callClass on the audit row".
        """
        ...

    async def cap_leaks(self) -> tuple[CapLeak, ...]:
        """Return the turns with more slots than their cap, by turn id: empty unless something is badly wrong."""
        ...

    async def terminal_leaks(self) -> tuple[TerminalLeak, ...]:
        """Return the turns with two or more terminal rows, by turn id: empty unless something is badly wrong."""
        ...


class Ledger(LedgerWriter, LedgerReader, Protocol):
    """Where turns, slots, events and audit rows are kept."""
