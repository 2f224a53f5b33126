"""Tests of calls without slots: recorded one by one, bounded where a class is."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.audit import Draft, TokenUsage
from pleach_runtime.errors import (
    ConverseBoundExceeded,
    LandingError,
    LedgerConflict,
    ProviderError,
    TurnClosed,
    TurnError,
)
from pleach_runtime.events import LATE, event_kind
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.price import PriceTable, TokenPrice
from pleach_runtime.provider import ProviderResponse
from tests.runtime.builders import CONVERSE, UTILITY
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import USAGE, GatedProvider, ScriptedProvider, ask

if TYPE_CHECKING:
    from pleach_runtime.audit import Verdict
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.seams import CallClass, SeamResult
    from tests.runtime.scenes import Scene


async def classify(of: Scene, text: str = "Which tool?") -> SeamResult[CallClass]:
    """Make an internal call."""
    return await of.runtime.utility_seam.invoke(ask(text), turn=of.turn, stage_id="router")


async def say(of: Scene) -> SeamResult[CallClass]:
    """Make a short user-facing call."""
    return await of.runtime.converse_seam.invoke(ask("One moment"), turn=of.turn, stage_id="narrator")


class TestRecording:
    """Every attempt is one row."""

    async def test_row_says_who_asked_whom(self) -> None:
        """A row names the place that asked, the family, the provider and the model."""
        async with scene(setting(family="fam")) as of:
            result = await classify(of)
            assert await of.turn.calls() == (result.row,)
        call = result.row.call
        assert (call.call_class, call.stage_id) == (UTILITY, "router")
        assert (call.family, call.provider, call.requested_model) == ("fam", "stub", "stub-1")

    async def test_row_says_what_came_back(self) -> None:
        """A row holds the answer, the model that really served it, and the provider's id of it."""
        response = ProviderResponse(Draft(text="yes"), USAGE, model="stub-1-0301", response_id="r-9", token_cost=7)
        async with scene(setting(ScriptedProvider(response))) as of:
            row = (await classify(of)).row
        assert (row.draft, row.usage, row.token_cost) == (response.draft, USAGE, 7)
        assert (row.served_model, row.provider_response_id, row.outcome) == ("stub-1-0301", "r-9", "ok")

    async def test_no_limit(self) -> None:
        """Internal calls are not counted against anything."""
        async with scene(setting()) as of:
            results = await asyncio.gather(*(classify(of) for _ in range(30)))
            await of.runtime.reasoning_seam.invoke(ask(), turn=of.turn, stage_id="planner")
            assert len(await of.turn.calls()) == 31
        assert len({result.row.call_id for result in results}) == 30

    async def test_provider_gets_the_call_id(self) -> None:
        """The provider gets the id of the attempt, fit for an idempotency key, and the request as it was made."""
        provider = ScriptedProvider()
        async with scene(setting(provider)) as of:
            row = (await classify(of)).row
        (call,) = provider.calls
        assert (call.call_id, call.model, call.request) == (row.call_id, "stub-1", ask("Which tool?"))

    async def test_ids_are_tagged_on_every_row(self) -> None:
        """All rows of a turn share chat and user-visible message; each has its own message id."""
        async with scene(setting()) as of:
            await classify(of)
            await of.answer()
            rows = await of.turn.calls()
        assert {(row.chat_id, row.turn_id, row.turn_message_id) for row in rows} == {("c1", "t1", "t1:answer")}
        assert len({row.message_id for row in rows}) == 2

    async def test_landing_is_for_answers(self) -> None:
        """An internal call that wants to land is refused before it is made."""
        provider = ScriptedProvider()
        async with scene(setting(provider)) as of:
            with pytest.raises(LandingError, match="cannot land"):
                await of.runtime.utility_seam.invoke(ask(), turn=of.turn, stage_id="router", landing=True)
        assert provider.calls == []


class TestPrices:
    """What a call cost."""

    TABLE = RuntimeHooks(price=PriceTable({"stub-1": TokenPrice(1000, 4000), "dear": TokenPrice(9000, 9000)}))

    async def test_priced_by_the_model_that_served(self) -> None:
        """The price is that of the model that answered, not of the one that was asked for."""
        dear = ProviderResponse(Draft(text="a"), USAGE, model="dear")
        async with scene(setting(ScriptedProvider(dear, "b"), hooks=self.TABLE)) as of:
            costs = [(await classify(of)).row.token_cost for _ in range(2)]
        assert costs == [15 * 9000, 10 * 1000 + 5 * 4000]

    async def test_unpriced_calls_are_counted(self) -> None:
        """A call without a known price is counted beside the sum, not in it."""
        uncounted = ProviderResponse.of_text("a", TokenUsage())
        async with scene(setting(ScriptedProvider(uncounted, "b"), hooks=self.TABLE)) as of:
            for _ in range(2):
                await classify(of)
            (cost,) = await of.turn.rollup()
        assert (cost.calls, cost.token_cost, cost.unpriced_calls) == (2, 30_000, 1)


