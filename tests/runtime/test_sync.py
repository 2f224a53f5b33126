"""Tests of the sync facade."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import ConfigurationError, RuntimeClosed, SyncFromAsyncError, SynthesizeCapExceeded
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.runtime import SessionRuntime
from pleach_runtime.seams import CallClassRoutes
from pleach_runtime.sync import Errand
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask, config

if TYPE_CHECKING:
    from pleach_runtime.provider import ProviderCall
    from pleach_runtime.sync import SyncRuntime


def booted(provider: ScriptedProvider | None = None) -> SyncRuntime:
    """Boot a sync runtime in memory."""
    return SessionRuntime.boot(config(), provider=provider or ScriptedProvider(), ledger="memory:").sync()


class LoopProvider(ScriptedProvider):
    """Knows on which loops it was called."""

    def __init__(self) -> None:
        super().__init__()
        self.loops: set[asyncio.AbstractEventLoop] = set()

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Remember the loop, and let others run."""
        self.loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0.005)
        return await super().complete(call)


def test_turn() -> None:
    """The sync facade does what the async API does."""
    with booted(ScriptedProvider("The answer.")) as sync, sync.turn(chat_id="c1", turn_id="t1") as turn:
        result = turn.invoke(sync.runtime.synthesize_seam, ask(), stage_id="answer", message_id="m1")
        assert (result.text, result.landed) == ("The answer.", True)
        with pytest.raises(SynthesizeCapExceeded):
            turn.invoke(sync.runtime.synthesize_seam, ask(), stage_id="answer", message_id="m2")
        assert turn.calls() == (result.row,)
        assert [cost.calls for cost in turn.rollup()] == [1]
        turn.close(passthrough=True)


def test_one_loop_for_all_threads() -> None:
    """Threads share one loop, so that pooled clients live on, and duplicates join."""
    provider = LoopProvider()
    with booted(provider) as sync, sync.turn(chat_id="c1", turn_id="t1") as turn, ThreadPoolExecutor(8) as pool:
        seam = sync.runtime.synthesize_seam
        answers = [pool.submit(turn.invoke, seam, ask(), stage_id="answer", message_id="m1").result for _ in range(16)]
        assert len({answer().text for answer in answers}) == 1
    assert (len(provider.loops), len(provider.calls)) == (1, 1)


def test_inside_a_running_loop() -> None:
    """Called where it would block an event loop, the facade refuses."""

    async def misuse(turn_of: SyncRuntime) -> None:
        with pytest.raises(SyncFromAsyncError, match="runs an event loop"):
            turn_of.turn(chat_id="c1").__enter__()

    with booted() as sync:
        asyncio.run(misuse(sync))


async def test_sync_side_of_an_async_runtime() -> None:
    """A runtime that was booted async serves threads through its sync side, which ends with it."""
    async with scene(setting()) as of:
        sync = of.runtime.sync
        assert of.runtime.sync is sync

        def work() -> str:
            with sync.turn(chat_id="c1", turn_id="t2") as turn:
                return turn.invoke(of.runtime.synthesize_seam, ask(), stage_id="answer").text

        assert await asyncio.to_thread(work) == "Answer 1."
    with pytest.raises(RuntimeClosed):
        await asyncio.to_thread(work)


def test_closing_twice() -> None:
    """Closing again does nothing, and no thread is left."""
    sync = booted()
    sync.close()
    sync.close()
    assert "pleach-sync" not in {thread.name for thread in threading.enumerate()}


def test_failed_boot() -> None:
    """A boot that fails leaves no thread behind."""
    broken = config(models=CallClassRoutes())
    with pytest.raises(ConfigurationError):
        SessionRuntime.boot(broken, provider=ScriptedProvider(), ledger="memory:").sync()
    assert "pleach-sync" not in {thread.name for thread in threading.enumerate()}


class InterruptedProvider(ScriptedProvider):
    """Is slow, and somebody presses Ctrl-C."""

    async def complete(self, _call: ProviderCall, /) -> ProviderResponse:
        """Interrupt the main thread, and never answer."""
        os.kill(os.getpid(), signal.SIGINT)
        return await asyncio.Future[ProviderResponse]()


def test_interrupted_wait() -> None:
    """When the wait for an answer is interrupted, the call is cancelled and recorded as aborted."""
    ledger = MemoryLedger()
    boot = SessionRuntime.boot(config(), provider=InterruptedProvider(), ledger=ledger)
    with boot.sync() as sync, sync.turn(chat_id="c1", turn_id="t1") as turn, pytest.raises(KeyboardInterrupt):
        turn.invoke(sync.runtime.synthesize_seam, ask(), stage_id="answer")
    assert [row.outcome for row in asyncio.run(ledger.calls("t1"))] == ["aborted"]


def test_interrupted_before_the_start() -> None:
    """An errand that never started can be given up."""
    Errand(asyncio.Event().wait).abandon()


class SlowProvider(ScriptedProvider):
    """Takes its time, and tells other threads when it has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Answer a little later."""
        self.begun.set()
        await asyncio.sleep(0.1)
        return await super().complete(call)


@pytest.mark.timeout(60)
def test_closed_by_another_thread() -> None:
    """Closing waits for the calls that other threads wait for, whatever their class."""
    provider = SlowProvider()
    sync = booted(provider)
    # Left open: a turn cannot be closed any more once its runtime is.
    opened = sync.turn(chat_id="c1")
    turn = opened.__enter__()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(turn.invoke, sync.runtime.utility_seam, ask(), stage_id="router")
        assert provider.begun.wait(timeout=10)
        sync.close()
        assert answer.result(timeout=10).text == "Answer 1."
    with pytest.raises(RuntimeClosed):
        opened.__exit__(None, None, None)


@pytest.mark.timeout(60)
def test_closed_by_many_threads() -> None:
    """Threads that close at the same moment all come back, and the loop's thread is gone."""
    sync = booted()
    with ThreadPoolExecutor(8) as pool:
        for closed in [pool.submit(sync.close) for _ in range(8)]:
            closed.result(timeout=10)
    assert "pleach-sync" not in {thread.name for thread in threading.enumerate()}


_FORKED = """
import os, sys
from pleach_runtime.errors import RuntimeClosed
from tests.runtime.test_sync import booted

sync = booted()
child = os.fork()
if not child:
    try:
        sync.turn(chat_id="c1").__enter__()
    except RuntimeClosed as error:
        sync.close()
        os._exit(7 if "boot one in each process" in str(error) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_after_a_fork() -> None:
    """In a forked process, where the loop's thread is not, the facade says so instead of waiting for ever."""
    forked = subprocess.run([sys.executable, "-W", "ignore", "-c", _FORKED], check=False, timeout=60)
    assert forked.returncode == 7
