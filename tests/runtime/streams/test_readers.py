"""Tests of streamed calls whose reader is slow, stops or leaves."""

from __future__ import annotations

import asyncio

import pytest

from pleach_runtime.audit import TokenUsage
from pleach_runtime.errors import TurnError
from pleach_runtime.streams.channel import ROOM
from tests.runtime.scenes import scene, setting
from tests.runtime.streams.test_streams import WHOLE, outcomes, pieces_of, stream, streaming
from tests.runtime.stubs import GatedProvider, StreamingStub


async def test_left_early() -> None:
    """A reader that goes leaves one row `aborted`, without text; the provider's stream is closed by then."""
    provider = StreamingStub([TokenUsage(input_tokens=1), *("x" * 100), WHOLE])
    async with scene(setting(provider)) as of:
        async with stream(of) as answer:
            assert await anext(aiter(answer)) == "x"
        (row,) = await of.turn.calls()
        assert (row.outcome, row.draft, row.usage) == ("aborted", None, TokenUsage(input_tokens=1))
        assert provider.closed == 1
        assert await pieces_of(stream(of)) == ["x"] * 100


async def test_read_after_it_was_left() -> None:
    """Outside of its block a stream that was left early says so, and one that was read keeps its result."""
    async with scene(setting(streaming(*("x" * 100)))) as of:
        async with stream(of, message_id="m1") as left:
            pass
        with pytest.raises(TurnError, match="left before its end"):
            await left.result()
        async with stream(of, message_id="m1") as read:
            await read.result()
        assert (await read.result()).text == "x" * 100


async def test_cancelled() -> None:
    """A reader that is cancelled while it waits leaves one row `aborted`."""
    provider = GatedProvider()
    async with scene(setting(provider)) as of:
        reader = asyncio.create_task(pieces_of(stream(of)))
        await provider.waiting.wait()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        assert await outcomes(of) == ["aborted"]


async def test_reader_that_never_reads() -> None:
    """A stream that failed and that nobody has read ends quietly."""
    async with scene(setting(StreamingStub([ValueError("no")]))) as of:
        async with stream(of):
            await asyncio.sleep(0.05)
        assert await outcomes(of) == ["error"]


async def test_back_pressure() -> None:
    """A provider is asked for no more than a little ahead of a slow reader."""
    provider = streaming(*("x" * 100))
    async with scene(setting(provider)) as of, stream(of) as answer:
        await asyncio.sleep(0.05)
        assert len(provider.streamed) == ROOM + 1
        assert (await answer.result()).text == "x" * 100


async def test_a_reader_who_stalls_does_not_hold_the_runtime() -> None:
    """The runtime closes though a reader has stopped reading; the answer is recorded, and can still be read."""
    async with scene(setting(streaming(*("x" * 500)))) as of, stream(of) as answer:
        assert await anext(aiter(answer)) == "x"
        await asyncio.wait_for(of.runtime.aclose(), timeout=10)
        assert (await answer.result()).text == "x" * 500
        assert await outcomes(of) == ["ok"]


async def test_another_caller_waits() -> None:
    """When the reader goes but a duplicate waits, the stream runs to its end for the duplicate."""
    async with scene(setting(streaming(*("x" * 100)))) as of:
        async with stream(of) as answer:
            await anext(aiter(answer))
            joined = asyncio.create_task(of.answer())
            await asyncio.sleep(0)
        assert (await joined).text == "x" * 100
        assert await outcomes(of) == ["ok"]
