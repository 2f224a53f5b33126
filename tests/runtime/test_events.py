"""Tests of events and their fold."""

from __future__ import annotations

from pleach_runtime.events import (
    DUPLICATE,
    REJECTED,
    Event,
    TurnActivity,
    event_kind,
    invoked_event,
    turn_activity,
)
from tests.runtime.builders import SYNTHESIZE, T0, UTILITY, closing, intent


def test_kind() -> None:
    """The event of the answer class has the name that Pleach gives it."""
    assert invoked_event(intent()).kind == "synthesize.invoked"


def test_invoked_event_holds_the_intent() -> None:
    """From the event alone the attempt can be closed."""
    of = intent(landing=True)
    event = invoked_event(of)
    assert type(of).model_validate(event.payload) == of
    assert (event.call_id, event.message_id, event.turn_id, event.at) == (of.call_id, "m1", "t1", T0)


def test_activity_of_nothing() -> None:
    """A turn without events has done nothing."""
    assert turn_activity([]) == TurnActivity()


def test_activity() -> None:
    """Attempts are told apart by class and kept in order; answers from the record and refusals are counted."""
    calls = [intent("m1"), intent("m2"), intent(call_class=UTILITY)]
    noted = [Event(kind=event_kind(SYNTHESIZE, suffix), turn_id="t1", at=T0) for suffix in (DUPLICATE, REJECTED)]
    other = [Event(kind="later.version", at=T0), Event(kind="odd.invoked", at=T0)]
    activity = turn_activity([*map(invoked_event, calls), *noted, *other, closing(passthrough=True)])
    assert activity.invoked == {SYNTHESIZE: (calls[0].call_id, calls[1].call_id), UTILITY: (calls[2].call_id,)}
    assert (activity.duplicates, activity.rejected, activity.closed, activity.passthrough) == (1, 1, True, True)
