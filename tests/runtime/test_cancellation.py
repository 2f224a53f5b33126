"""Tests of callers that go away while the ledger is at work, more than once if need be."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.ledger import MemoryLedger, open_ledger
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_runtime.audit import AuditableCall, CallIntent
    from pleach_runtime.ledger.protocol import AppendOutcome
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.seams import CallClass, SeamResult
    from tests.runtime.scenes import Scene


class SlowLedger(MemoryLedger):
    """Takes its time before each write of a call, and after it."""

    async def begin(self, intent: CallIntent, /) -> None:
        """Wait, record, wait."""
        await asyncio.sleep(0.01)
        await super().begin(intent)
        await asyncio.sleep(0.01)

    async def reserve(self, wish: Reservation, /) -> ReservationVerdict:
        """Wait, reserve, wait."""
        await asyncio.sleep(0.01)
        verdict = await super().reserve(wish)
        await asyncio.sleep(0.01)
        return verdict

    async def append(self, row: AuditableCall, /) -> AppendOutcome:
        """Wait, append, wait."""
        await asyncio.sleep(0.01)
        outcome = await super().append(row)
        await asyncio.sleep(0.01)
        return outcome


async def classify(of: Scene) -> SeamResult[CallClass]:
    """Make a call that needs no slot."""
    return await of.runtime.utility_seam.invoke(ask(), turn=of.turn, stage_id="router")


async def cancel_again_and_again(task: asyncio.Task[SeamResult[CallClass]], *, after: float) -> None:
    """Cancel a task at a moment, and once more at every turn of the loop until it has ended."""
    await asyncio.sleep(after)
    while not task.done():
        task.cancel()
        await asyncio.sleep(0.001)
    assert task.cancelled()


each_moment = pytest.mark.parametrize("after", [0.005, 0.015, 0.025, 0.035])


@each_moment
async def test_without_a_slot(after: float) -> None:
    """Whenever the caller of a call without a slot goes away, what was begun has a row."""
    async with scene(setting(ledger=SlowLedger())) as of:
        await cancel_again_and_again(asyncio.create_task(classify(of)), after=after)
        begun = {event.call_id for event in await of.runtime.ledger.events("t1")}
        assert {row.call_id for row in await of.turn.calls()} == begun != set()


@each_moment
async def test_with_a_slot(after: float) -> None:
    """Whenever the caller of an answer goes away, the message is closed and may come again."""
    async with scene(setting(max_recovery_attempts=5, ledger=SlowLedger())) as of:
        await cancel_again_and_again(asyncio.create_task(of.answer("m1")), after=after)
        await of.runtime.settle()
        begun = {event.call_id for event in await of.runtime.ledger.events("t1")}
        assert {row.call_id for row in await of.turn.calls()} == begun != set()
        assert (await of.answer("m1")).outcome == "ok"


async def test_before_the_file_was_written(tmp_path: Path) -> None:
    """A call that is cancelled at once spends nothing, and leaves no attempt for recovery to guess at."""
    provider = ScriptedProvider()
    async with (
        aclosing(await open_ledger(f"sqlite:///{tmp_path / 'audit.db'}")) as ledger,
        scene(setting(provider, ledger=ledger)) as of,
    ):
        caller = asyncio.create_task(classify(of))
        await asyncio.sleep(0)
        await cancel_again_and_again(caller, after=0)
        assert [row.outcome for row in await of.turn.calls()] == ["aborted"]
        assert await of.runtime.recover(older_than_seconds=0) == ()
    assert provider.calls == []
