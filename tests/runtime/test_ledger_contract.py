"""What every ledger must do: the same tests over each of them."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import ChainBroken, LedgerConflict, TerminalConflict, UnknownTurn
from pleach_runtime.events import INVOKED, Event, event_kind, turn_activity
from pleach_runtime.ledger import ClassCost
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.reservation import Exhausted
from pleach_runtime.seams import is_synthesize
from pleach_runtime.seams.rows import superseded
from tests.runtime.builders import (
    CONVERSE,
    REASONING,
    SYNTHESIZE,
    T0,
    UTILITY,
    closing,
    intent,
    moment,
    row,
    turn_record,
    wish,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pleach_runtime.ledger import Ledger


from tests.runtime.recording import granted, recorded


class TestTurns:
    """Opening and closing."""

    async def test_open_new(self, ledger: Ledger) -> None:
        """A turn that is opened first is recorded as given."""
        opened = await ledger.open_turn(turn_record(cap=5))
        assert (opened.record, opened.resumed) == (turn_record(cap=5), False)

    async def test_open_again_keeps_the_first_cap(self, ledger: Ledger) -> None:
        """A turn that is opened again keeps the cap of its first opener."""
        await ledger.open_turn(turn_record(cap=2))
        again = await ledger.open_turn(turn_record(cap=9))
        assert (again.record.synthesize_cap, again.resumed) == (2, True)

    async def test_uncapped_turn(self, ledger: Ledger) -> None:
        """Infinity comes back as infinity."""
        await ledger.open_turn(turn_record(cap=math.inf))
        assert (await ledger.open_turn(turn_record(cap=1))).record.synthesize_cap == math.inf

    async def test_same_id_other_chat(self, ledger: Ledger) -> None:
        """A turn id of another chat is a conflict, not the same turn."""
        await ledger.open_turn(turn_record())
        stolen = turn_record()
        with pytest.raises(LedgerConflict, match="turn_id 't1'"):
            await ledger.open_turn(type(stolen)("t1", "c2", stolen.turn_message_id, "r1", 1, T0))

    async def test_closed_turn_remembers(self, ledger: Ledger) -> None:
        """Closing and opening a turn again gives no slot back."""
        await ledger.open_turn(turn_record(cap=1))
        await recorded(ledger, intent("m1"))
        await ledger.close_turn("t1", closing())
        await ledger.open_turn(turn_record(cap=1))
        assert await ledger.reserve(wish(intent("m2"))) == Exhausted(1, 1)

    async def test_close_is_an_event(self, ledger: Ledger) -> None:
        """Closing is in the event log, with what the turn ended as."""
        await ledger.open_turn(turn_record())
        await ledger.close_turn("t1", closing(passthrough=True))
        assert await ledger.events("t1") == (closing(passthrough=True),)

    @pytest.mark.parametrize(
        "operation",
        [
            pytest.param(lambda ledger: ledger.begin(intent()), id="begin"),
            pytest.param(lambda ledger: ledger.reserve(wish(intent())), id="reserve"),
            pytest.param(lambda ledger: ledger.append(row(intent())), id="append"),
            pytest.param(lambda ledger: ledger.close_turn("t1", closing()), id="close"),
        ],
    )
    async def test_never_opened(self, ledger: Ledger, operation: Callable[[Ledger], Awaitable[object]]) -> None:
        """Nothing is recorded for a turn that was never opened."""
        with pytest.raises(UnknownTurn, match="'t1'"):
            await operation(ledger)


class TestRows:
    """Appending."""

    async def test_round_trip(self, ledger: Ledger) -> None:
        """A row comes back equal, in the order of appending."""
        await ledger.open_turn(turn_record(cap=math.inf))
        rows = tuple([await recorded(ledger, intent(f"m{number}")) for number in range(3)])
        assert await ledger.calls("t1") == rows

    async def test_unknowns_stay_unknown(self, ledger: Ledger) -> None:
        """A cost or token count that nobody knows comes back as None, and 0 as 0."""
        await ledger.open_turn(turn_record())
        await ledger.append(row(intent(call_class=UTILITY), cost=None))
        await ledger.append(row(intent(call_class=UTILITY), cost=0))
        assert [call.token_cost for call in await ledger.calls("t1")] == [None, 0]

    async def test_same_row_twice(self, ledger: Ledger) -> None:
        """Appending a row again changes nothing and says so."""
        await ledger.open_turn(turn_record())
        appended = await recorded(ledger, intent(landing=True))
        assert await ledger.append(appended) == "duplicate"
        assert await ledger.calls("t1") == (appended,)

    async def test_same_call_other_content(self, ledger: Ledger) -> None:
        """A call id with other content is a conflict, and the first row stands."""
        await ledger.open_turn(turn_record())
        appended = await recorded(ledger, intent())
        with pytest.raises(LedgerConflict, match="call_id"):
            await ledger.append(appended.model_copy(update={"token_cost": 999}))
        assert await ledger.calls("t1") == (appended,)

    async def test_attempt_is_unique(self, ledger: Ledger) -> None:
        """Two rows for one attempt of a message are a conflict."""
        await ledger.open_turn(turn_record())
        await recorded(ledger, intent("m1"))
        with pytest.raises(LedgerConflict, match="attempt"):
            await ledger.append(row(intent("m1"), "error"))

    async def test_other_classes_may_repeat(self, ledger: Ledger) -> None:
        """Only synthesize messages are told apart by attempt."""
        await ledger.open_turn(turn_record())
        for _ in range(2):
            await ledger.append(row(intent("m1", call_class=REASONING)))
        assert len(await ledger.calls("t1")) == 2

    async def test_second_terminal_is_refused(self, ledger: Ledger) -> None:
        """A second terminal row is refused; kept as superseded it is recorded, so the spend stays audited."""
        await ledger.open_turn(turn_record(cap=2))
        late = (await granted(ledger, intent("m2", landing=True))).intent
        await recorded(ledger, intent("m1", landing=True))
        with pytest.raises(TerminalConflict, match=late.call_id):
            await ledger.append(row(late))
        assert await ledger.append(superseded(row(late))) == "appended"
        assert [call.is_terminal for call in await ledger.calls("t1")] == [True, False]

    async def test_terminal_is_per_turn(self, ledger: Ledger) -> None:
        """Each turn may have its own terminal row."""
        for turn_id in ("t1", "t2"):
            await ledger.open_turn(turn_record(turn_id))
            await recorded(ledger, intent(turn_id=turn_id, landing=True))
        assert await ledger.terminal_leaks() == ()


class TestChain:
    """The hash chain of a turn."""

    async def test_verifies(self, ledger: Ledger) -> None:
        """The chain of a turn holds, counted per turn from 1."""
        for turn_id in ("t1", "t2"):
            await ledger.open_turn(turn_record(turn_id, cap=math.inf))
        for number in range(6):
            await recorded(ledger, intent(f"m{number}", turn_id=f"t{number % 2 + 1}"))
        assert verify_chain("t1", await ledger.chain("t1")) == 3
        assert [link.position for link in await ledger.chain("t2")] == [1, 2, 3]

    async def test_concurrent_appends_do_not_fork(self, ledger: Ledger) -> None:
        """Rows that are appended at once still form one chain."""
        await ledger.open_turn(turn_record())
        await asyncio.gather(*(ledger.append(row(intent(call_class=UTILITY))) for _ in range(20)))
        assert verify_chain("t1", await ledger.chain("t1")) == 20

    async def test_loss_is_found(self, ledger: Ledger) -> None:
        """A row that is missing from the middle breaks the chain at its place."""
        await ledger.open_turn(turn_record())
        for _ in range(3):
            await ledger.append(row(intent(call_class=UTILITY)))
        links = await ledger.chain("t1")
        with pytest.raises(ChainBroken, match="position 2"):
            verify_chain("t1", (links[0], links[2]))

    async def test_unknown_turn_is_empty(self, ledger: Ledger) -> None:
        """A turn that was never opened has an empty chain, no rows, no events and no cost."""
        assert await ledger.chain("nope") == ()
        assert (await ledger.calls("nope"), await ledger.events("nope"), await ledger.rollup("nope")) == ((), (), ())


class TestEvents:
    """The event log."""

    async def test_begin_writes_the_event(self, ledger: Ledger) -> None:
        """A call without a slot leaves its intent before the provider is called."""
        await ledger.open_turn(turn_record())
        call = intent(call_class=CONVERSE)
        await ledger.begin(call)
        activity = turn_activity(await ledger.events("t1"))
        assert activity.invoked == {CONVERSE: (call.call_id,)}

    async def test_begin_twice(self, ledger: Ledger) -> None:
        """One attempt has one such event."""
        await ledger.open_turn(turn_record())
        call = intent(call_class=UTILITY)
        await ledger.begin(call)
        with pytest.raises(LedgerConflict, match="call_id"):
            await ledger.begin(call)

    async def test_order_is_kept(self, ledger: Ledger) -> None:
        """Events come back in the order they were recorded, grants among them."""
        await ledger.open_turn(turn_record())
        await ledger.append_event(Event(kind="note.one", turn_id="t1", payload={"n": 1, "deep": [None, "ü"]}, at=T0))
        await granted(ledger, intent())
        await ledger.append_event(Event(kind="note.two", turn_id="t1", at=T0))
        kinds = [event.kind for event in await ledger.events("t1")]
        assert kinds == ["note.one", event_kind(SYNTHESIZE, INVOKED), "note.two"]
        assert (await ledger.events("t1"))[0].payload == {"n": 1, "deep": [None, "ü"]}

    async def test_no_turn(self, ledger: Ledger) -> None:
        """Events of no turn are apart from those of turns."""
        stray = Event(kind="config.note", at=T0)
        await ledger.append_event(stray)
        assert await ledger.events() == (stray,)
        assert await ledger.events("t1") == ()


class TestRollup:
    """What a turn cost."""

    async def test_by_class(self, ledger: Ledger) -> None:
        """Costs are summed per class; rows without a price are counted beside the sum."""
        await ledger.open_turn(turn_record())
        for call_class, cost in [(CONVERSE, None), (UTILITY, 3), (UTILITY, 4), (UTILITY, None)]:
            await ledger.append(row(intent(call_class=call_class), cost=cost))
        assert await ledger.rollup("t1") == (ClassCost(UTILITY, 3, 7, 1), ClassCost(CONVERSE, 1, None, 1))

    async def test_large_sums_are_exact(self, ledger: Ledger) -> None:
        """Sums of nano-USD do not lose digits, and have no bound of their own."""
        await ledger.open_turn(turn_record())
        for cost in (2**63 - 1, 2**63 - 1, 2**32 - 1, 0):
            await ledger.append(row(intent(call_class=UTILITY), cost=cost))
        assert (await ledger.rollup("t1"))[0].token_cost == 2**64 + 2**32 - 3

    async def test_no_leaks(self, ledger: Ledger) -> None:
        """Recovery retries and uncapped turns are no cap leak."""
        await ledger.open_turn(turn_record("t1", cap=1))
        await ledger.open_turn(turn_record("t2", cap=math.inf))
        for _ in range(2):
            await recorded(ledger, intent("m1"), "empty")
        for number in range(9):
            await recorded(ledger, intent(f"m{number}", turn_id="t2"))
        assert await ledger.cap_leaks() == ()


class TestRecovery:
    """Attempts whose process died before the row."""

    async def test_closes_orphans(self, ledger: Ledger) -> None:
        """An attempt without a row gets one that says unknown: no cost, no draft, not terminal."""
        await ledger.open_turn(turn_record())
        orphan = (await granted(ledger, intent(landing=True))).intent
        (found,) = await ledger.recover(started_before=moment(1), ended_at=moment(60))
        assert (found.call_id, found.outcome, found.token_cost, found.draft) == (orphan.call_id, "unknown", None, None)
        assert not found.is_terminal
        assert await ledger.calls("t1") == (found,)

    async def test_then_the_message_is_tried_again(self, ledger: Ledger) -> None:
        """A recovered message goes on with its next attempt, on its slot."""
        await ledger.open_turn(turn_record())
        await granted(ledger, intent("m1"))
        await ledger.recover(started_before=moment(1), ended_at=moment(60))
        again = await granted(ledger, intent("m1"))
        assert (again.slot_no, again.intent.attempt) == (1, 2)

    async def test_leaves_the_young_alone(self, ledger: Ledger) -> None:
        """An attempt that started at the moment or later may still be running."""
        await ledger.open_turn(turn_record())
        await granted(ledger, intent())
        assert await ledger.recover(started_before=T0, ended_at=moment(60)) == ()

    async def test_only_one_turn(self, ledger: Ledger) -> None:
        """Recovery of one turn leaves the others as they are."""
        for turn_id in ("t1", "t2"):
            await ledger.open_turn(turn_record(turn_id))
            await granted(ledger, intent(turn_id=turn_id))
        found = await ledger.recover(started_before=moment(1), ended_at=moment(60), turn_id="t2")
        assert [call.turn_id for call in found] == ["t2"]

    async def test_any_class(self, ledger: Ledger) -> None:
        """A call without a slot is recovered too, and only rows of the answer class carry a quality."""
        await ledger.open_turn(turn_record())
        await ledger.begin(intent(call_class=UTILITY))
        (found,) = await ledger.recover(started_before=moment(1), ended_at=moment(60))
        assert not is_synthesize(found.call.call_class)
        assert found.synthesis_quality is None

    async def test_at_once(self, ledger: Ledger) -> None:
        """Recoveries side by side write one row per attempt."""
        await ledger.open_turn(turn_record())
        await granted(ledger, intent())
        found = await asyncio.gather(
            *(ledger.recover(started_before=moment(1), ended_at=moment(60 + number)) for number in range(4))
        )
        assert sorted(map(len, found)) == [0, 0, 0, 1]
        assert len(await ledger.calls("t1")) == 1

    async def test_late_row_conflicts(self, ledger: Ledger) -> None:
        """The real row of an attempt that was recovered too early is a conflict, not a silent loss."""
        await ledger.open_turn(turn_record())
        slow = (await granted(ledger, intent())).intent
        await ledger.recover(started_before=moment(1), ended_at=moment(60))
        with pytest.raises(LedgerConflict, match="call_id"):
            await ledger.append(row(slow))


async def test_close_twice(ledger: Ledger) -> None:
    """Releasing a ledger twice is fine."""
    await ledger.aclose()
    await ledger.aclose()
