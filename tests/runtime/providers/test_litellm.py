"""The adapter to LiteLLM, with the real library against a local server. `.ci/run` installs it."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.audit import Draft
from pleach_runtime.provider import ProviderResponse, is_retryable
from pleach_runtime.providers.failures import PassingError, RateLimited, ServerFault, TimedOut, UnreadableAnswer
from pleach_runtime.providers.litellm import LiteLLMProvider
from pleach_runtime.providers.openai import failure_of
from tests.runtime.providers.asking import (
    CHAT_STREAM,
    CHAT_TOOL,
    CHAT_USAGE,
    CONVERSATION,
    FOUND,
    USAGE,
    call,
    chat_answer,
    streamed,
    whole,
)
from tests.runtime.providers.wire import answer, cut_stream, serving, silence, stream

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.runtime.providers.wire import Reply, Wire

# Otherwise LiteLLM asks the internet for prices when it is imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
if find_spec("litellm") is None:
    pytest.skip("the extra `litellm` is not installed", allow_module_level=True)
litellm = import_module("litellm")
# The library warns of its own affairs, and leaves its connections to the end of the process.
pytestmark = pytest.mark.filterwarnings("ignore")
ASKED = call(model="openai/m-1")


@asynccontextmanager
async def asking(*script: Reply, timeout: float = 10) -> AsyncGenerator[tuple[LiteLLMProvider, Wire]]:
    """Give a provider over the real library, and the server behind it."""
    async with serving(*script) as wire:
        yield LiteLLMProvider(api_base=f"{wire.url}/v1", api_key="k", timeout=timeout), wire


async def test_answer() -> None:
    """Text, served model, finish reason and token counts are taken over."""
    async with asking(answer(chat_answer({"content": "In Rome."}, usage=CHAT_USAGE))) as (provider, _):
        response = await provider.complete(ASKED)
    assert response == ProviderResponse(Draft(text="In Rome.", finish_reason="stop"), USAGE, "m-1-0301", "r-1")


async def test_request() -> None:
    """Messages and parameters go where LiteLLM takes them; metadata does not."""
    async with asking(answer(chat_answer({"content": "Yes."}))) as (provider, wire):
        await provider.complete(call(*CONVERSATION, model="openai/m-1", params={"temperature": 0.5}))
    (asked,) = wire.asked
    assert (asked.body["model"], asked.body["temperature"]) == ("m-1", 0.5)
    assert [message["role"] for message in asked.body["messages"]] == ["system", "user", "assistant", "tool"]  # type: ignore[attr-defined]  # JSON


async def test_tool_call() -> None:
    """Tools that the model asked for are in the draft."""
    reply = chat_answer({"content": None, "tool_calls": [CHAT_TOOL]}, "tool_calls")
    async with asking(answer(reply)) as (provider, _):
        assert (await provider.complete(ASKED)).draft == Draft(tool_calls=(FOUND,), finish_reason="tool_calls")


async def test_stream() -> None:
    """Text comes as it is written, and last the whole answer with tool calls and counts."""
    async with asking(stream(*CHAT_STREAM)) as (provider, _):
        parts = await streamed(provider, ASKED)
    assert [part for part in parts if isinstance(part, str)] == ["In ", "Rome."]
    response = whole(parts)
    assert (response.draft.text, response.draft.tool_calls) == ("In Rome.", (FOUND,))
    assert (response.usage.input_tokens, response.usage.output_tokens) == (10, 5)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        pytest.param(answer({"error": {"message": "no"}}, status=429), RateLimited, id="429"),
        pytest.param(answer({"error": {"message": "no"}}, status=500), ServerFault, id="500"),
        pytest.param(silence(), TimedOut, id="silence"),
    ],
)
async def test_passing(reply: Reply, kind: type[Exception]) -> None:
    """A failure that may pass is told by its kind, after one request: the retries of LiteLLM and its SDK are off."""
    async with asking(reply, timeout=0.5) as (provider, wire):
        with pytest.raises(kind):
            await provider.complete(ASKED)
    assert len(wire.asked) == 1


@pytest.mark.parametrize(("status", "name"), [(400, "BadRequestError"), (401, "AuthenticationError")])
async def test_final(status: int, name: str) -> None:
    """A failure that stays is LiteLLM's own."""
    async with asking(answer({"error": {"message": "no"}}, status=status)) as (provider, wire):
        with pytest.raises(getattr(litellm, name)) as failure:
            await provider.complete(ASKED)
    assert not is_retryable(failure.value)
    assert len(wire.asked) == 1


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(cut_stream(*CHAT_STREAM[:3]), id="cut off"),
        pytest.param(stream(*CHAT_STREAM[:3]), id="ended too soon"),
    ],
)
async def test_broken_stream(reply: Reply) -> None:
    """A stream that breaks off is not taken for an answer."""
    async with asking(reply) as (provider, _):
        with pytest.raises(PassingError):
            await streamed(provider, ASKED)


async def test_malformed_answer() -> None:
    """An answer that is none is not taken for one."""
    async with asking(answer(b"{nope")) as (provider, _):
        with pytest.raises(PassingError):
            await provider.complete(ASKED)


@pytest.mark.parametrize("name", ["fallbacks", "max_retries", "num_retries"])
async def test_several_requests(name: str) -> None:
    """Whatever would make several requests of one call is refused: each attempt is reserved and recorded by itself."""
    with pytest.raises(ValueError, match=f"options {name} are set by the runtime"):
        LiteLLMProvider(name="litellm", **{name: object()})
    async with asking() as (provider, wire):
        with pytest.raises(ValueError, match=f"parameters {name} are set by the runtime"):
            await provider.complete(call(params={name: 2}))
    assert wire.asked == []


def test_answer_that_litellm_refuses() -> None:
    """An answer in which LiteLLM misses something is unreadable."""
    error = litellm.APIResponseValidationError(message="no", llm_provider="openai", model="m-1")
    assert isinstance(failure_of(error), UnreadableAnswer)


async def test_nobody_listens() -> None:
    """A server that is not there may be there later; LiteLLM calls it a fault of the server."""
    async with serving() as wire:
        gone = wire.url
    with pytest.raises(ServerFault):
        await LiteLLMProvider(api_base=gone, api_key="k").complete(ASKED)
