"""Tests of slots and landings: reserved before they are paid, landed once. Over every ledger."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.audit import Draft, at_most_one_terminal_synthesis
from pleach_runtime.counter import InMemoryTurnSynthesizeCounter
from pleach_runtime.errors import (
    LandingUnspecified,
    ProviderError,
    SynthesizeCapExceeded,
    TerminalAlreadyLanded,
    TerminalConflict,
)
from pleach_runtime.events import REJECTED, event_kind
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger.chain import verify_chain
from tests.runtime.builders import SYNTHESIZE, closing
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import GatedProvider, ScriptedProvider

if TYPE_CHECKING:
    from pleach_runtime.ledger import Ledger


class TestCap:
    """Slots."""

    async def test_one_by_default(self, ledger: Ledger) -> None:
        """At cap 1 a second message is refused before the provider is called, with what there is."""
        provider = ScriptedProvider("Draft one.")
        async with scene(setting(provider, ledger=ledger)) as of:
            await of.answer("m1")
            with pytest.raises(SynthesizeCapExceeded, match=r"'m2'.*1 of 1 used") as caught:
                await of.answer("m2")
            assert len(await of.turn.calls()) == 1
        assert len(provider.calls) == 1
        assert (caught.value.cap, caught.value.used, caught.value.last_draft) == (1, 1, Draft(text="Draft one."))

    async def test_refusal_is_an_event(self, ledger: Ledger) -> None:
        """A refusal is in the event log, with cap and count, and is not a row."""
        async with scene(setting(ledger=ledger)) as of:
            await of.answer("m1")
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")
            events = [event for event in await ledger.events("t1") if event.kind == event_kind(SYNTHESIZE, REJECTED)]
        assert [event.message_id for event in events] == ["m2"]
        assert events[0].payload == {"error": "SynthesizeCapExceeded", "cap": 1, "used": 1}

    async def test_five(self, ledger: Ledger) -> None:
        """At cap 5 the sixth message is refused, and every call is a row and an event of its own."""
        async with scene(setting(cap=5, ledger=ledger)) as of:
            for number in range(5):
                await of.answer(f"m{number}", landing=number == 4)
            with pytest.raises(SynthesizeCapExceeded, match="5 of 5"):
                await of.answer("m6", landing=False)
            rows, activity = await of.turn.calls(), await of.activity()
        assert activity.invoked[SYNTHESIZE] == tuple(row.call_id for row in rows)
        assert [row.is_terminal for row in rows] == [False] * 4 + [True]
        assert verify_chain("t1", await ledger.chain("t1")) == 5

    async def test_infinity(self, ledger: Ledger) -> None:
        """Without a cap the same events flow, and nothing is refused."""
        async with scene(setting(cap=math.inf, ledger=ledger)) as of:
            for number in range(8):
                await of.answer(f"m{number}", landing=False)
            activity = await of.activity()
            assert all(row.synthesize_cap == math.inf for row in await of.turn.calls())
        assert (len(activity.invoked[SYNTHESIZE]), activity.rejected) == (8, 0)

    async def test_concurrent_messages_fill_exactly(self, ledger: Ledger) -> None:
        """Twelve messages at once on five slots: five calls, seven refusals."""
        provider = ScriptedProvider()
        async with scene(setting(provider, cap=5, ledger=ledger)) as of:
            calls = (of.answer(f"m{number}", landing=False) for number in range(12))
            answers = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(answer, SynthesizeCapExceeded) for answer in answers) == 7
        assert len(provider.calls) == 5

    async def test_without_message_ids(self) -> None:
        """A call without a message id is a message of its own."""
        async with scene(setting(cap=2)) as of:
            results = [await of.answer(None, landing=False) for _ in range(2)]
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer(None, landing=False)
        assert results[0].row.message_id != results[1].row.message_id

    async def test_on_cap(self) -> None:
        """A handler may answer with a recorded call instead of the error."""
        hooks = RuntimeHooks(on_cap=lambda error: error.last_call)
        async with scene(setting(hooks=hooks)) as of:
            first = await of.answer("m1")
            second = await of.answer("m2")
            assert (await of.activity()).rejected == 1
        assert (second.text, second.recorded, second.row) == (first.text, True, first.row)

    async def test_on_cap_may_decline(self) -> None:
        """A handler that returns nothing lets the error through."""
        async with scene(setting(hooks=RuntimeHooks(on_cap=lambda _error: None))) as of:
            await of.answer("m1")
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")

    async def test_counter_is_asked_before_a_new_slot(self) -> None:
        """A host's counter may be stricter than the ledger, and takes nothing from a call that is refused anyway."""
        async with scene(replace(setting(), counter=StrictCounter())) as of:
            with pytest.raises(SynthesizeCapExceeded, match=r"by the counter.*0 of 1"):
                await of.answer("m1")

    async def test_bundled_counter(self) -> None:
        """With the bundled counter the cap is the configuration's, duplicates included."""
        async with scene(replace(setting(cap=2), counter=InMemoryTurnSynthesizeCounter())) as of:
            for message_id in ("m1", "m1", "m2", "m1"):
                await of.answer(message_id, landing=False)
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m3", landing=False)


