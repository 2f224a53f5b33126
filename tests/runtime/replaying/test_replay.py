"""Tests of replays: the same program over the record is the same turn, and any other is told apart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.cache import AnswerCache
from pleach_runtime.errors import (
    FamilyExhausted,
    ProviderError,
    SynthesizeCapExceeded,
    UnknownTurn,
)
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.replaying.run import replay
from pleach_runtime.seams import CallClassRoutes
from pleach_runtime.streams.verdicts import StreamVerdict
from tests.runtime.builders import SYNTHESIZE, UTILITY, intent, moment
from tests.runtime.families import OAK, OVERLOADED, Models, failing, in_family
from tests.runtime.replaying.programs import (
    CONFIG,
    Moody,
    answer,
    chains,
    classify,
    plan_diff_verify,
    record,
    replayed,
)
from tests.runtime.stubs import ScriptedProvider, ask, config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_runtime.ledger import Ledger
    from pleach_runtime.provider import ProviderCall, ProviderResponse
    from pleach_runtime.replaying.run import Program
    from pleach_runtime.runtime import SessionRuntime
    from pleach_runtime.streams.verdicts import Seen, StreamObserver
    from pleach_runtime.turn import Turn


async def said_again(ledger: Ledger, program: Program) -> object:
    """Replay, insist that nothing parts from the record, and return what the program returns."""
    returned: list[object] = []

    async def listening(runtime: SessionRuntime, turn: Turn) -> None:
        returned.append(await program(runtime, turn))

    report = await replayed(ledger, listening)
    assert (report.is_identical, report.failure) == (True, None)
    return returned.pop()


class TestIdentical:
    """The same program."""

    @pytest.mark.parametrize("seed", range(3))
    async def test_concurrent_calls_and_repeated_prompts(self, seed: int, ledger: Ledger) -> None:
        """Calls that ask the same at once are answered as each of them was, whatever the pace."""
        said = await record(ledger, plan_diff_verify, Moody(seed))
        assert await said_again(ledger, plan_diff_verify) == said

    @pytest.mark.parametrize("seed", range(10))
    async def test_chains_of_equal_calls(self, seed: int) -> None:
        """Chains of calls that all ask the same do not overtake each other: each hears again what it heard."""
        ledger = MemoryLedger()
        said = await record(ledger, chains, Moody(seed))
        assert await said_again(ledger, chains) == said

    async def test_counts(self, ledger: Ledger) -> None:
        """Calls of each class, and tools that were asked for, are as many as recorded."""
        await record(ledger, plan_diff_verify)
        report = await replayed(ledger, plan_diff_verify)
        assert report.recorded == report.replayed
        assert report.replayed.by_class == {UTILITY: 30, SYNTHESIZE: 5}
        assert (report.replayed.synthesize_calls, report.replayed.tool_calls) == (5, 11)

    async def test_rows(self) -> None:
        """The rows of a replay are those of the record, but for ids and times; its landing lands."""
        ledger = MemoryLedger()
        await record(ledger, plan_diff_verify)
        report = await replayed(ledger, plan_diff_verify)
        own = {"call_id", "message_id", "started_at", "ended_at"}
        recorded, again = (
            sorted(row.model_dump_json(exclude=own) for row in rows) for rows in (await ledger.calls("t1"), report.rows)
        )
        assert recorded == again
        assert [row.is_terminal for row in report.rows].count(True) == 1

    async def test_nothing_is_written(self, ledger: Ledger) -> None:
        """A replay appends nothing to the ledger."""
        await record(ledger, plan_diff_verify)
        before = await ledger.calls("t1"), await ledger.events("t1"), await ledger.events()
        await replayed(ledger, plan_diff_verify)
        assert (await ledger.calls("t1"), await ledger.events("t1"), await ledger.events()) == before

    async def test_cap_of_the_record(self) -> None:
        """A turn is replayed with the cap that it had, and is refused where it was."""

        async def too_many(runtime: SessionRuntime, turn: Turn) -> None:
            await answer(runtime, turn, "Why?", "m1")
            await answer(runtime, turn, "Why?", "m2")
            await answer(runtime, turn, "Why?", "m3")

        ledger = MemoryLedger()
        with pytest.raises(SynthesizeCapExceeded):
            await record(ledger, too_many, config=config(2))
        report = await replayed(ledger, too_many)
        assert (report.is_identical, report.replayed.synthesize_calls) == (True, 2)
        assert isinstance(report.failure, SynthesizeCapExceeded)

    async def test_weak_drafts_and_duplicates(self) -> None:
        """A thin draft is tried again as it was, and a duplicate is answered without a call."""

        async def program(runtime: SessionRuntime, turn: Turn) -> None:
            await asyncio.gather(*(answer(runtime, turn, "Why?", "m1") for _ in range(3)))

        ledger = MemoryLedger()
        await record(ledger, program, ScriptedProvider("a", "Because."))
        report = await replayed(ledger, program)
        assert report.is_identical
        assert [(row.outcome, row.attempt) for row in report.rows] == [("thin", 1), ("ok", 2)]

    async def test_judge_is_not_asked_again(self) -> None:
        """What was thin when it was recorded is thin, also for a judge that would take it."""
        ledger = MemoryLedger()
        await record(ledger, lambda runtime, turn: answer(runtime, turn, "Why?", "m1"), ScriptedProvider("a", "b"))
        report = await replay(ledger, "t1", lambda runtime, turn: answer(runtime, turn, "Why?", "m1"), config=CONFIG)
        assert report.is_identical


class TestFailures:
    """Attempts that gave no answer."""

    async def test_cascade(self) -> None:
        """A call that stepped down steps down, and one that failed for good fails."""
        ledger = MemoryLedger()
        provider = Models({"oak-1": OVERLOADED, "oak-2": ValueError("bad request")})
        with pytest.raises(ProviderError):
            await record(ledger, classify, provider, in_family())
        report = await replayed(ledger, classify, in_family())
        assert report.is_identical
        assert [row.call.requested_model for row in report.rows] == ["oak-1", "oak-2"]
        assert not isinstance(report.failure, FamilyExhausted)

    async def test_exhausted(self) -> None:
        """A turn that exhausted its family does so again."""
        ledger = MemoryLedger()
        with pytest.raises(FamilyExhausted):
            await record(ledger, classify, failing(*OAK), in_family())
        report = await replayed(ledger, classify, in_family())
        assert (report.is_identical, isinstance(report.failure, FamilyExhausted)) == (True, True)

    async def test_delivered_again(self) -> None:
        """A message that failed for good on a lower rung and came again begins at the first rung again."""

        async def program(runtime: SessionRuntime, turn: Turn) -> None:
            for _ in range(2):
                await asyncio.gather(answer(runtime, turn, "Why?", "m1"), return_exceptions=True)

        ledger = MemoryLedger()
        provider = Models({"oak-1": OVERLOADED, "oak-2": ValueError("bad request")})
        await record(ledger, program, provider, in_family())
        report = await replayed(ledger, program, in_family())
        assert report.is_identical
        assert [row.call.requested_model for row in report.rows] == ["oak-1", "oak-2"] * 2

    async def test_cancelled(self) -> None:
        """A call that was cancelled waits to be cancelled, so that a race is won by whoever won it."""

        async def race(runtime: SessionRuntime, turn: Turn) -> None:
            slow = asyncio.create_task(classify(runtime, turn, "slow"))
            await classify(runtime, turn, "fast")
            slow.cancel()
            await asyncio.wait([slow])

        ledger = MemoryLedger()
        await record(ledger, race, Slow())
        report = await replayed(ledger, race)
        assert sorted(row.outcome for row in report.rows) == ["aborted", "ok"]
        assert report.is_identical

    async def test_not_cancelled_again(self) -> None:
        """A call that was cancelled when it was recorded has no answer for a program that waits for one."""
        ledger = MemoryLedger()

        async def given_up(runtime: SessionRuntime, turn: Turn) -> None:
            await asyncio.wait_for(classify(runtime, turn, "slow"), 0.01)

        with pytest.raises(asyncio.TimeoutError):
            await record(ledger, given_up, Slow())
        report = await replayed(ledger, lambda runtime, turn: classify(runtime, turn, "slow"))
        assert [each.problem for each in report.divergences] == ["it ended without an answer, as aborted"]

    async def test_died(self) -> None:
        """An attempt whose process died has no answer, with a row or without one."""
        ledger = MemoryLedger()
        await record(ledger, classify)
        (row,) = await ledger.calls("t1")
        lost = {"call": row.call, "fingerprint": row.fingerprint, "started_at": row.ended_at}
        await ledger.begin(intent(call_class=UTILITY).model_copy(update=lost))
        assert [each.problem for each in (await replayed(ledger, twice)).divergences] == ["it has no row"]
        await ledger.recover(started_before=moment(99), ended_at=moment(99))
        report = await replayed(ledger, twice)
        assert [each.problem for each in report.divergences] == ["it ended without an answer, as unknown"]


class Slow(Moody):
    """Takes its time over one question."""

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Answer."""
        await asyncio.sleep(60 if call.request.messages[-1].content == "slow" else 0)
        return await super().complete(call)


