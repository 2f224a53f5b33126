"""OpenAI, and every server that speaks its Chat Completions over HTTP. Needs the extra `openai`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

import openai

from pleach_runtime.providers.chat_wire import ChatStream, headers_of, messages_of, params_of, response_of
from pleach_runtime.providers.failures import (
    ConnectionLost,
    PassingError,
    Rejection,
    TimedOut,
    UnreadableAnswer,
    failure_of_rejection,
    translated,
)
from pleach_runtime.providers.streaming import parts_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pleach_runtime.provider import ProviderCall, ProviderResponse, StreamPart


class OpenAIProvider:
    """Asks through a client of the OpenAI SDK, one request on the wire per call.

    Parameters of a request go onto the wire as they are; its metadata does not. The call id is the `Idempotency-Key`,
    for servers that know one. A server that answers slowly is given up after the client's own timeout.
    """

    def __init__(self, client: openai.AsyncOpenAI, *, name: str = "openai", stream_usage: bool = True) -> None:
        """Take a client, whose own retries are switched off here. Who made it closes it.

        Args:
            client: where requests go: OpenAI, or with `base_url` any server that speaks the same.
            name: who that is, as audit rows say it.
            stream_usage: whether streams are asked for their token counts; some servers refuse to be asked.
        """
        self.name = name
        self._client = client.with_options(max_retries=0)
        self._stream_options = {"stream_options": {"include_usage": True}} if stream_usage else {}

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
        return parts_of(partial(self._create, call, stream=True, **self._stream_options), ChatStream(), failure_of)

    async def _create(self, call: ProviderCall, **streaming: object) -> object:
        # The SDK's signature names every parameter that OpenAI knows; other servers know others.
        create = cast("_Create", self._client.chat.completions.create)
        messages, params = messages_of(call), params_of(call)
        return await create(
            model=call.model, messages=messages, extra_body=params, extra_headers=headers_of(call), **streaming
        )


class _Create(Protocol):
    async def __call__(self, **body: object) -> object: ...


def failure_of(error: Exception) -> PassingError | None:
    """Return what an exception of the SDK means; `None` if it is not one that passes, or another's."""
    if isinstance(error, openai.APITimeoutError):
        return TimedOut("no answer in time")
    if isinstance(error, openai.APIConnectionError):
        return ConnectionLost(type(error.__cause__).__name__)
    if isinstance(error, openai.APIResponseValidationError):
        return UnreadableAnswer(type(error).__name__)
    if isinstance(error, openai.APIStatusError):
        return failure_of_rejection(Rejection(error.status_code, error.code or error.type, error.response.headers))
    if isinstance(error, openai.APIError):
        return failure_of_rejection(Rejection(None, error.code or error.type))
    return None
