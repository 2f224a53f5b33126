"""The event log: what happened, in order, and folds over it. Rows of calls are in `audit.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pydantic import Field, JsonValue

from pleach_runtime.audit import AuditModel, CallIntent, Id, UtcTime

if TYPE_CHECKING:
    from pleach_runtime.seams.classes import CallClass

CAP_IGNORED: Final = "config.max_synthesize_ignored"
"""The counter cannot take the configured cap; payload `requested`, `effective`, `runtimeId`. Belongs to no turn."""
TURN_CLOSED: Final = "turn.closed"
"""A turn is over; payload `passthrough`: whether it was declared to end without a synthesized answer."""
FAMILY_EXHAUSTED: Final = "[UXParity:family-exhausted]"
"""No model of the locked family answered; payload `callClass`, `family`, `models` as tried, `choices`: the other
families. `call_id` is the last attempt. The log has a line that begins with the same word."""
INVOKED: Final = "invoked"
"""Suffix. Written before a provider, or the cache, is asked, once per attempt; payload is the `CallIntent`."""
DUPLICATE: Final = "duplicate"
"""Suffix. A delivery was answered without a call: it joined a call in flight, or got the recorded answer."""
REJECTED: Final = "rejected"
"""Suffix. A call was refused before any spend; payload `error`, and `cap` and `used` where a cap refused it."""
LATE: Final = "late"
"""Suffix. An attempt ended after recovery had closed it as `unknown`; payload is the row that could not be appended."""


def event_kind(call_class: CallClass, suffix: str) -> str:
    """Return the kind of an event about a call: its class, a dot, and what happened."""
    return f"{call_class}.{suffix}"


class Event(AuditModel):
    """Something that happened, recorded once and never changed."""

    kind: Id
    """What happened, in dotted words."""
    turn_id: str | None = None
    """The turn it happened in; `None` for the runtime as a whole."""
    message_id: str | None = None
    call_id: str | None = None
    """The attempt it is about; unique among the events of an `invoked` kind."""
    payload: Mapping[str, JsonValue] = Field(default_factory=dict)
    at: UtcTime


def invoked_event(intent: CallIntent) -> Event:
    """Return the event that says that a provider is about to be called."""
    return Event(
        kind=event_kind(intent.call.call_class, INVOKED),
        turn_id=intent.turn_id,
        message_id=intent.message_id,
        call_id=intent.call_id,
        payload=intent.model_dump(mode="json"),
        at=intent.started_at,
    )


@dataclass(frozen=True)
class TurnActivity:
    """What the events of one turn add up to."""

    invoked: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Call ids of the attempts of each class, in order."""
    duplicates: int = 0
    """Deliveries that were answered without a call."""
    rejected: int = 0
    """Calls that were refused before any spend."""
    closed: bool = False
    passthrough: bool = False
    """Whether the turn was closed as one that shows the model's first draft as it is."""


def turn_activity(events: Iterable[Event]) -> TurnActivity:
    """Fold the events of one turn, in order. Other kinds, and kinds of later versions, change nothing."""
    activity = TurnActivity()
    for event in events:
        activity = _after(activity, event)
    return activity


def _after(activity: TurnActivity, event: Event) -> TurnActivity:
    subject, _, happened = event.kind.rpartition(".")
    if happened == INVOKED and event.call_id is not None:
        calls = (*activity.invoked.get(subject, ()), event.call_id)
        return replace(activity, invoked={**activity.invoked, subject: calls})
    if happened == DUPLICATE:
        return replace(activity, duplicates=activity.duplicates + 1)
    if happened == REJECTED:
        return replace(activity, rejected=activity.rejected + 1)
    if event.kind == TURN_CLOSED:
        return replace(activity, closed=True, passthrough=event.payload.get("passthrough") is True)
    return activity