async def once(runtime: SessionRuntime, turn: Turn) -> None:
    """Make one internal call and the answer."""
    await classify(runtime, turn)
    await answer(runtime, turn, "Why?", "m1", landing=True)


async def twice(runtime: SessionRuntime, turn: Turn) -> None:
    """Make the same internal call twice."""
    await classify(runtime, turn)
    await classify(runtime, turn)


async def other_prompt(runtime: SessionRuntime, turn: Turn) -> None:
    """Ask something else."""
    await classify(runtime, turn, "Which one?")


async def other_stage(runtime: SessionRuntime, turn: Turn) -> None:
    """Ask from somewhere else."""
    await classify(runtime, turn, stage_id="planner")


async def other_class(runtime: SessionRuntime, turn: Turn) -> None:
    """Ask the same with another class."""
    await runtime.reasoning_seam.invoke(ask("Which tool?"), turn=turn, stage_id="router")


class TestDivergence:
    """Another program."""

    @pytest.mark.parametrize("program", [other_prompt, other_stage, other_class])
    async def test_not_recorded(self, program: Program) -> None:
        """What was never asked like this has no answer: the replay ends there, and says where."""
        ledger = MemoryLedger()
        await record(ledger, once)
        report = await replayed(ledger, program)
        assert [(each.occurrence, each.problem) for each in report.divergences] == [(1, "it is not recorded")]
        assert isinstance(report.failure, ProviderError)
        assert report.failure.__cause__ is report.divergences[0]
        assert [each.call.stage_id for each in report.unconsumed] == ["router", "coder"]

    async def test_once_more(self) -> None:
        """A question that was asked once has one answer."""
        ledger = MemoryLedger()
        await record(ledger, once)
        report = await replayed(ledger, twice)
        assert [(each.stage_id, each.occurrence) for each in report.divergences] == [("router", 2)]

    async def test_left_over(self) -> None:
        """What was recorded and is not asked for is left over, and is a difference."""
        ledger = MemoryLedger()
        await record(ledger, twice)
        report = await replayed(ledger, classify)
        assert (report.is_identical, report.divergences, len(report.unconsumed)) == (False, (), 1)
        assert report.unconsumed == (await ledger.calls("t1"))[1:]

    async def test_other_model(self) -> None:
        """Another model is another call."""
        ledger = MemoryLedger()
        await record(ledger, classify)
        report = await replayed(ledger, classify, config(models=CallClassRoutes.uniform("stub-2")))
        assert not report.is_identical

    async def test_other_end(self) -> None:
        """The same answer that now lands, or does not, is a difference."""
        ledger = MemoryLedger()
        await record(ledger, once)
        report = await replayed(ledger, lambda runtime, turn: answer(runtime, turn, "Why?", "m1"))
        (divergence,) = report.divergences
        assert divergence.problem == "it ended as ok, terminal, in attempt 1, and now as ok, in attempt 1"


