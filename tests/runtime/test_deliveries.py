"""Tests of deliveries: duplicates, retries, weak drafts, crashes and callers that go away. Over every ledger."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from pleach_runtime.audit import Draft, at_most_one_terminal_synthesis
from pleach_runtime.errors import (
    DuplicateInFlight,
    MessageIdConflict,
    ProviderError,
    RecoveryExhausted,
    SynthesizeCapExceeded,
)
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.judge import judge_by_length
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.provider import ProviderResponse
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import Clock, GatedProvider, ScriptedProvider, ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.ledger.protocol import AppendOutcome
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.request import SeamRequest
    from tests.runtime.scenes import Scene


class TestDuplicates:
    """One message, many deliveries."""

    async def test_fifty_at_once(self, ledger: Ledger) -> None:
        """Fifty deliveries of one message are one call, one row and fifty equal answers."""
        provider = GatedProvider("The answer.")
        async with scene(setting(provider, ledger=ledger)) as of:
            deliveries = [asyncio.create_task(of.answer("m1")) for _ in range(50)]
            await provider.waiting.wait()
            provider.gate.set()
            results = await asyncio.gather(*deliveries)
            assert (len(await of.turn.calls()), (await of.activity()).duplicates) == (1, 49)
        assert len(provider.calls) == 1
        assert {result.text for result in results} == {"The answer."}
        assert sum(not result.recorded for result in results) == 1

    async def test_each_with_a_turn_handle_of_its_own(self, ledger: Ledger) -> None:
        """Deliveries that each open the turn for themselves join all the same."""
        provider = GatedProvider()
        of = setting(provider, ledger=ledger)
        async with scene(of) as first:

            async def deliver() -> str:
                async with first.runtime.turn(chat_id="c1", turn_id="t1") as turn:
                    return (await type(first)(first.runtime, turn).answer("m1")).text

            deliveries = [asyncio.create_task(deliver()) for _ in range(10)]
            await provider.waiting.wait()
            provider.gate.set()
            assert set(await asyncio.gather(*deliveries)) == {"Answer 1."}
        assert len(provider.calls) == 1

    async def test_later(self, ledger: Ledger) -> None:
        """A delivery after the end gets the recorded answer, without a call and without a row; at the cap too."""
        provider = ScriptedProvider("The answer.")
        async with scene(setting(provider, ledger=ledger)) as of:
            first = await of.answer("m1")
            again = await of.answer("m1")
            assert await of.turn.calls() == (first.row,)
        assert (again.row, again.text, again.recorded) == (first.row, "The answer.", True)
        assert len(provider.calls) == 1

    async def test_after_a_restart(self, ledger: Ledger) -> None:
        """Another process answers a finished message from the record."""
        async with scene(setting(ScriptedProvider("The answer."), ledger=ledger)) as of:
            await of.answer("m1")
        elsewhere = ScriptedProvider()
        async with scene(setting(elsewhere, ledger=ledger)) as of:
            assert (await of.answer("m1")).text == "The answer."
        assert elsewhere.calls == []

    async def test_other_process_is_waited_for(self, ledger: Ledger) -> None:
        """A message that another runtime is answering is waited for, and then taken from the record."""
        slow, other = GatedProvider("The answer."), ScriptedProvider()
        async with scene(setting(slow, ledger=ledger)) as first, scene(setting(other, ledger=ledger)) as second:
            running = asyncio.create_task(first.answer("m1"))
            await slow.waiting.wait()
            waiting = asyncio.create_task(second.answer("m1"))
            await asyncio.sleep(0.02)
            slow.gate.set()
            assert [(await running).recorded, (await waiting).recorded] == [False, True]
        assert other.calls == []

    async def test_other_process_takes_too_long(self) -> None:
        """A message that stays under way elsewhere is given up, without a call."""
        first = setting(GatedProvider())
        second = setting(ledger=first.ledger, join_timeout_seconds=0.01)
        async with scene(first) as slow, scene(second) as of:
            running = asyncio.create_task(slow.answer("m1"))
            await asyncio.sleep(0.01)
            with pytest.raises(DuplicateInFlight, match=r"after 0\.05 s"):
                await of.answer("m1")
            running.cancel()

    async def test_other_request_in_flight(self) -> None:
        """The same id with another request is refused while the first is under way."""
        provider = GatedProvider()
        async with scene(setting(provider)) as of:
            first = asyncio.create_task(of.answer("m1", text="Why?"))
            await provider.waiting.wait()
            with pytest.raises(MessageIdConflict, match="'m1'"):
                await of.answer("m1", text="Why not?")
            provider.gate.set()
            assert (await first).text == "Answer 1."

    async def test_other_request_later(self, ledger: Ledger) -> None:
        """The same id with another request is refused, not answered with the old answer and not called."""
        provider = ScriptedProvider()
        async with scene(setting(provider, ledger=ledger)) as of:
            await of.answer("m1", text="Why?")
            with pytest.raises(MessageIdConflict) as caught:
                await of.answer("m1", text="Why not?")
            assert (await of.activity()).rejected == 1
        assert caught.value.recorded_digest != caught.value.given_digest
        assert len(provider.calls) == 1

    async def test_metadata_is_no_other_request(self) -> None:
        """Labels may differ between deliveries."""
        async with scene(setting()) as of:
            for label in ("first", "second"):
                request = ask().model_copy(update={"metadata": {"delivery": label}})
                await of.runtime.synthesize_seam.invoke(request, turn=of.turn, stage_id="answer", message_id="m1")
            assert len(await of.turn.calls()) == 1


class TestRetries:
    """Failed attempts."""

    async def test_same_slot(self, ledger: Ledger) -> None:
        """A failed message is tried again on its slot; both attempts are rows."""
        async with scene(setting(ScriptedProvider(OSError()), ledger=ledger)) as of:
            with pytest.raises(ProviderError, match="OSError"):
                await of.answer("m1")
            again = await of.answer("m1")
            rows = await of.turn.calls()
        assert [(row.attempt, row.outcome, row.is_terminal) for row in rows] == [(1, "error", False), (2, "ok", True)]
        assert (again.recorded, again.landed) == (False, True)

    async def test_attempts_run_out(self, ledger: Ledger) -> None:
        """A message that failed as often as it may is refused before it costs more."""
        provider = ScriptedProvider(*[OSError()] * 9)
        async with scene(setting(provider, ledger=ledger, max_recovery_attempts=2)) as of:
            for _ in range(3):
                with pytest.raises(ProviderError):
                    await of.answer("m1")
            with pytest.raises(RecoveryExhausted, match="all of its 3 attempts"):
                await of.answer("m1")
        assert len(provider.calls) == 3

    async def test_failure_keeps_its_slot(self) -> None:
        """A failed message holds its slot against a new one."""
        async with scene(setting(ScriptedProvider(OSError()))) as of:
            with pytest.raises(ProviderError):
                await of.answer("m1")
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")

    async def test_everybody_who_joined_sees_the_failure(self) -> None:
        """When a call fails, all who waited for it get the error, and only one attempt was made."""
        provider = GatedProvider(OSError())
        async with scene(setting(provider)) as of:
            deliveries = [asyncio.create_task(of.answer("m1")) for _ in range(3)]
            await provider.waiting.wait()
            provider.gate.set()
            results = await asyncio.gather(*deliveries, return_exceptions=True)
        assert [type(result) for result in results] == [ProviderError] * 3
        assert len(provider.calls) == 1


class TestRecovery:
    """Weak drafts, and processes that died."""

    async def test_empty_draft_at_cap_one(self, ledger: Ledger) -> None:
        """An empty draft is tried again on the same message, at cap 1; only the good one lands."""
        provider = ScriptedProvider(" \u200b\n", "The answer.")
        async with scene(setting(provider, ledger=ledger)) as of:
            result = await of.answer("m1")
            rows = await of.turn.calls()
        assert [(row.attempt, row.outcome, row.is_terminal) for row in rows] == [(1, "empty", False), (2, "ok", True)]
        assert (result.text, result.landed, result.recorded) == ("The answer.", True, False)
        at_most_one_terminal_synthesis(rows)

    async def test_bounded(self, ledger: Ledger) -> None:
        """A draft that stays empty comes back as what it is, lands nothing, and is not asked for again."""
        provider = ScriptedProvider("", " ")
        async with scene(setting(provider, ledger=ledger)) as of:
            results = [await of.answer("m1") for _ in range(2)]
            assert [row.is_terminal for row in await of.turn.calls()] == [False, False]
        assert [(result.outcome, result.landed) for result in results] == [("empty", False)] * 2
        assert [result.recorded for result in results] == [False, True]
        assert len(provider.calls) == 2

    async def test_none_allowed(self) -> None:
        """Without recovery attempts the first draft is the last."""
        async with scene(setting(ScriptedProvider(""), max_recovery_attempts=0)) as of:
            assert (await of.answer("m1")).outcome == "empty"

    async def test_thin_draft_and_nudge(self) -> None:
        """A judge may call a draft thin, and the retry may ask differently: the same message, another fingerprint."""

        def nudge(request: SeamRequest, draft: Draft) -> SeamRequest:
            return ask(f"{request.messages[0].content} Not just {draft.text!r}.")

        provider = ScriptedProvider("No.", "Because of the tides.")
        hooks = RuntimeHooks(judge=judge_by_length(10), nudge=nudge)
        async with scene(setting(provider, hooks=hooks)) as of:
            assert (await of.answer("m1")).text == "Because of the tides."
            rows = await of.turn.calls()
            assert (await of.answer("m1")).recorded
        assert provider.calls[1].request == ask("Why? Not just 'No.'.")
        assert rows[0].outcome == "thin"
        assert rows[0].fingerprint != rows[1].fingerprint

    async def test_refusal_is_an_answer(self) -> None:
        """A model that refuses has answered: it is not pressed, and nothing lands."""
        refusal = ProviderResponse(Draft(text="I can't.", refused=True))
        provider = ScriptedProvider(refusal)
        async with scene(setting(provider)) as of:
            result = await of.answer("m1")
        assert (result.outcome, result.landed, len(provider.calls)) == ("refused", False, 1)

    async def test_crash_between_provider_and_row(self, ledger: Ledger) -> None:
        """A process dies after the provider answered: recovery writes `unknown`, the next delivery is attempt 2."""
        clock = Clock()
        crashed = setting(ledger=crashing(ledger), hooks=RuntimeHooks(clock=clock))
        with pytest.raises(Killed):
            async with scene(crashed) as of:
                await of.answer("m1")
        clock.advance(601)
        provider = ScriptedProvider("The answer.")
        async with scene(setting(provider, ledger=ledger, hooks=RuntimeHooks(clock=clock))) as of:
            await of.answer("m1")
            rows = await of.turn.calls()
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")
        assert [(row.attempt, row.outcome, row.is_terminal) for row in rows] == [(1, "unknown", False), (2, "ok", True)]

    async def test_orphan_is_recovered_by_its_duplicate(self) -> None:
        """A runtime that is already up closes a dead attempt when the message comes again."""
        clock = Clock()
        base = setting(hooks=RuntimeHooks(clock=clock))
        async with scene(base) as of:
            with pytest.raises(Killed):
                async with scene(replace(base, ledger=crashing(base.ledger))) as crashed:
                    await crashed.answer("m1")
            clock.advance(601)
            assert (await of.answer("m1")).row.attempt == 2


class Killed(BaseException):
    """The process ends here."""


class _CrashingLedger:
    """The ledger of a process that dies before it can write the row."""

    def __init__(self, inner: Ledger) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> object:
        """Everything else is the ledger's."""
        return getattr(self._inner, name)

    async def append(self, row: AuditableCall, /) -> str:
        """Die."""
        raise Killed(row.call_id)