class TestFailures:
    """What did not work is recorded too."""

    async def test_provider_error(self) -> None:
        """A failure of the provider reaches the caller with its cause, and is a row."""
        async with scene(setting(ScriptedProvider(TimeoutError("slow")))) as of:
            with pytest.raises(ProviderError, match="TimeoutError") as caught:
                await classify(of)
            (row,) = await of.turn.calls()
        assert isinstance(caught.value.__cause__, TimeoutError)
        assert (row.call_id, row.outcome, row.token_cost) == (caught.value.call_id, "error", None)

    async def test_hook_error(self) -> None:
        """A judge that breaks does not lose the row of a call that was paid."""

        def judge(_draft: Draft, /) -> Verdict:
            raise KeyError("bad judge")

        async with scene(setting(hooks=RuntimeHooks(judge=judge))) as of:
            with pytest.raises(ProviderError, match="KeyError"):
                await classify(of)
            assert [row.outcome for row in await of.turn.calls()] == ["error"]

    async def test_cancelled(self) -> None:
        """A call whose caller goes away is one row that says aborted, without a text to read."""
        provider = GatedProvider()
        async with scene(setting(provider)) as of:
            caller = asyncio.create_task(classify(of))
            await provider.waiting.wait()
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            assert [(row.outcome, row.draft) for row in await of.turn.calls()] == [("aborted", None)]

    async def test_answer_after_recovery(self, ledger: Ledger) -> None:
        """An answer that comes after recovery gave the call up is kept as an event: the spend is not lost."""
        provider = GatedProvider()
        async with scene(setting(provider, ledger=ledger)) as of:
            caller = asyncio.create_task(classify(of))
            await provider.waiting.wait()
            await of.runtime.recover(older_than_seconds=0)
            provider.gate.set()
            with pytest.raises(LedgerConflict, match="call_id"):
                await caller
            late = [event for event in await ledger.events("t1") if event.kind == event_kind(UTILITY, LATE)]
        assert [event.payload["usage"] for event in late] == [USAGE.model_dump(mode="json")]


class TestBound:
    """Short user-facing messages."""

    async def test_fourth_is_refused(self, ledger: Ledger) -> None:
        """Three are chatty, four are broken: the fourth is refused before it is made, and that is an event."""
        provider = ScriptedProvider()
        async with scene(setting(provider, ledger=ledger)) as of:
            for _ in range(3):
                await say(of)
            with pytest.raises(ConverseBoundExceeded, match="3 converse calls"):
                await say(of)
            assert (await of.activity()).rejected == 1
        assert len(provider.calls) == 3

    async def test_bound_is_configured(self) -> None:
        """The bound is the configuration's."""
        async with scene(setting(max_converse_per_turn=1)) as of:
            await say(of)
            with pytest.raises(ConverseBoundExceeded):
                await say(of)

    async def test_concurrent(self) -> None:
        """Ten at once: three are made."""
        async with scene(setting()) as of:
            answers = await asyncio.gather(*(say(of) for _ in range(10)), return_exceptions=True)
        assert sum(isinstance(answer, ConverseBoundExceeded) for answer in answers) == 7

    async def test_other_classes_do_not_count(self) -> None:
        """Internal calls and answers leave the bound alone."""
        async with scene(setting(max_converse_per_turn=1)) as of:
            await classify(of)
            await of.answer()
            await say(of)
            assert [cost.calls for cost in await of.turn.rollup() if cost.call_class == CONVERSE] == [1]

    async def test_resumed_turn_goes_on_counting(self, ledger: Ledger) -> None:
        """A turn that is opened again, as another process does, starts from what is recorded."""
        for _ in range(2):
            async with scene(setting(ledger=ledger, max_converse_per_turn=2)) as of:
                await say(of)
        async with scene(setting(ledger=ledger, max_converse_per_turn=2)) as of:
            with pytest.raises(ConverseBoundExceeded):
                await say(of)

    async def test_second_handle_counts_nothing_twice(self) -> None:
        """Opening another handle on an open turn does not count its calls again."""
        async with scene(setting(max_converse_per_turn=2)) as of:
            await say(of)
            async with of.runtime.turn(chat_id="c1", turn_id="t1") as again:
                await say(replace(of, turn=again))
                with pytest.raises(ConverseBoundExceeded):
                    await say(of)


class TestTurnChecks:
    """Calls belong to an open turn of the same runtime."""

    async def test_closed(self) -> None:
        """A closed turn makes no call on any seam."""
        provider = ScriptedProvider()
        async with scene(setting(provider)) as of:
            await of.turn.close()
            for call in (classify, say, type(of).answer):
                with pytest.raises(TurnClosed, match="'t1'"):
                    await call(of)
        assert provider.calls == []

    async def test_foreign(self) -> None:
        """A turn of another runtime is refused: its slots are elsewhere."""
        async with scene(setting()) as of, scene(setting()) as other:
            with pytest.raises(TurnError, match="another runtime"):
                await of.runtime.utility_seam.invoke(ask(), turn=other.turn, stage_id="router")
