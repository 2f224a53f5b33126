"""What every ledger must do when a slot is asked for: the same tests over each of them."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.events import INVOKED, event_kind
from pleach_runtime.ledger.reservation import Conflict, Exhausted, Finished, Granted, InFlight, Landed, Spent
from tests.runtime.builders import (
    SYNTHESIZE,
    T0,
    intent,
    row,
    turn_record,
    wish,
)

if TYPE_CHECKING:
    from pleach_runtime.audit import Outcome
    from pleach_runtime.ledger import Ledger


from tests.runtime.recording import granted, recorded


async def test_slots_are_numbered_from_one(ledger: Ledger) -> None:
    """Distinct messages get the slots 1, 2, 3 and the next is refused."""
    await ledger.open_turn(turn_record(cap=3))
    slots = [(await granted(ledger, intent(f"m{number}"))).slot_no for number in range(3)]
    assert slots == [1, 2, 3]
    assert await ledger.reserve(wish(intent("m4"))) == Exhausted(3, 3)


async def test_uncapped_never_refuses(ledger: Ledger) -> None:
    """Without a cap every message gets its slot."""
    await ledger.open_turn(turn_record(cap=math.inf))
    slots = [(await granted(ledger, intent(f"m{number}"))).slot_no for number in range(20)]
    assert slots == list(range(1, 21))


async def test_turns_count_apart(ledger: Ledger) -> None:
    """The same message id in two turns is two messages."""
    for turn_id in ("t1", "t2"):
        await ledger.open_turn(turn_record(turn_id))
        assert (await granted(ledger, intent("m1", turn_id=turn_id))).slot_no == 1


async def test_refusal_is_not_remembered(ledger: Ledger) -> None:
    """A refused message leaves no trace in the count."""
    await ledger.open_turn(turn_record(cap=1))
    await granted(ledger, intent("m1"))
    for _ in range(2):
        assert await ledger.reserve(wish(intent("m2"))) == Exhausted(1, 1)


async def test_in_flight(ledger: Ledger) -> None:
    """A message whose attempt has no row yet is in flight, at any cap."""
    await ledger.open_turn(turn_record(cap=1))
    first = await granted(ledger, intent("m1"))
    assert await ledger.reserve(wish(intent("m1"))) == InFlight(first.intent.call_id, T0)


async def test_other_request(ledger: Ledger) -> None:
    """A message id with another request is a conflict, in flight or finished."""
    await ledger.open_turn(turn_record(cap=2))
    first = await granted(ledger, intent("m1"))
    assert await ledger.reserve(wish(intent("m1"), digest="d2")) == Conflict("d1")
    await ledger.append(row(first.intent))
    assert await ledger.reserve(wish(intent("m1"), digest="d2")) == Conflict("d1")


@pytest.mark.parametrize("outcome", ["ok", "refused"])
async def test_finished(ledger: Ledger, outcome: Outcome) -> None:
    """An answered message is answered from the record, and is not called again."""
    await ledger.open_turn(turn_record())
    answered = await recorded(ledger, intent("m1"), outcome)
    assert await ledger.reserve(wish(intent("m1"))) == Finished(answered)


@pytest.mark.parametrize("outcome", ["error", "aborted", "unknown", "thin", "empty"])
async def test_retry_on_the_same_slot(ledger: Ledger, outcome: Outcome) -> None:
    """A message without a good answer is tried again on its slot, even when every slot is taken."""
    await ledger.open_turn(turn_record(cap=1))
    await recorded(ledger, intent("m1"), outcome)
    again = await granted(ledger, intent("m1"))
    assert (again.slot_no, again.intent.attempt) == (1, 2)


@pytest.mark.parametrize("outcome", ["error", "aborted", "unknown"])
async def test_attempts_run_out(ledger: Ledger, outcome: Outcome) -> None:
    """A message that failed in every allowed attempt is refused."""
    await ledger.open_turn(turn_record())
    for _ in range(2):
        await recorded(ledger, intent("m1"), outcome)
    assert await ledger.reserve(wish(intent("m1"))) == Spent(2)


async def test_weak_draft_is_the_answer_in_the_end(ledger: Ledger) -> None:
    """A draft that stays thin is the recorded answer once the attempts are used up."""
    await ledger.open_turn(turn_record())
    await recorded(ledger, intent("m1"), "empty")
    last = await recorded(ledger, intent("m1"), "thin")
    assert await ledger.reserve(wish(intent("m1"))) == Finished(last)


async def test_landed(ledger: Ledger) -> None:
    """A second landing message is refused before it takes a slot; one that does not land may go on."""
    await ledger.open_turn(turn_record(cap=3))
    first = await recorded(ledger, intent("m1", landing=True))
    assert await ledger.reserve(wish(intent("m2", landing=True))) == Landed(first.call_id)
    assert (await granted(ledger, intent("m3"))).slot_no == 2


async def test_concurrent_tasks_fill_exactly(ledger: Ledger) -> None:
    """Forty tasks on five slots, each message twice: five are granted, no more and no fewer."""
    await ledger.open_turn(turn_record(cap=5))
    wishes = [wish(intent(f"m{number % 20}")) for number in range(40)]
    verdicts = await asyncio.gather(*map(ledger.reserve, wishes))
    assert sorted(verdict.slot_no for verdict in verdicts if isinstance(verdict, Granted)) == [1, 2, 3, 4, 5]


async def test_grant_writes_one_event(ledger: Ledger) -> None:
    """Each grant is one event with the attempt in it; refusals write none."""
    await ledger.open_turn(turn_record(cap=1))
    first = await granted(ledger, intent("m1"))
    await ledger.reserve(wish(intent("m2")))
    (event,) = await ledger.events("t1")
    assert event.kind == event_kind(SYNTHESIZE, INVOKED)
    assert (event.call_id, event.message_id) == (first.intent.call_id, "m1")
    assert event.payload == first.intent.model_dump(mode="json")