def crashing(ledger: Ledger) -> Ledger:
    """Return the ledger as a process sees it that dies before it can write a row."""
    return cast("Ledger", _CrashingLedger(ledger))


class TestCancellation:
    """Callers that go away."""

    async def test_one_of_many(self, ledger: Ledger) -> None:
        """When one of those who wait goes away, the others get their answer from the same call."""
        provider = GatedProvider()
        async with scene(setting(provider, ledger=ledger)) as of:
            deliveries = [asyncio.create_task(of.answer("m1")) for _ in range(3)]
            await provider.waiting.wait()
            deliveries[0].cancel()
            await asyncio.sleep(0)
            provider.gate.set()
            results = await asyncio.gather(*deliveries, return_exceptions=True)
        assert isinstance(results[0], asyncio.CancelledError)
        assert [getattr(result, "text", None) for result in results[1:]] == ["Answer 1."] * 2
        assert len(provider.calls) == 1

    async def test_all(self, ledger: Ledger) -> None:
        """When everybody goes away, the call is aborted and recorded, once."""
        provider = GatedProvider()
        async with scene(setting(provider, ledger=ledger)) as of:
            deliveries = [asyncio.create_task(of.answer("m1")) for _ in range(3)]
            await provider.waiting.wait()
            await cancelled(deliveries)
            assert [row.outcome for row in await of.turn.calls()] == ["aborted"]

    async def test_slot_is_kept(self) -> None:
        """An aborted message holds its slot: a new one is refused, the same one is tried again."""
        provider = GatedProvider()
        async with scene(setting(provider)) as of:
            await cancelled([await started(of, provider)])
            with pytest.raises(SynthesizeCapExceeded):
                await of.answer("m2")
            provider.gate.set()
            assert (await of.answer("m1")).row.attempt == 2

    @pytest.mark.parametrize(("message_id", "outcomes"), [("m2", ["aborted"]), ("m1", [])])
    async def test_while_reserving(self, message_id: str, outcomes: list[str]) -> None:
        """A caller that goes away while its slot is being granted leaves no message that seems to be under way."""
        async with scene(setting(cap=2, ledger=SlowLedger())) as of:
            await of.answer("m1", landing=False)
            caller = asyncio.create_task(of.answer(message_id, landing=False))
            await asyncio.sleep(0.005)
            await cancelled([caller])
            assert [row.outcome for row in await of.turn.calls()] == ["ok", *outcomes]
            assert (await of.answer(message_id, landing=False)).row.attempt == 1 + len(outcomes)

    @pytest.mark.parametrize("before", [pytest.param(True, id="before it is written"), pytest.param(False, id="after")])
    async def test_while_recording(self, *, before: bool) -> None:
        """A caller that goes away while the row is being written does not take the row with it."""
        async with scene(setting(ledger=SlowRows(before=before))) as of:
            caller = asyncio.create_task(of.answer("m1"))
            await asyncio.sleep(0.005)
            await cancelled([caller])
            assert [row.outcome for row in await of.turn.calls()] == ["ok"]
            assert (await of.answer("m1")).recorded

    async def test_new_delivery_while_the_old_one_dies(self) -> None:
        """A delivery that comes while a cancelled call is being recorded does not die with it."""
        provider = GatedProvider()
        async with scene(setting(provider)) as of:
            dying = await started(of, provider)
            dying.cancel()
            late = asyncio.create_task(of.answer("m1"))
            provider.gate.set()
            assert (await late).text
            assert dying.cancelled() or (await asyncio.wait([dying]))
            outcomes = [row.outcome for row in await of.turn.calls()]
        assert outcomes in (["ok"], ["aborted", "ok"])


class SlowLedger(MemoryLedger):
    """Grants, and takes its time to say so."""

    async def reserve(self, wish: Reservation, /) -> ReservationVerdict:
        """Grant now and answer later."""
        verdict = await super().reserve(wish)
        await asyncio.sleep(0.01)
        return verdict


class SlowRows(MemoryLedger):
    """Takes its time before it writes a row, or after."""

    def __init__(self, *, before: bool) -> None:
        super().__init__()
        self._before = before

    async def append(self, row: AuditableCall, /) -> AppendOutcome:
        """Wait, and write; or write, and wait."""
        if self._before:
            await asyncio.sleep(0.01)
        outcome = await super().append(row)
        await asyncio.sleep(0.01)
        return outcome


async def started(of: Scene, provider: GatedProvider) -> asyncio.Task[object]:
    """Start to answer `m1`, up to the provider."""
    task: asyncio.Task[object] = asyncio.create_task(of.answer("m1"))
    await provider.waiting.wait()
    return task


async def cancelled(tasks: Sequence[asyncio.Task[object]]) -> None:
    """Cancel the tasks and see them end."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert all(task.cancelled() for task in tasks)
