"""LiteLLM, and through it whatever it speaks to. Needs the extra `litellm`, which is slow to load: a provider does."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from pleach_runtime.providers.chat_wire import RESERVED, ChatStream, messages_of, params_of, response_of
from pleach_runtime.providers.failures import translated

# LiteLLM's exceptions are OpenAI's, whose SDK it brings along.
from pleach_runtime.providers.openai import failure_of
from pleach_runtime.providers.streaming import parts_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pleach_runtime.provider import ProviderCall, ProviderResponse, StreamPart

_ONCE: Final = {"max_retries": 0, "num_retries": 0, "fallbacks": None}
"""Another request, or another model, is another attempt, and the runtime's to make."""
_STREAMED: Final = {"stream": True, "stream_options": {"include_usage": True}}


class LiteLLMProvider:
    """Asks through `litellm.acompletion`, one request on the wire per call.

    Models are named as LiteLLM names them, such as `anthropic/claude-sonnet-4-5`, and priced under the name that
    answers. Keys and addresses are LiteLLM's to find, or options.
    """

    def __init__(self, *, name: str = "litellm", **options: object) -> None:
        """Load LiteLLM.

        Args:
            name: who is asked, as audit rows say it.
            options: given to `acompletion` with every call: `api_base`, `api_key`, `timeout` in seconds, and the like.

        Raises:
            ImportError: if LiteLLM is not installed.
            ValueError: if an option would make more than one request of a call.
        """
        again = sorted(_ONCE.keys() & options.keys())
        if again:
            raise ValueError(f"options {', '.join(again)} are set by the runtime, which makes each attempt itself")
        self.name = name
        self._options = options
        self._litellm = cast("_LiteLLM", import_module("litellm"))

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """See `Provider.complete`.

        Raises:
            PassingError: if another model may answer; anything else as LiteLLM raises it.
        """
        with translated(failure_of):
            return response_of(await self._create(call))

    def stream(self, call: ProviderCall, /) -> AsyncGenerator[StreamPart, None]:
        """See `StreamingProvider.stream`.

        Raises:
            PassingError: as `complete` does.
        """
        return parts_of(partial(self._create, call, **_STREAMED), ChatStream(), failure_of)

    async def _create(self, call: ProviderCall, **streaming: object) -> object:
        asked = {**self._options, **params_of(call, RESERVED.union(_ONCE)), **_ONCE, **streaming}
        return await self._litellm.acompletion(model=call.model, messages=messages_of(call), **asked)


class _LiteLLM(Protocol):
    async def acompletion(self, **body: object) -> object: ...