class StrictCounter:
    """Allows nothing."""

    def should_allow_synthesize(self, _message_id: str, /, *, turn_id: str | None = None) -> bool:
        """Refuse."""
        return turn_id is None


class TestLanding:
    """Which call is the answer of the turn."""

    async def test_cap_one_lands(self) -> None:
        """At cap 1 the call lands without being told."""
        async with scene(setting()) as of:
            assert (await of.answer()).landed

    async def test_cap_one_may_decline(self) -> None:
        """At cap 1 a call may say that it does not land."""
        async with scene(setting()) as of:
            assert not (await of.answer(landing=False)).landed

    @pytest.mark.parametrize("cap", [2, math.inf])
    async def test_must_be_said_above_one(self, cap: float) -> None:
        """Above cap 1 a call that does not say whether it lands is refused, without taking a slot."""
        provider = ScriptedProvider()
        async with scene(setting(provider, cap=cap)) as of:
            with pytest.raises(LandingUnspecified, match="landing=True or landing=False"):
                await of.answer()
        assert provider.calls == []

    async def test_second_landing(self, ledger: Ledger) -> None:
        """A second landing message is refused before it costs anything and keeps its slot free."""
        provider = ScriptedProvider()
        async with scene(setting(provider, cap=2, ledger=ledger)) as of:
            first = await of.answer("m1", landing=True)
            with pytest.raises(TerminalAlreadyLanded, match=first.row.call_id):
                await of.answer("m2", landing=True)
            await of.answer("m3", landing=False)
        assert len(provider.calls) == 2

    async def test_landing_again_is_a_duplicate(self) -> None:
        """The message that landed may come again."""
        async with scene(setting(cap=2)) as of:
            await of.answer("m1", landing=True)
            assert (await of.answer("m1", landing=True)).landed

    async def test_concurrent_landings(self, ledger: Ledger) -> None:
        """Of landing messages at once one lands and the others cost nothing."""
        provider = ScriptedProvider()
        async with scene(setting(provider, cap=5, ledger=ledger)) as of:
            calls = (of.answer(f"m{number}", landing=True) for number in range(4))
            results = await asyncio.gather(*calls, return_exceptions=True)
            at_most_one_terminal_synthesis(await of.turn.calls())
        assert sum(isinstance(result, TerminalAlreadyLanded) for result in results) == 3
        assert len(provider.calls) == 1

    async def test_next_lands_when_the_first_fails(self) -> None:
        """A landing message that failed leaves the landing to the next."""
        async with scene(setting(ScriptedProvider(OSError()), cap=2)) as of:
            with pytest.raises(ProviderError):
                await of.answer("m1", landing=True)
            assert (await of.answer("m2", landing=True)).landed

    async def test_two_processes_land(self, ledger: Ledger) -> None:
        """When two processes land at once, the ledger keeps one terminal row and the other's spend."""
        slow = GatedProvider("Too late.")
        async with (
            scene(setting(slow, cap=2, ledger=ledger)) as first,
            scene(setting(cap=2, ledger=ledger)) as second,
        ):
            late = asyncio.create_task(first.answer("m1", landing=True))
            await slow.waiting.wait()
            await second.answer("m2", landing=True)
            slow.gate.set()
            with pytest.raises(TerminalConflict):
                await late
            rows = await second.turn.calls()
        assert [(row.message_id, row.is_terminal) for row in rows] == [("m2", True), ("m1", False)]
        assert rows[1].synthesis_quality is not None
        assert rows[1].synthesis_quality.reason == "superseded"

    async def test_passthrough(self, ledger: Ledger) -> None:
        """A turn may end without a terminal row, and say that it was meant so."""
        async with scene(setting(ledger=ledger)) as of:
            await of.answer(landing=False)
            await of.turn.close(passthrough=True)
            activity = await of.activity()
            at_most_one_terminal_synthesis(await of.turn.calls())
        assert (activity.closed, activity.passthrough) == (True, True)
        assert closing().payload == {"passthrough": False}
