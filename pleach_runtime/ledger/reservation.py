"""Whether a synthesize attempt may go ahead: one decision for every ledger. Locking is each ledger's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pleach_runtime.audit import AuditableCall, CallIntent, Outcome
    from pleach_runtime.caps import Cap

ANSWERED: Final[frozenset[Outcome]] = frozenset({"ok", "refused"})
"""Outcomes after which a message is never sent again."""
WEAK: Final[frozenset[Outcome]] = frozenset({"thin", "empty"})
"""Outcomes that are tried again while attempts are left, and are the answer when none is."""


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Reservation:
    """A wish to call a provider for a message of a turn."""

    intent: CallIntent
    """The call to come. Its `attempt` is ignored: the ledger gives the next free one."""
    request_digest: str
    """Digest of the request as the caller gave it, before any nudge: what a duplicate must repeat."""
    max_attempts: int
    """Attempts allowed per message, the first included."""
    admit: Callable[[], bool] = _always
    """Asked once, under the turn's lock, when a new slot is about to be granted; if it says no, nothing is recorded.
    Quick, does not touch the ledger, and says the same when it is asked again for the same message."""


@dataclass(frozen=True)
class SlotState:
    """The slot of one message, and how its latest attempt stands."""

    slot_no: int
    """Which slot of the turn it is, from 1."""
    request_digest: str
    """Digest of the request that took the slot."""
    last_intent: CallIntent
    """The latest attempt."""
    last_row: AuditableCall | None
    """The row of the latest attempt; `None` while it has none (in flight, or its process died)."""


@dataclass(frozen=True)
class TurnState:
    """All that a reservation depends on, read under the turn's lock."""

    cap: Cap
    """The cap that was recorded when the turn was opened."""
    used: int
    """Slots taken in this turn."""
    slot: SlotState | None
    """The slot of the message that is asked for; `None` if it has none."""
    terminal_call_id: str | None
    """The call that landed the answer of the turn; `None` if none did."""


@dataclass(frozen=True)
class Granted:
    """Go ahead: slot and `invoked` event are recorded."""

    slot_no: int
    intent: CallIntent
    """The attempt as recorded, with its number."""


@dataclass(frozen=True)
class Finished:
    """The message has its answer; nothing was recorded."""

    row: AuditableCall


@dataclass(frozen=True)
class InFlight:
    """The latest attempt has no row yet; nothing was recorded."""

    call_id: str
    started_at: datetime


@dataclass(frozen=True)
class Conflict:
    """The message was sent with another request; nothing was recorded."""

    recorded_digest: str


@dataclass(frozen=True)
class Landed:
    """The call means to land and the turn has its answer; nothing was recorded."""

    terminal_call_id: str


@dataclass(frozen=True)
class Spent:
    """The message failed in every attempt that it is allowed; nothing was recorded."""

    attempts: int


@dataclass(frozen=True)
class Exhausted:
    """A new message, and no slot for it; nothing was recorded."""

    cap: Cap
    used: int
    """Slots taken: fewer than the cap only if the host's counter refused, see `Reservation.admit`."""


Refusal: TypeAlias = Conflict | Landed | Spent | Exhausted
ReservationVerdict: TypeAlias = Granted | Finished | InFlight | Refusal


def judge_reservation(wish: Reservation, turn: TurnState) -> ReservationVerdict:
    """Decide on a reservation. The caller holds the turn's lock, and records slot and event if it is granted."""
    slot = turn.slot
    standing = None if slot is None else _standing(wish, slot)
    if standing is not None:
        return standing
    if slot is None and turn.used >= turn.cap:
        return Exhausted(turn.cap, turn.used)
    if wish.intent.landing and turn.terminal_call_id is not None:
        return Landed(turn.terminal_call_id)
    if slot is None:
        return _granted(wish, turn.used + 1, attempt=1) if wish.admit() else Exhausted(turn.cap, turn.used)
    if slot.last_intent.attempt >= wish.max_attempts:
        return Spent(slot.last_intent.attempt)
    return _granted(wish, slot.slot_no, attempt=slot.last_intent.attempt + 1)


def _standing(wish: Reservation, slot: SlotState) -> Conflict | Finished | InFlight | None:
    if slot.request_digest != wish.request_digest:
        return Conflict(slot.request_digest)
    row = slot.last_row
    if row is None:
        return InFlight(slot.last_intent.call_id, slot.last_intent.started_at)
    used_up = row.attempt >= wish.max_attempts
    if row.outcome in ANSWERED or (row.outcome in WEAK and used_up):
        return Finished(row)
    return None


def _granted(wish: Reservation, slot_no: int, attempt: int) -> Granted:
    intent = wish.intent
    if intent.attempt != attempt:
        intent = intent.model_copy(update={"attempt": attempt})
    return Granted(slot_no, intent)
