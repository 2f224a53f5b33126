"""A streamed answer for code without an event loop. The stream itself is on the background loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from pleach_runtime.seams.classes import C_co

if TYPE_CHECKING:
    from typing_extensions import Self

    from pleach_runtime.seams.seam import SeamResult
    from pleach_runtime.seams.streaming import SeamStream
    from pleach_runtime.sync import BackgroundLoop


class SyncStream(Generic[C_co]):
    """An answer that comes piece by piece: `for piece in stream`. See `SeamStream`."""

    def __init__(self, stream: SeamStream[C_co], background: BackgroundLoop) -> None:
        self._stream = stream
        self._pieces = aiter(stream)
        self._background = background

    def __iter__(self) -> Self:
        """Return the stream itself: what was read is not read again."""
        return self

    def __next__(self) -> str:
        """Return the next text to show, never empty."""
        piece = self._background.run(self._next)
        if piece is None:
            raise StopIteration
        return piece

    def result(self) -> SeamResult[C_co]:
        """See `SeamStream.result`."""
        return self._background.run(self._stream.result)

    async def _next(self) -> str | None:
        return await anext(self._pieces, None)
