"""Where the answer to an attempt comes from. Whether an attempt is made, and what is recorded, is the lanes'."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from pleach_runtime.audit import TokenUsage
from pleach_runtime.provider import ProviderCall, ProviderResponse, RetryableError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from pleach_runtime.audit import CallIntent, Outcome
    from pleach_runtime.provider import Provider
    from pleach_runtime.request import SeamRequest

Tell: TypeAlias = "Callable[[str | TokenUsage], Awaitable[None] | None]"
"""Takes a piece of an answer before the rest of it is there. It may raise, to stop the answer.

What it returns, if anything, is awaited before the next piece is told.
"""


class Answer(NamedTuple):
    """What came back for an attempt."""

    response: ProviderResponse
    cached: bool = False
    """Whether no provider was called for it."""
    outcome: Outcome | None = None
    """What the observers of a stream decided; `None` leaves it to the judge. Only an undecided answer may be kept."""


class Answers(Protocol):
    """A source of answers. The intent of every attempt that reaches it is recorded."""

    async def answer(self, intent: CallIntent, request: SeamRequest, tell: Tell | None = None, /) -> Answer:
        """Answer, or raise. Whatever it raises is recorded.

        Args:
            intent: the attempt.
            request: what is asked.
            tell: takes pieces on the way, by whoever has some; without any, the answer is shown as one piece.
        """
        ...


@dataclass(frozen=True)
class FromProvider:
    """Asks the provider, once per attempt."""

    provider: Provider

    async def answer(self, intent: CallIntent, request: SeamRequest, tell: Tell | None = None, /) -> Answer:
        """See `Answers.answer`."""
        call = ProviderCall(intent.call_id, intent.call.requested_model, request)
        stream = getattr(self.provider, "stream", None)
        if tell is None or stream is None:
            return Answer(await self.provider.complete(call))
        return Answer(await _told(stream(call), tell))


async def _told(parts: AsyncGenerator[object, None], tell: Tell) -> ProviderResponse:
    async with aclosing(parts):
        async for part in parts:
            if isinstance(part, (str, TokenUsage)):
                waiting = tell(part)
                if waiting is not None:
                    await waiting
            elif isinstance(part, ProviderResponse):
                return part
            else:
                raise TypeError(f"a stream yields text, its usage and its response, not {type(part).__name__}")
    raise RetryableError("the stream ended before the answer did")
