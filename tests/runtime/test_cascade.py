"""Tests of the cascade: down the rungs of one family, a row for each attempt, and never out of it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleach_runtime.errors import (
    ConverseBoundExceeded,
    FamilyExhausted,
    ProviderError,
    RecoveryExhausted,
    SynthesizeCapExceeded,
)
from pleach_runtime.events import FAMILY_EXHAUSTED
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.matrix import FamilyPick
from pleach_runtime.price import PriceTable, TokenPrice
from tests.runtime.builders import UTILITY
from tests.runtime.families import OAK, OVERLOADED, Models, failing, forest
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_runtime.ledger import Ledger
    from pleach_runtime.seams import CallClass, SeamResult
    from tests.runtime.scenes import Scene


async def classify(of: Scene) -> SeamResult[CallClass]:
    """Make an internal call."""
    return await of.runtime.utility_seam.invoke(ask(), turn=of.turn, stage_id="router")


async def say(of: Scene) -> SeamResult[CallClass]:
    """Make a short user-facing call."""
    return await of.runtime.converse_seam.invoke(ask(), turn=of.turn, stage_id="narrator")


async def tried(of: Scene) -> list[tuple[str, str, int]]:
    """Return model, outcome and number of each attempt of the turn."""
    return [(row.call.requested_model, row.outcome, row.attempt) for row in await of.turn.calls()]


class TestSteps:
    """From one rung to the next."""

    async def test_internal_call(self, ledger: Ledger) -> None:
        """A call that fails for now goes to the next rung: one message, a row for each attempt."""
        async with scene(forest(failing("oak-1", "oak-2"), ledger)) as of:
            result = await classify(of)
            assert await tried(of) == [("oak-1", "error", 1), ("oak-2", "error", 2), ("oak-3", "ok", 3)]
            assert {row.message_id for row in await of.turn.calls()} == {result.row.message_id}
        assert (result.text, result.recorded) == ("I am oak-3", False)

    async def test_answer_at_cap_one(self, ledger: Ledger) -> None:
        """The answer of a turn steps down on its one slot, and lands."""
        async with scene(forest(failing("oak-1", "oak-2"), ledger)) as of:
            result = await of.answer()
            assert await tried(of) == [("oak-1", "error", 1), ("oak-2", "error", 2), ("oak-3", "ok", 3)]
            assert [len(calls) for calls in (await of.activity()).invoked.values()] == [3]
            assert await ledger.cap_leaks() == ()
        assert result.landed

    async def test_each_attempt_has_its_own_fingerprint(self) -> None:
        """An answer is never taken for one of another model: each attempt has the fingerprint of its own."""
        async with scene(forest(failing("oak-1"), MemoryLedger())) as of:
            await classify(of)
            assert len({row.fingerprint for row in await of.turn.calls()}) == 2

    async def test_costs(self) -> None:
        """Each attempt is priced for itself; what a failed one cost is unknown."""
        prices = PriceTable({"oak-2": TokenPrice(1000, 4000)})
        priced = replace(forest(failing("oak-1"), MemoryLedger()), hooks=RuntimeHooks(price=prices))
        async with scene(priced) as of:
            await classify(of)
            assert [row.token_cost for row in await of.turn.calls()] == [None, 10 * 1000 + 5 * 4000]

    async def test_not_retryable(self, ledger: Ledger) -> None:
        """A failure that another model would share ends the call at once."""
        provider = failing("oak-1", with_error=PermissionError("bad key"))
        async with scene(forest(provider, ledger)) as of:
            for call in (classify(of), of.answer()):
                with pytest.raises(ProviderError, match="PermissionError") as caught:
                    await call
                assert not isinstance(caught.value, FamilyExhausted)
        assert provider.asked == ["oak-1", "oak-1"]

    async def test_no_matrix(self) -> None:
        """Without a matrix there is one model, and its failure is the caller's to see."""
        async with scene(setting(ScriptedProvider(OVERLOADED))) as of:
            with pytest.raises(ProviderError) as caught:
                await classify(of)
        assert type(caught.value) is ProviderError

    async def test_refusal_at_the_cap(self) -> None:
        """A call that is refused before any spend is not tried elsewhere."""
        provider = failing()
        async with scene(forest(provider, MemoryLedger())) as of:
            await of.answer()
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")
        assert provider.asked == ["oak-1"]


