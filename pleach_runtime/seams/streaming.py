"""The reader's end of a streamed call. The call itself runs in a task, as any call of its lane."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Generic

from pleach_runtime.errors import StreamAborted, TurnError
from pleach_runtime.seams.classes import C, C_co
from pleach_runtime.streams.sink import Stopped
from pleach_runtime.streams.verdicts import StreamVerdict

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine

    from pleach_runtime.seams.seam import CallRecord, SeamResult
    from pleach_runtime.streams.sink import StreamSink


class SeamStream(Generic[C_co]):
    """An answer that comes piece by piece: `async for piece in stream`. It ends with the call's error if it has one."""

    def __init__(
        self, sink: StreamSink, call: asyncio.Task[CallRecord], result_of: Callable[[CallRecord], SeamResult[C_co]]
    ) -> None:
        self._sink = sink
        self._call = call
        self._result_of = result_of

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the text to show, never empty; what was read is not read again. See `ProviderSeam.stream`."""
        channel = self._sink.channel
        while (piece := channel.pop() or await channel.get()) is not None:
            yield piece
        await self._record()

    async def result(self) -> SeamResult[C_co]:
        """Wait for the end, let go what was not read, and return what came of the call. It may be asked for again."""
        while await self._sink.channel.get() is not None:
            pass
        return self._result_of(await self._record())

    async def _record(self) -> CallRecord:
        if self._call.cancelled():
            raise TurnError("the stream was left before its end")
        return await asyncio.shield(self._call)


@asynccontextmanager
async def open_stream(
    sink: StreamSink,
    run: Callable[[], Coroutine[object, object, CallRecord]],
    result_of: Callable[[CallRecord], SeamResult[C]],
) -> AsyncGenerator[SeamStream[C]]:
    """Make the call, and let go of it at the end: if nobody else waits for it, it is cancelled and recorded so."""
    call = asyncio.create_task(_carry_out(sink, run))
    call.add_done_callback(_look_at)
    try:
        yield SeamStream(sink, call, result_of)
    finally:
        sink.channel.close()
        call.cancel()
        await asyncio.wait([call])
        # A call that was cancelled before its first step has not ended the channel itself.
        sink.channel.end()


async def _carry_out(sink: StreamSink, run: Callable[[], Coroutine[object, object, CallRecord]]) -> CallRecord:
    try:
        record = await run()
        if record.recorded:
            await _show_recorded(sink, record)
        return record
    finally:
        sink.channel.end()


async def _show_recorded(sink: StreamSink, record: CallRecord) -> None:
    row = record.row
    try:
        if row.draft is not None:
            await sink.end(row.draft)
    except Stopped:
        if sink.verdict is StreamVerdict.ABORT:
            raise StreamAborted(row.turn_id, row.message_id, row.call_id, sink.reason) from None


def _look_at(call: asyncio.Task[CallRecord]) -> None:
    # The reader may have gone before the end; asyncio logs an exception that nobody has looked at.
    if not call.cancelled():
        call.exception()
