"""What the runtime needs of a provider, and what a provider gives back. Adapters to real providers live elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from pleach_runtime.audit import UNKNOWN_USAGE, Draft

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pleach_runtime.audit import TokenUsage
    from pleach_runtime.request import SeamRequest


@dataclass(frozen=True)
class ProviderCall:
    """One attempt, as the provider gets it."""

    call_id: str
    """Unique per attempt: fit to be an idempotency key."""
    model: str
    request: SeamRequest


@dataclass(frozen=True)
class ProviderResponse:
    """What the provider answered."""

    draft: Draft
    usage: TokenUsage = UNKNOWN_USAGE
    """Token counts as reported; a count that was not reported is `None`, never 0."""
    model: str | None = None
    """The model that answered; `None` if the provider did not say."""
    response_id: str | None = None
    token_cost: int | None = None
    """Price in nano-USD if the provider says it; `None` leaves it to the price hook."""

    @classmethod
    def of_text(cls, text: str, usage: TokenUsage = UNKNOWN_USAGE) -> ProviderResponse:
        """Return a response that is nothing but text."""
        return cls(Draft(text=text), usage)


StreamPart: TypeAlias = "str | TokenUsage | ProviderResponse"
"""What a stream yields: pieces of text; the usage so far, whenever more of it is known; at last the whole response."""


class RetryableError(Exception):
    """What an adapter raises when another model may well answer the same request.

    That is: too many requests, an overload, a fault of the server, a timeout, a lost connection. Not: a bad key, a bad
    request, a refusal.
    """


_PASSING: Final = (RetryableError, TimeoutError, asyncio.TimeoutError, ConnectionError)
"""On Python 3.10 the timeout of asyncio is a class of its own."""


def is_retryable(error: BaseException) -> bool:
    """Whether a failure of a provider is one that another model may not have."""
    return isinstance(error, _PASSING)


class Provider(Protocol):
    """Somebody who answers requests.

    One call of `complete` is one request on the wire: an adapter switches the retries of its SDK off, so that every
    attempt is reserved and recorded. It may be called from many tasks at once, and is cancelled when its caller goes.
    """

    @property
    def name(self) -> str:
        """Who it is, as audit rows say it."""
        ...

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Answer, or raise. Whatever it raises is recorded and reaches the caller as the cause of a `ProviderError`.

        Raises:
            RetryableError: or a timeout or connection error of the standard library, if another model may answer.
        """
        ...


class StreamingProvider(Provider, Protocol):
    """A provider that can also answer piece by piece. Streams over any other provider show its answer in one piece."""

    def stream(self, call: ProviderCall, /) -> AsyncGenerator[StreamPart, None]:
        """Answer piece by piece: an async generator, which is closed early if the answer is not wanted any more.

        Yields text as it comes, and last, after all text, the response as a whole, tool calls and usage included.
        A stream that ends without the response counts as cut off, and so as retryable. A `TokenUsage` on the way is
        what the attempt is known to have cost if it is stopped there.

        Raises:
            RetryableError: as `complete` does.
        """
        ...