class TestExhausted:
    """No rung answers."""

    async def test_affordance(self, ledger: Ledger) -> None:
        """After the last rung the caller gets what the user may pick, and no other family was asked."""
        provider = failing(*OAK)
        async with scene(forest(provider, ledger)) as of:
            with pytest.raises(FamilyExhausted, match="there is elm") as caught:
                await of.answer()
        assert (caught.value.models, caught.value.attempt) == (OAK, 3)
        assert caught.value.affordance == FamilyPick("oak", ("elm",))
        assert caught.value.__cause__ is OVERLOADED
        assert tuple(provider.asked) == OAK

    async def test_event_and_log(self, ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
        """The record and the log both say it, once, without the prompt."""
        async with scene(forest(failing(*OAK), ledger)) as of:
            with caplog.at_level(logging.WARNING), pytest.raises(FamilyExhausted) as caught:
                await classify(of)
            (event,) = [event for event in await ledger.events("t1") if event.kind == FAMILY_EXHAUSTED]
        assert (event.call_id, event.message_id) == (caught.value.call_id, caught.value.message_id)
        assert event.payload == {"callClass": UTILITY, "family": "oak", "models": list(OAK), "choices": ["elm"]}
        (line,) = caplog.messages
        assert line.startswith("[UXParity:family-exhausted] ")
        assert "Why?" not in line

    async def test_picked(self, ledger: Ledger) -> None:
        """The user picks another family: the same message is answered there, on the slot that it has."""
        async with scene(forest(failing(*OAK), ledger)) as of:
            with pytest.raises(FamilyExhausted):
                await of.answer()
        async with scene(forest(failing(), ledger, "elm")) as of:
            result = await of.answer()
            assert await tried(of) == [*((oak, "error", nr) for nr, oak in enumerate(OAK, 1)), ("elm-1", "ok", 4)]
        assert result.landed

    async def test_rounds_are_bounded(self, ledger: Ledger) -> None:
        """A message that exhausts its family may come once more, as a failed message may; then no more."""
        provider = failing(*OAK)
        async with scene(forest(provider, ledger)) as of:
            for _ in range(2):
                with pytest.raises(FamilyExhausted):
                    await of.answer()
            with pytest.raises(RecoveryExhausted):
                await of.answer()
        assert tuple(provider.asked) == OAK * 2


class TestRecovery:
    """Weak drafts, beside failures."""

    async def test_weak_draft_stays_on_its_rung(self, ledger: Ledger) -> None:
        """A weak draft is asked for once more, from the model that gave it."""
        async with scene(forest(Models({"oak-1": OVERLOADED, "oak-2": ""}), ledger)) as of:
            result = await of.answer()
            assert await tried(of) == [("oak-1", "error", 1), ("oak-2", "empty", 2), ("oak-2", "empty", 3)]
        assert result.outcome == "empty"

    async def test_bound_counts_calls(self, ledger: Ledger) -> None:
        """Stepping down is no further message: the bound of a resumed turn counts what was said, not the attempts."""
        async with scene(forest(failing("oak-1", "oak-2"), ledger)) as of:
            await say(of)
        async with scene(forest(failing("oak-1", "oak-2"), ledger)) as of:
            await say(of)
            await say(of)
            with pytest.raises(ConverseBoundExceeded):
                await say(of)


OUTCOMES = st.lists(st.sampled_from(["ok", "passing", "lasting"]), min_size=3, max_size=3)


@given(OUTCOMES)
def test_asked_in_order(outcomes: Sequence[str]) -> None:
    """Rungs are asked in order up to the first that answers or fails for good, with a row for each."""
    errors = {"passing": OVERLOADED, "lasting": ValueError("bad request")}
    provider = Models({model: errors[said] for model, said in zip(OAK, outcomes, strict=True) if said != "ok"})
    asked = next((number for number, said in enumerate(outcomes, 1) if said != "passing"), len(OAK))
    answers, models = asyncio.run(both_calls(provider))
    last = f"I am {OAK[asked - 1]}" if outcomes[asked - 1] == "ok" else "ProviderError"
    exhausted = outcomes == ["passing"] * 3
    assert answers == ["FamilyExhausted" if exhausted else last] * 2
    assert models == provider.asked == [*OAK[:asked]] * 2


async def both_calls(provider: Models) -> tuple[list[str], list[str]]:
    """Make an internal call and an answer; return what came of each, and the models of the rows."""
    async with scene(forest(provider, MemoryLedger())) as of:
        came = [(await asyncio.gather(call, return_exceptions=True))[0] for call in (classify(of), of.answer())]
        models = [row.call.requested_model for row in await of.turn.calls()]
    return [type(each).__name__ if isinstance(each, BaseException) else each.text for each in came], models
