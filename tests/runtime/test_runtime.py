"""Tests of boot, turns and the end of a runtime."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.counter import InMemoryTurnSynthesizeCounter
from pleach_runtime.errors import (
    CapLockedError,
    ConfigurationError,
    CounterContractError,
    LedgerConflict,
    LedgerUnavailable,
    RuntimeClosed,
    SynthesizeCapExceeded,
    TurnBusy,
)
from pleach_runtime.events import CAP_IGNORED
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.runtime import CapIgnoredWarning, SessionRuntime
from pleach_runtime.seams import CALL_CLASSES, CallClassRoutes
from tests.runtime.odd_counters import Forgetful, Full, Minimal, OneArgument
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import GatedProvider, ScriptedProvider, ask, config

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_runtime.counter import TurnSynthesizeCounter


class ClosableLedger(MemoryLedger):
    """Knows whether it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    async def aclose(self) -> None:
        """Remember it."""
        self.closed = True


class TestBoot:
    """What is settled once."""

    async def test_seams(self) -> None:
        """A runtime has one seam of each class, and the answer's is the holder's."""
        runtime = await SessionRuntime.boot(config(), provider=ScriptedProvider(), ledger="memory:")
        seams = (runtime.utility_seam, runtime.reasoning_seam, runtime.converse_seam, runtime.synthesize_seam)
        assert tuple(seam.call_class for seam in seams) == CALL_CLASSES
        assert runtime.holder.get() is runtime.synthesize_seam
        await runtime.aclose()

    async def test_missing_models(self) -> None:
        """A class without a model is found at boot, with all the others."""
        models = CallClassRoutes(converse="m")
        with pytest.raises(ConfigurationError, match="no model for utility, reasoning, synthesize"):
            await SessionRuntime.boot(config(models=models), provider=ScriptedProvider(), ledger="memory:")

    async def test_routing_wins_over_models(self) -> None:
        """A route of the configuration is the model that is really called."""
        provider = ScriptedProvider()
        routes = CallClassRoutes(synthesize="stub-big")
        async with scene(setting(provider, per_call_class_model_routing=routes)) as of:
            await of.answer()
            await of.runtime.utility_seam.invoke(ask(), turn=of.turn, stage_id="router")
        assert [call.model for call in provider.calls] == ["stub-big", "stub-1"]

    async def test_resolve_model(self) -> None:
        """The adapter says where a seam's calls go."""
        async with scene(setting(family="fam")) as of:
            resolved = of.runtime.router.resolve_model(of.runtime.synthesize_seam)
        assert (resolved.call_class, resolved.family, resolved.provider, resolved.model) == (
            CALL_CLASSES[3],
            "fam",
            "stub",
            "stub-1",
        )

    async def test_ledger_from_a_url_is_closed(self, tmp_path: Path) -> None:
        """A ledger that was opened from a URL is closed with the runtime; what is in it stays."""
        url = f"sqlite:///{tmp_path / 'audit.db'}"
        for expected in (0, 1):
            async with SessionRuntime.boot(config(), provider=ScriptedProvider(), ledger=url) as runtime:
                assert len(await runtime.ledger.calls("t1")) == expected
                async with runtime.turn(chat_id="c1", turn_id="t1") as turn:
                    await runtime.synthesize_seam.invoke(ask(), turn=turn, stage_id="answer", message_id="m1")
            with pytest.raises(LedgerUnavailable):
                await runtime.ledger.calls("t1")

    async def test_given_ledger_is_left_open(self) -> None:
        """A ledger that was given is the host's to close."""
        ledger = ClosableLedger()
        async with scene(setting(ledger=ledger)):
            pass
        assert not ledger.closed

    async def test_failed_boot_closes_what_it_opened(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A boot that fails leaves nothing open."""
        ledger = ClosableLedger()

        async def open_it(_url: str) -> ClosableLedger:
            return ledger

        monkeypatch.setattr("pleach_runtime.runtime.open_ledger", open_it)
        with pytest.raises(ConfigurationError):
            await SessionRuntime.boot(config(models=CallClassRoutes()), provider=ScriptedProvider(), ledger="memory:")
        assert ledger.closed

    async def test_failed_boot_leaves_a_given_ledger(self) -> None:
        """A boot that fails does not close what it did not open."""
        ledger = ClosableLedger()
        with pytest.raises(ConfigurationError):
            await SessionRuntime.boot(config(models=CallClassRoutes()), provider=ScriptedProvider(), ledger=ledger)
        assert not ledger.closed


class TestCounters:
    """What boot makes of a host's counter."""

    @pytest.mark.parametrize(
        ("counter", "cap"),
        [
            pytest.param(None, 5, id="no counter"),
            pytest.param(InMemoryTurnSynthesizeCounter(), 5, id="the bundled one"),
            pytest.param(Minimal(), 1, id="one that cannot take the cap"),
        ],
    )
    async def test_effective_cap(self, counter: TurnSynthesizeCounter | None, cap: int) -> None:
        """The cap in force is the configured one, or 1 if the counter cannot take it."""
        async with scene(replace(setting(cap=5), counter=counter)) as of:
            assert of.runtime.effective_max_synthesize_per_turn == cap
            assert of.turn.synthesize_cap == cap

    async def test_ignored_cap_is_an_event(self) -> None:
        """An ignored cap changes nothing and raises nothing, but leaves a trace."""
        base = replace(setting(cap=math.inf), counter=Minimal())
        async with scene(base) as of:
            await of.answer("m1")
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")
            (event,) = await base.ledger.events()
        assert event.kind == CAP_IGNORED
        assert event.payload == {"requested": "Infinity", "effective": 1, "runtimeId": of.runtime.runtime_id}

    async def test_cap_of_one_is_not_ignored(self) -> None:
        """A counter without a setter honours the cap of 1."""
        base = replace(setting(), counter=Minimal())
        async with scene(base):
            assert await base.ledger.events() == ()

    async def test_warn(self) -> None:
        """A host may want a warning."""
        base = replace(setting(cap=5, on_unsupported_cap="warn"), counter=Minimal())
        with pytest.warns(CapIgnoredWarning, match="the cap is 1, not 5"):
            async with scene(base):
                pass

    async def test_raise(self) -> None:
        """A host may want an error; the trace is left all the same."""
        base = replace(setting(cap=5, on_unsupported_cap="raise"), counter=Minimal())
        with pytest.raises(CounterContractError, match=r"Minimal.*no set_max_per_turn"):
            await scene(base).__aenter__()
        assert len(await base.ledger.events()) == 1

    async def test_locked_after_boot(self) -> None:
        """The bundled counter does not let anybody raise the cap later."""
        counter = InMemoryTurnSynthesizeCounter()
        async with scene(replace(setting(), counter=counter)):
            with pytest.raises(CapLockedError):
                counter.set_max_per_turn(5)

    async def test_one_runtime_per_counter(self) -> None:
        """A counter that serves a runtime is refused by the next."""
        counter = InMemoryTurnSynthesizeCounter()
        async with scene(replace(setting(), counter=counter)):
            with pytest.raises(CounterContractError, match="CapLockedError"):
                await SessionRuntime.boot(config(), provider=ScriptedProvider(), ledger="memory:", counter=counter)

    async def test_failed_boot_leaves_the_counter_alone(self) -> None:
        """A boot that fails for another reason does not use up the one cap that a counter takes."""
        base = replace(setting(cap=5, models=CallClassRoutes()), counter=InMemoryTurnSynthesizeCounter())
        with pytest.raises(ConfigurationError):
            await scene(base).__aenter__()
        async with scene(replace(base, config=config(5))) as of:
            assert of.runtime.effective_max_synthesize_per_turn == 5

    async def test_counter_is_asked_with_the_turn(self) -> None:
        """A counter that takes the turn id gets it, once per new message."""
        counter = Full()
        async with scene(replace(setting(cap=5), counter=counter)) as of:
            for message_id in ("m1", "m1", "m2"):
                await of.answer(message_id, landing=False)
        assert (counter.caps, counter.asked) == ([5], [("m1", "t1"), ("m2", "t1")])

    async def test_forgets_closed_turns(self) -> None:
        """A counter that wants to know is told once, when the last handle of a turn is closed."""
        counter = Forgetful()
        async with scene(replace(setting(), counter=counter)) as of:
            async with of.runtime.turn(chat_id="c1", turn_id="t1"):
                pass
            assert counter.forgotten == []
        assert counter.forgotten == ["t1"]

    async def test_one_turn_at_a_time(self) -> None:
        """Beside a counter that takes no turn id only one turn may be open, in as many handles as wanted."""
        async with scene(replace(setting(), counter=OneArgument())) as of:
            with pytest.raises(TurnBusy, match="'t2' cannot open while 't1' is open"):
                await of.runtime.open_turn(chat_id="c1", turn_id="t2")
            await (await of.runtime.open_turn(chat_id="c1", turn_id="t1")).close()
            assert (await of.answer()).landed
            await of.turn.close()
            await (await of.runtime.open_turn(chat_id="c1", turn_id="t2")).close()


class TestTurns:
    """Opening and closing."""

    async def test_ids_are_minted(self) -> None:
        """A turn without ids gets its own."""
        async with scene(setting()) as of:
            turns = [await of.runtime.open_turn(chat_id="c1") for _ in range(2)]
            for turn in turns:
                await turn.close()
        assert turns[0].turn_id != turns[1].turn_id
        assert turns[0].record.turn_message_id == f"{turns[0].turn_id}:answer"

    async def test_closed_after_an_error(self) -> None:
        """A turn is closed whatever ends its block."""
        async with scene(setting()) as of:
            with pytest.raises(KeyError):
                async with of.runtime.turn(chat_id="c1", turn_id="t2"):
                    raise KeyError("host")
            assert [event.kind for event in await of.runtime.ledger.events("t2")] == ["turn.closed"]

    async def test_first_cap_stands(self) -> None:
        """A turn that another runtime opened keeps the cap of that runtime."""
        first = setting(cap=1)
        async with scene(first), scene(setting(cap=5, ledger=first.ledger)) as second:
            assert second.turn.synthesize_cap == 1

    async def test_other_chat(self) -> None:
        """A turn id that belongs to another chat is refused, and leaves no handle behind."""
        async with scene(replace(setting(), counter=OneArgument())) as of:
            await of.turn.close()
            with pytest.raises(LedgerConflict, match="'t1'"):
                await of.runtime.open_turn(chat_id="c2", turn_id="t1")
            await (await of.runtime.open_turn(chat_id="c1", turn_id="t2")).close()

    async def test_turns_are_apart(self) -> None:
        """Two open turns share nothing."""
        async with scene(setting()) as of, of.runtime.turn(chat_id="c1", turn_id="t2") as other:
            await of.answer("m1")
            seam = of.runtime.synthesize_seam
            assert (await seam.invoke(ask(), turn=other, stage_id="answer", message_id="m1")).landed


class TestEnd:
    """Closing a runtime."""

    async def test_no_turn_after_the_end(self) -> None:
        """A closed runtime opens no turn, and closing it again does nothing."""
        runtime = await SessionRuntime.boot(config(), provider=ScriptedProvider(), ledger="memory:")
        await runtime.aclose()
        await runtime.aclose()
        with pytest.raises(RuntimeClosed):
            await runtime.open_turn(chat_id="c1")

    async def test_waits_for_what_is_under_way(self) -> None:
        """Closing waits until an answer that is under way is recorded."""
        provider = GatedProvider()
        base = setting(provider)
        async with scene(base) as of:
            answer = asyncio.create_task(of.answer())
            await provider.waiting.wait()
            asyncio.get_running_loop().call_later(0.01, provider.gate.set)
        assert [row.outcome for row in await base.ledger.calls("t1")] == ["ok"]
        assert (await answer).landed

    async def test_unentered_boot(self) -> None:
        """Leaving a boot that never came to be does nothing."""
        boot = SessionRuntime.boot(config(), provider=ScriptedProvider(), ledger="memory:")
        await boot.__aexit__(None, None, None)

    async def test_waits_for_calls_without_slots(self) -> None:
        """Closing waits for internal calls too: what was paid is recorded before the ledger is closed."""
        provider = GatedProvider()
        base = setting(provider)
        async with scene(base) as of:
            seam = of.runtime.utility_seam
            call = asyncio.create_task(seam.invoke(ask(), turn=of.turn, stage_id="router"))
            await provider.waiting.wait()
            asyncio.get_running_loop().call_later(0.01, provider.gate.set)
            await of.runtime.aclose()
            assert [row.outcome for row in await base.ledger.calls("t1")] == ["ok"]
        assert (await call).outcome == "ok"

    async def test_no_call_after_the_end(self) -> None:
        """A turn that is still open makes no call of any class once its runtime is closed."""
        provider = ScriptedProvider()
        async with scene(setting(provider)) as of:
            await of.runtime.aclose()
            for seam in (of.runtime.utility_seam, of.runtime.converse_seam, of.runtime.synthesize_seam):
                with pytest.raises(RuntimeClosed):
                    await seam.invoke(ask(), turn=of.turn, stage_id="late")
        assert provider.calls == []