async def test_stream() -> None:
    """A stream is replayed as it was shown; an observer that would now show something else is a difference."""

    def hide(seen: Seen) -> StreamVerdict:
        return StreamVerdict.REDACT if seen.pending else StreamVerdict.CONTINUE

    async def stream(runtime: SessionRuntime, turn: Turn, observers: Sequence[StreamObserver] = ()) -> str:
        seam = runtime.utility_seam
        async with seam.stream(ask(), turn=turn, stage_id="s", observers=observers) as stream:
            return "".join([text async for text in stream])

    ledger = MemoryLedger()
    assert await record(ledger, stream) == await said_again(ledger, stream) == "Answer 1."
    report = await replayed(ledger, lambda runtime, turn: stream(runtime, turn, [hide]))
    assert [each.problem for each in report.divergences] == ["the same answer is shown otherwise"]


class TestProgram:
    """What the program itself does."""

    async def test_fault(self) -> None:
        """A fault of the program is nobody's record, and is raised."""

        async def faulty(_runtime: SessionRuntime, _turn: Turn) -> None:
            raise ZeroDivisionError

        ledger = MemoryLedger()
        await record(ledger, classify)
        with pytest.raises(ZeroDivisionError):
            await replayed(ledger, faulty)

    async def test_unknown_turn(self, ledger: Ledger) -> None:
        """A turn without a call cannot be replayed."""
        with pytest.raises(UnknownTurn, match="'t1'"):
            await replayed(ledger, once)

    async def test_hooks_that_cost(self) -> None:
        """Nobody is told of a replayed row, no price is asked for, and the cache is left alone."""
        ledger, told = MemoryLedger(), list[object]()
        await record(ledger, classify)
        cache = AnswerCache()
        hooks = RuntimeHooks(on_row=lambda *row: told.append(row), price=lambda *row: told.append(row), cache=cache)
        report = await replay(ledger, "t1", classify, config=CONFIG, hooks=hooks)
        assert (report.is_identical, told, len(cache)) == (True, [], 0)
