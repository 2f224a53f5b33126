"""Anthropic's Messages, through its SDK. Needs the extra `anthropic`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

import anthropic

from pleach_runtime.providers.anthropic_wire import MessageStream, code_of, conversation_of, params_of, response_of
from pleach_runtime.providers.chat_wire import headers_of
from pleach_runtime.providers.failures import (
    ConnectionLost,
    PassingError,
    Rejection,
    TimedOut,
    failure_of_rejection,
    translated,
)
from pleach_runtime.providers.streaming import parts_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pleach_runtime.provider import ProviderCall, ProviderResponse, StreamPart


class AnthropicProvider:
    """Asks through a client of the Anthropic SDK, one request on the wire per call.

    Messages of the roles `system` and `developer` become the system text, results of tools become blocks, wherever
    they stand in a request. Parameters go onto the wire as they are, in Anthropic's format; metadata does not.
    """

    def __init__(self, client: anthropic.AsyncAnthropic, *, name: str = "anthropic", max_tokens: int = 4096) -> None:
        """Take a client, whose own retries are switched off here. Who made it closes it.

        Args:
            client: where requests go.
            name: who that is, as audit rows say it.
            max_tokens: the most tokens of an answer if a request has no parameter `max_tokens`.
        """
        self.name = name
        self._client = client.with_options(max_retries=0)
        self._max_tokens = max_tokens

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """See `Provider.complete`.

        Raises:
            PassingError: if another model may answer; anything else as the SDK raises it.
        """
        with translated(failure_of):
            return response_of(await self._create(call))

    def stream(self, call: ProviderCall, /) -> AsyncGenerator[StreamPart, None]:
        """See `StreamingProvider.stream`.

        Raises:
            PassingError: as `complete` does.
        """
        return parts_of(partial(self._create, call, stream=True), MessageStream(), failure_of)

    async def _create(self, call: ProviderCall, **streaming: object) -> object:
        # The SDK's signature names every parameter that it knows; ours are data, and win over the limit.
        create = cast("_Create", self._client.messages.create)
        return await create(
            **conversation_of(call),
            max_tokens=self._max_tokens,
            extra_body=params_of(call),
            extra_headers=headers_of(call),
            **streaming,
        )


class _Create(Protocol):
    async def __call__(self, **body: object) -> object: ...


def failure_of(error: Exception) -> PassingError | None:
    """Return what an exception of the SDK means; `None` if it is not one that passes, or another's."""
    if isinstance(error, anthropic.APITimeoutError):
        return TimedOut("no answer in time")
    if isinstance(error, anthropic.APIConnectionError):
        return ConnectionLost(type(error.__cause__).__name__)
    if isinstance(error, anthropic.APIStatusError):
        return failure_of_rejection(Rejection(error.status_code, code_of(error.body), error.response.headers))
    return None
