"""Reading the stream of an SDK to its end, the same way for each. What its events say is in the wire formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from pleach_runtime.providers.failures import translated

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator

    from pleach_runtime.provider import ProviderResponse, StreamPart
    from pleach_runtime.providers.failures import PassingError


class Chunks(Protocol):
    """An open stream, as SDKs give it."""

    async def __aenter__(self) -> AsyncIterator[object]:
        """Return its events."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Let go of the connection."""
        ...


class Assembly(Protocol):
    """The events of one answer, put together."""

    def take(self, event: object, /) -> Iterator[StreamPart]:
        """Take the next event as the SDK gives it, and give what it says."""
        ...

    def response(self) -> ProviderResponse:
        """Return the answer as a whole."""
        ...


async def parts_of(
    opened: Callable[[], Awaitable[object]],
    answer: Assembly,
    failure_of: Callable[[Exception], PassingError | None],
) -> AsyncGenerator[StreamPart, None]:
    """Give the parts of a streamed answer, and the whole of it last. See `StreamingProvider.stream`.

    Args:
        opened: sends the request.
        answer: what the events are put together in.
        failure_of: what an exception of the SDK means; `None` if it is not one that passes.

    Raises:
        PassingError: if another model may answer; anything else as the SDK raises it.
    """
    with translated(failure_of):
        async with cast("Chunks", await opened()) as events:
            async for event in events:
                for part in answer.take(event):
                    yield part
        yield answer.response()
