"""The hook that is told of rows: each once, after it is recorded, whatever came of the attempt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import ProviderError, TerminalConflict
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger import MemoryLedger
from tests.runtime.builders import intent, row, wish
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import Clock, GatedProvider, ScriptedProvider

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall


class Told:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.rows: list[AuditableCall] = []
        self.errors: list[str] = []

    def __call__(self, row: AuditableCall, error: BaseException | None) -> None:
        """Remember."""
        self.rows.append(row)
        self.errors.append(type(error).__name__)

    @property
    def hooks(self) -> RuntimeHooks:
        """Hooks with this observer."""
        return RuntimeHooks(clock=Clock(), on_row=self)


async def test_each_attempt_once() -> None:
    """Every attempt is told of with the row that is recorded, and with the provider's error."""
    told = Told()
    provider = ScriptedProvider("", OSError("gone"), "Answer.")
    async with scene(setting(provider, hooks=told.hooks, max_recovery_attempts=2)) as at:
        with pytest.raises(ProviderError):
            await at.answer()
        await at.answer()
        assert tuple(told.rows) == await at.turn.calls()
    assert [row.outcome for row in told.rows] == ["empty", "error", "ok"]
    assert told.errors == ["NoneType", "OSError", "NoneType"]


async def test_cancelled() -> None:
    """A caller that goes away leaves one row, and it is told of once."""
    told, provider = Told(), GatedProvider()
    async with scene(setting(provider, hooks=told.hooks)) as at:
        call = asyncio.ensure_future(at.answer())
        await provider.waiting.wait()
        call.cancel()
        await asyncio.wait([call])
    assert ([row.outcome for row in told.rows], told.errors) == (["aborted"], ["CancelledError"])


async def test_superseded() -> None:
    """A row that came second is told of as it is kept."""
    told, provider, ledger = Told(), GatedProvider(), MemoryLedger()
    async with scene(setting(provider, ledger=ledger, hooks=told.hooks, cap=2)) as at:
        call = asyncio.ensure_future(at.answer(landing=True))
        await provider.waiting.wait()
        rival = intent("m2", landing=True, cap=2)
        await ledger.reserve(wish(rival))
        await ledger.append(row(rival))
        provider.gate.set()
        with pytest.raises(TerminalConflict):
            await call
    assert [told_of.synthesis_quality and told_of.synthesis_quality.reason for told_of in told.rows] == ["superseded"]


async def test_failing_observer(caplog: pytest.LogCaptureFixture) -> None:
    """An observer that fails costs nobody an answer; the log says so, without the answer."""

    def fail(row: AuditableCall, _: BaseException | None) -> None:
        raise ValueError(row.call_id)

    async with scene(setting(ScriptedProvider("Secret."), hooks=RuntimeHooks(clock=Clock(), on_row=fail))) as at:
        result = await at.answer()
    assert result.text == "Secret."
    assert f"on_row failed for call {result.row.call_id}" in caplog.text
    assert "Secret." not in caplog.text
