"""Small valid turns, intents and rows; a test names only what it is about."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from itertools import count
from typing import TYPE_CHECKING

from pleach_runtime.audit import CallIntent, CallSubject, Draft
from pleach_runtime.events import TURN_CLOSED, Event
from pleach_runtime.ledger import TurnRecord
from pleach_runtime.ledger.reservation import Reservation
from pleach_runtime.seams import CALL_CLASSES
from pleach_runtime.seams.rows import Ending, row_of

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall, Outcome
    from pleach_runtime.caps import Cap
    from pleach_runtime.seams import CallClass

T0 = datetime(2025, 3, 1, 12, 0, tzinfo=timezone.utc)
UTILITY, REASONING, CONVERSE, SYNTHESIZE = CALL_CLASSES
_numbers = count(1)


def moment(seconds: float) -> datetime:
    """Return the moment so many seconds after the tests' noon."""
    return T0 + timedelta(seconds=seconds)


def turn_record(turn_id: str = "t1", *, cap: Cap = 1) -> TurnRecord:
    """Return a turn of chat `c1`."""
    return TurnRecord(turn_id, "c1", f"{turn_id}-shown", "r1", cap, T0)


def intent(
    message_id: str = "m1",
    *,
    turn_id: str = "t1",
    call_class: CallClass = SYNTHESIZE,
    landing: bool = False,
    cap: Cap = math.inf,
) -> CallIntent:
    """Return an intent with a call id of its own."""
    subject = CallSubject(
        call_class=call_class, stage_id="answer", family="fam", provider="stub", requested_model="stub-1"
    )
    return CallIntent(
        call_id=f"call-{next(_numbers)}",
        chat_id="c1",
        turn_id=turn_id,
        turn_message_id=f"{turn_id}-shown",
        message_id=message_id,
        attempt=1,
        call=subject,
        fingerprint="f" * 64,
        synthesize_cap=cap,
        started_at=T0,
        landing=landing,
    )


def ending(outcome: Outcome = "ok", *, cost: int | None = 100) -> Ending:
    """Return an ending one second after the start."""
    return Ending(outcome, moment(1), draft=Draft(text="The answer."), served_model="stub-1-0301", token_cost=cost)


def row(of: CallIntent, outcome: Outcome = "ok", *, cost: int | None = 100) -> AuditableCall:
    """Return the row of an intent."""
    return row_of(of, ending(outcome, cost=cost))


def wish(of: CallIntent, *, digest: str = "d1") -> Reservation:
    """Return a wish for a slot, with two attempts per message."""
    return Reservation(of, digest, max_attempts=2)


def closing(turn_id: str = "t1", *, passthrough: bool = False) -> Event:
    """Return the event that closes a turn."""
    return Event(kind=TURN_CLOSED, turn_id=turn_id, payload={"passthrough": passthrough}, at=moment(9))
