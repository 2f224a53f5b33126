"""Each thing that must hold of the record of a turn, and a record that breaks it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pleach_runtime.auditing.checks import problems_of
from pleach_runtime.events import invoked_event
from pleach_runtime.ledger.archive import RecordedTurn
from pleach_runtime.ledger.chain import chained
from tests.runtime.builders import UTILITY, intent, moment, row, turn_record

ANSWER = intent("m1", landing=True, cap=2)
CHECK = intent("m2", call_class=UTILITY, cap=2)
SOUND = RecordedTurn(
    turn_record(cap=2),
    ((1, "m1"),),
    (invoked_event(CHECK), invoked_event(ANSWER)),
    chained([row(CHECK), row(ANSWER)]),
)
SECOND = intent("m3", landing=True, cap=2)
OTHER_ANSWER = invoked_event(ANSWER.model_copy(update={"attempt": 2, "started_at": moment(5)}))
NO_INTENT = invoked_event(ANSWER).model_copy(update={"payload": {"landing": 7}})


def test_sound() -> None:
    """A record as the runtime writes it has no problems."""
    assert problems_of(SOUND) == ()


def test_cache_hit_without_event() -> None:
    """An answer out of the cache needs no event: nobody was called."""
    hit = row(CHECK).model_copy(update={"cache_hit": True})
    assert problems_of(replace(SOUND, events=SOUND.events[1:], chain=chained([hit, row(ANSWER)]))) == ()


@pytest.mark.parametrize(
    ("turn", "invariant", "found"),
    [
        pytest.param(
            replace(SOUND, chain=SOUND.chain[1:]), "an unbroken chain", "it breaks at position 1", id="lost call"
        ),
        pytest.param(
            replace(
                SOUND,
                slots=((1, "m1"), (2, "m3")),
                events=(*SOUND.events, invoked_event(SECOND)),
                chain=chained([row(CHECK), row(ANSWER), row(SECOND)]),
            ),
            "at most one terminal synthesis",
            f"calls {ANSWER.call_id}, {SECOND.call_id} are terminal",
            id="two answers",
        ),
        pytest.param(
            replace(SOUND, slots=((1, "m1"), (2, "m4"), (3, "m5"))),
            "slots from 1 up to the cap",
            "3 slots at cap 2",
            id="over the cap",
        ),
        pytest.param(
            replace(SOUND, slots=((2, "m1"),)), "slots from 1 up to the cap", "slots are numbered 2", id="slot with gap"
        ),
        pytest.param(
            replace(SOUND, slots=()),
            "a slot for each synthesize message",
            f"call {ANSWER.call_id} answers message 'm1', which has none",
            id="no slot",
        ),
        pytest.param(
            replace(SOUND, events=SOUND.events[:1]),
            "an event before each call",
            f"call {ANSWER.call_id} has none",
            id="no event",
        ),
        pytest.param(
            replace(SOUND, events=(SOUND.events[0], OTHER_ANSWER)),
            "an event before each call",
            f"call {ANSWER.call_id} has another attempt, started_at",
            id="event of another attempt",
        ),
        pytest.param(
            replace(SOUND, events=(SOUND.events[0], NO_INTENT)),
            "an event before each call",
            f"call {ANSWER.call_id} has another intent, which cannot be read",
            id="event that is no intent",
        ),
        pytest.param(
            replace(SOUND, record=replace(SOUND.record, chat_id="c9"), chain=SOUND.chain[:1]),
            "calls of their turn",
            f"call {CHECK.call_id} names another chat, user-visible message or cap than its turn",
            id="another chat",
        ),
    ],
)
def test_broken(turn: RecordedTurn, invariant: str, found: str) -> None:
    """A record that breaks one thing has that one problem, with what is there instead."""
    (problem,) = problems_of(turn)
    assert (problem.turn_id, problem.invariant, problem.found) == ("t1", invariant, found)
