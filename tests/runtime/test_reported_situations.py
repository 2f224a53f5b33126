"""Situations that users of agent runtimes reported in public, and what happens here instead."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.audit import TokenUsage
from pleach_runtime.errors import (
    LedgerLocked,
    LedgerUnavailable,
    ProviderError,
    RecoveryExhausted,
    SynthesizeCapExceeded,
)
from pleach_runtime.events import REJECTED, event_kind
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.provider import ProviderResponse
from tests.runtime.builders import SYNTHESIZE, UTILITY, intent, row, turn_record
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import GatedProvider, ScriptedProvider, ask

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.ledger.protocol import AppendOutcome
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict


def priced(text: str, cost: int) -> ProviderResponse:
    """Return an answer that says what it cost."""
    return replace(ProviderResponse.of_text(text), token_cost=cost)


async def test_two_paid_attempts_are_two_rows(ledger: Ledger) -> None:
    """An attempt that was paid and thrown away is not overwritten by the next: the cost is the sum of both rows."""
    provider = ScriptedProvider(priced(" ", 3), priced("Good.", 2))
    async with scene(setting(provider, ledger=ledger)) as of:
        await of.answer("m1")
        rows, (cost,) = await of.turn.calls(), await of.turn.rollup()
    assert len({row.call_id for row in rows}) == 2
    assert [(row.message_id, row.attempt, row.token_cost) for row in rows] == [("m1", 1, 3), ("m1", 2, 2)]
    assert (cost.token_cost, cost.calls) == (5, 2)


async def test_stacked_retries_cannot_hide_requests() -> None:
    """However often a caller retries around us, each request on the wire is a row, and the bound stops the loop."""
    provider = ScriptedProvider(*[ConnectionError()] * 9)
    async with scene(setting(provider, max_recovery_attempts=2)) as of:
        ends = [await asyncio.gather(of.answer("m1"), return_exceptions=True) for _ in range(9)]
        assert len(await of.turn.calls()) == len(provider.calls) == 3
    assert [type(end) for (end,) in ends] == [ProviderError] * 3 + [RecoveryExhausted] * 6


async def test_client_that_disconnects_leaves_one_row(ledger: Ledger) -> None:
    """When the client goes away in the middle of an answer, the spend is one row, not none and not two."""
    provider = GatedProvider()
    async with scene(setting(provider, ledger=ledger)) as of:
        client = asyncio.create_task(of.answer("m1"))
        await provider.waiting.wait()
        client.cancel()
        await asyncio.wait([client])
        assert [(row.outcome, row.attempt) for row in await of.turn.calls()] == [("aborted", 1)]


@pytest.mark.parametrize("count", [0, None, 7])
async def test_zero_tokens_are_not_missing_tokens(ledger: Ledger, count: int | None) -> None:
    """A provider that says 0 is believed; one that says nothing leaves an unknown, never an estimate."""
    usage = TokenUsage(input_tokens=count, output_tokens=count)
    async with scene(setting(ScriptedProvider(ProviderResponse.of_text("a", usage)), ledger=ledger)) as of:
        await of.answer()
        (recorded,) = await of.turn.calls()
    assert (recorded.usage.input_tokens, recorded.usage.estimated) == (count, False)


async def test_turn_may_end_in_another_task() -> None:
    """A turn that is closed by another task than the one that opened it is no error, and the next starts afresh."""
    async with scene(setting()) as of:
        opened = await asyncio.create_task(of.runtime.open_turn(chat_id="c1", turn_id="t2"))
        seam = of.runtime.synthesize_seam
        assert (await seam.invoke(ask(), turn=opened, stage_id="answer")).landed
        await asyncio.create_task(opened.close())
        async with of.runtime.turn(chat_id="c1", turn_id="t3") as after:
            assert (await seam.invoke(ask(), turn=after, stage_id="answer")).landed


async def test_calls_without_usage_are_counted(ledger: Ledger) -> None:
    """Attempts whose tokens nobody knows are attempts all the same."""
    unknown = ProviderResponse.of_text("Fine.", TokenUsage())
    provider = ScriptedProvider(ConnectionError(), ConnectionError(), unknown)
    async with scene(setting(provider, ledger=ledger, max_recovery_attempts=2)) as of:
        for _ in range(2):
            with pytest.raises(ProviderError):
                await of.answer("m1")
        await of.answer("m1")
        rows, (cost,) = await of.turn.calls(), await of.turn.rollup()
    assert [row.usage.input_tokens for row in rows] == [None] * 3
    assert (cost.calls, cost.token_cost, cost.unpriced_calls) == (3, None, 3)


def test_ledger_from_any_thread(ledger: Ledger) -> None:
    """A callback in a thread pool, with an event loop of its own, records as anybody does."""
    asyncio.run(ledger.open_turn(turn_record()))

    def append(_: int) -> str:
        return asyncio.run(ledger.append(row(intent(call_class=UTILITY))))

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(append, range(12))) == {"appended"}
    assert len(asyncio.run(ledger.calls("t1"))) == 12


async def test_step_that_runs_again_does_not_pay_again(ledger: Ledger) -> None:
    """A graph that resumes and runs its step again gets the recorded answer: one call, one row."""
    provider = ScriptedProvider()
    for _ in range(3):
        async with scene(setting(provider, ledger=ledger)) as of:
            assert (await of.answer("step-7")).text == "Answer 1."
            assert len(await of.turn.calls()) == 1
    assert len(provider.calls) == 1


class ReadOnlyLedger(MemoryLedger):
    """Can be read, and written only until the answer."""

    async def reserve(self, wish: Reservation, /) -> ReservationVerdict:
        """Fail as a locked database does."""
        raise LedgerLocked(f"locked for turn {wish.intent.turn_id}")


class FullLedger(MemoryLedger):
    """Takes no more rows."""

    async def append(self, row: AuditableCall, /) -> AppendOutcome:
        """Fail as a full disk does."""
        raise LedgerUnavailable(f"no space for {row.call_id}")


async def test_ledger_that_cannot_be_written_stops_calls() -> None:
    """A ledger error is never read as "no record": without a reservation there is no call."""
    provider = ScriptedProvider()
    async with scene(setting(provider, ledger=ReadOnlyLedger())) as of:
        for _ in range(3):
            with pytest.raises(LedgerLocked):
                await of.answer("m1")
    assert provider.calls == []


async def test_answer_that_cannot_be_recorded_is_not_shown() -> None:
    """An answer without a row does not reach the caller; the attempt is on record and recovery can close it."""
    base = setting(ledger=FullLedger())
    async with scene(base) as of:
        with pytest.raises(LedgerUnavailable):
            await of.answer("m1")
        assert len((await of.activity()).invoked[SYNTHESIZE]) == 1


async def test_failed_call_counts(ledger: Ledger) -> None:
    """A slot is taken before the call and is never given back; the refusal of the next message is an event."""
    provider = ScriptedProvider(ConnectionError(), ConnectionError())
    async with scene(setting(provider, cap=2, ledger=ledger)) as of:
        for message_id in ("m1", "m2"):
            with pytest.raises(ProviderError):
                await of.answer(message_id, landing=True)
        with pytest.raises(SynthesizeCapExceeded, match="2 of 2"):
            await of.answer("m3", landing=True)
        assert (await of.answer("m1", landing=True)).row.attempt == 2
        kinds = [event.kind for event in await ledger.events("t1")]
    assert kinds.count(event_kind(SYNTHESIZE, REJECTED)) == 1
