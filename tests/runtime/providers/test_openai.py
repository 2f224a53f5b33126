"""The adapter to OpenAI's Chat Completions, with the real SDK against a local server."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import openai
import pytest

from pleach_runtime.audit import UNKNOWN_USAGE, Draft, ToolCall
from pleach_runtime.errors import ProviderError
from pleach_runtime.provider import ProviderResponse, is_retryable
from pleach_runtime.providers.failures import ConnectionLost, RateLimited, ServerFault, TimedOut, UnreadableAnswer
from pleach_runtime.providers.openai import OpenAIProvider
from tests.runtime.postgres import free_port
from tests.runtime.providers.asking import (
    CHAT_STREAM,
    CHAT_TOOL,
    CHAT_USAGE,
    CONVERSATION,
    FOUND,
    USAGE,
    call,
    chat_answer,
    chat_chunk,
    streamed,
    whole,
)
from tests.runtime.providers.wire import answer, cut_answer, cut_stream, serving, silence, stream
from tests.runtime.scenes import scene, setting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.runtime.providers.wire import Reply, Wire

OK = answer(chat_answer({"content": "In Rome."}, usage=CHAT_USAGE))

CUSTOM_TOOL = {"id": "t-1", "type": "custom", "custom": {"name": "find", "input": "parcel 7"}}
CUSTOM_FOUND = ToolCall(tool_call_id="t-1", name="find", arguments="parcel 7")


@asynccontextmanager
async def asking(
    *script: Reply, timeout: float = 10, stream_usage: bool = True
) -> AsyncGenerator[tuple[OpenAIProvider, Wire]]:
    """Give a provider over the real SDK, which would retry twice if it were let, and the server behind it."""
    async with serving(*script) as wire:
        client = openai.AsyncOpenAI(base_url=f"{wire.url}/v1", api_key="k", timeout=timeout, max_retries=2)
        async with client:
            yield OpenAIProvider(client, stream_usage=stream_usage), wire


class TestComplete:
    """Whole answers."""

    async def test_answer(self) -> None:
        """Text, served model, id, finish reason and all token counts are taken over."""
        async with asking(OK) as (provider, _):
            response = await provider.complete(call())
        draft = Draft(text="In Rome.", finish_reason="stop")
        assert response == ProviderResponse(draft, USAGE, model="m-1-0301", response_id="r-1")

    async def test_request(self) -> None:
        """Messages and parameters go onto the wire, with the call id as key; metadata does not."""
        async with asking(OK) as (provider, wire):
            await provider.complete(call(*CONVERSATION, params={"temperature": 0.5, "made_up": [1]}))
        (asked,) = wire.asked
        assert (asked.path, asked.headers["idempotency-key"]) == ("/v1/chat/completions", "call-1")
        assert asked.body == {
            "model": "m-1",
            "temperature": 0.5,
            "made_up": [1],
            "messages": [
                {"role": "system", "content": "Be short."},
                {"role": "user", "content": "Where is parcel 7?"},
                {"role": "assistant", "content": None, "tool_calls": [CHAT_TOOL]},
                {"role": "tool", "content": "In Rome.", "tool_call_id": "t-1"},
            ],
        }

    @pytest.mark.parametrize(
        ("message", "reason", "draft"),
        [
            pytest.param(
                {"content": None, "tool_calls": [CHAT_TOOL]},
                "tool_calls",
                Draft(tool_calls=(FOUND,), finish_reason="tool_calls"),
                id="tool call",
            ),
            pytest.param(
                {"content": None, "tool_calls": [{"function": {"name": "find", "arguments": {"parcel": 7}}}]},
                None,
                Draft(tool_calls=(FOUND.model_copy(update={"tool_call_id": ""}),)),
                id="tool call with arguments that are read already, and no id",
            ),
            pytest.param(
                {"content": None, "tool_calls": [{"id": "t-1", "function": {}}]},
                "stop",
                Draft(tool_calls=(FOUND.model_copy(update={"name": "", "arguments": "{}"}),), finish_reason="stop"),
                id="tool call that says nothing",
            ),
            pytest.param(
                {"content": None, "tool_calls": [CUSTOM_TOOL]},
                "tool_calls",
                Draft(tool_calls=(CUSTOM_FOUND,), finish_reason="tool_calls"),
                id="call of a tool that takes text",
            ),
            pytest.param(
                {"content": None, "tool_calls": [{"id": "t-1", "type": "new", "function": None, "new": [1]}]},
                "tool_calls",
                Draft(tool_calls=(ToolCall(tool_call_id="t-1", name=""),), finish_reason="tool_calls"),
                id="call of a kind that is not known",
            ),
            pytest.param(
                {"content": "Yes.", "refusal": ""}, "stop", Draft(text="Yes.", finish_reason="stop"), id="no refusal"
            ),
            pytest.param(
                {"content": None, "refusal": "I cannot."},
                "stop",
                Draft(text="I cannot.", refused=True, finish_reason="stop"),
                id="refusal",
            ),
            pytest.param(
                {"content": [{"type": "thinking", "thinking": [1]}, {"type": "text", "text": "In Rome."}]},
                "stop",
                Draft(text="In Rome.", finish_reason="stop"),
                id="content in parts",
            ),
            pytest.param(
                {"content": ""}, "content_filter", Draft(refused=True, finish_reason="content_filter"), id="filtered"
            ),
        ],
    )
    async def test_other_answers(self, message: dict[str, object], reason: str | None, draft: Draft) -> None:
        """What is not plain text becomes the draft that it is."""
        async with asking(answer(chat_answer(message, reason))) as (provider, _):
            assert (await provider.complete(call())).draft == draft

    @pytest.mark.parametrize(
        "usage",
        [
            pytest.param({}, id="missing"),
            pytest.param({"usage": None}, id="null"),
            pytest.param({"usage": {"prompt_tokens": -1, "completion_tokens": 5}}, id="negative"),
            pytest.param({"usage": {"prompt_tokens": "many"}}, id="no number"),
        ],
    )
    async def test_unknown_usage(self, usage: dict[str, object]) -> None:
        """An answer without counts that can be is an answer, and its cost is unknown, not 0."""
        async with asking(answer({**chat_answer({"content": "In Rome."}), **usage})) as (provider, _):
            response = await provider.complete(call())
        assert (response.draft.text, response.usage) == ("In Rome.", UNKNOWN_USAGE)

    @pytest.mark.parametrize("name", ["messages", "model", "n", "stream", "stream_options"])
    async def test_reserved_parameter(self, name: str) -> None:
        """A parameter that would decide what the runtime decides is refused, and nothing is sent."""
        async with asking() as (provider, wire):
            with pytest.raises(ValueError, match=f"parameters {name} are set by the runtime"):
                await provider.complete(call(params={name: 2}))
        assert wire.asked == []


class TestStream:
    """Answers piece by piece."""

    async def test_answer(self) -> None:
        """Text comes as it is written, then the counts, then the whole answer with its tool calls."""
        async with asking(stream(*CHAT_STREAM)) as (provider, wire):
            parts = await streamed(provider, call())
        draft = Draft(text="In Rome.", tool_calls=(FOUND,), finish_reason="tool_calls")
        assert parts == ["In ", "Rome.", USAGE, ProviderResponse(draft, USAGE, "m-1-0301", "r-1")]
        assert wire.asked[0].body["stream_options"] == {"include_usage": True}

    async def test_without_usage(self) -> None:
        """A server that refuses to be asked for counts is not asked, and they are unknown."""
        script = stream(chat_chunk({"content": "Yes."}), chat_chunk({}, "stop"))
        async with asking(script, stream_usage=False) as (provider, wire):
            parts = await streamed(provider, call())
        assert (parts[0], whole(parts).usage) == ("Yes.", UNKNOWN_USAGE)
        assert "stream_options" not in wire.asked[0].body

    async def test_tool_calls_without_index(self) -> None:
        """Servers that send each tool call in one piece need not number them."""
        tools = [{**CHAT_TOOL, "id": f"t-{number}"} for number in (1, 2)]
        script = stream(*(chat_chunk({"tool_calls": [tool]}) for tool in tools), chat_chunk({}, "stop"))
        async with asking(script) as (provider, _):
            response = whole(await streamed(provider, call()))
        assert [tool.tool_call_id for tool in response.draft.tool_calls] == ["t-1", "t-2"]

    async def test_tool_that_takes_text(self) -> None:
        """The call of a tool that takes text comes in pieces too."""
        more = {"index": 0, "custom": {"input": " 7"}}
        first = {**CUSTOM_TOOL, "index": 0, "custom": {"name": "find", "input": "parcel"}}
        script = stream(*(chat_chunk({"tool_calls": [tool]}) for tool in (first, more)), chat_chunk({}, "stop"))
        async with asking(script) as (provider, _):
            assert whole(await streamed(provider, call())).draft.tool_calls == (CUSTOM_FOUND,)

    async def test_refusal(self) -> None:
        """A refusal is no text to show; it is the draft, and says so."""
        script = stream(chat_chunk({"refusal": "I "}), chat_chunk({"refusal": "cannot."}), chat_chunk({}, "stop"))
        async with asking(script) as (provider, _):
            parts = await streamed(provider, call())
        assert (len(parts), whole(parts).draft) == (1, Draft(text="I cannot.", refused=True, finish_reason="stop"))

    async def test_closed_early(self) -> None:
        """A consumer that has enough closes the connection."""
        async with asking(silence(*CHAT_STREAM[:2])) as (provider, _):
            parts = provider.stream(call())
            assert await anext(parts) == "In "
            await parts.aclose()

    async def test_null_choice(self) -> None:
        """A chunk without a choice or a delta, as some servers send to stay alive, says nothing."""
        odd = [{**chat_chunk({}), "choices": choices} for choices in (None, [], [{"index": 0, "delta": None}])]
        async with asking(stream(*odd, chat_chunk({"content": "Yes."}, "stop"))) as (provider, _):
            assert (await streamed(provider, call()))[0] == "Yes."


FAILURES = [
    pytest.param(answer({"error": {"code": "rate_limit_exceeded"}}, status=429), RateLimited, id="429"),
    pytest.param(answer({"error": {"message": "boom"}}, status=500), ServerFault, id="500"),
    pytest.param(answer(b"<html>", status=503), ServerFault, id="503 of a proxy"),
    pytest.param(answer({}, status=409), ServerFault, id="conflict"),
    pytest.param(answer({}, status=408), TimedOut, id="408"),
    pytest.param(silence(), TimedOut, id="silence"),
]
FINAL = [
    pytest.param(answer({"error": {"code": "insufficient_quota"}}, status=429), openai.RateLimitError, id="no money"),
    pytest.param(answer({"error": {"message": "bad"}}, status=400), openai.BadRequestError, id="bad request"),
    pytest.param(answer({}, status=401), openai.AuthenticationError, id="bad key"),
    pytest.param(answer({}, status=404), openai.NotFoundError, id="no such model"),
]


class TestFailures:
    """What goes wrong, whole and piece by piece, and whether another model may do better."""

    @pytest.mark.parametrize(("reply", "kind"), FAILURES)
    async def test_passing(self, reply: Reply, kind: type[Exception]) -> None:
        """A failure that may pass is told by its kind, after one request; the SDK's retries are off."""
        async with asking(reply, reply, timeout=1) as (provider, wire):
            with pytest.raises(kind) as failure:
                await provider.complete(call())
            with pytest.raises(kind):
                await streamed(provider, call())
        assert is_retryable(failure.value)
        assert isinstance(failure.value.__cause__, openai.APIError)
        assert len(wire.asked) == 2

    @pytest.mark.parametrize(("reply", "kind"), FINAL)
    async def test_final(self, reply: Reply, kind: type[Exception]) -> None:
        """A failure that stays is the SDK's own."""
        async with asking(reply, reply) as (provider, wire):
            with pytest.raises(kind) as failure:
                await provider.complete(call())
            with pytest.raises(kind):
                await streamed(provider, call())
        assert not is_retryable(failure.value)
        assert len(wire.asked) == 2

    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            pytest.param(answer(b"{nope"), UnreadableAnswer, id="malformed JSON"),
            pytest.param(answer([1]), UnreadableAnswer, id="JSON of another shape"),
            pytest.param(answer({"id": "r-1"}), UnreadableAnswer, id="no choices"),
            pytest.param(answer(chat_answer({"content": 7})), UnreadableAnswer, id="content that is no text"),
            pytest.param(answer(b"<html>", Content_Type="text/html"), UnreadableAnswer, id="a page"),
            pytest.param(cut_answer(b'{"id":'), ConnectionLost, id="cut off"),
        ],
    )
    async def test_odd_answers(self, reply: Reply, kind: type[Exception]) -> None:
        """An answer that is none, or not whole, is not taken for one."""
        async with asking(reply) as (provider, _):
            with pytest.raises(kind):
                await provider.complete(call())

    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            pytest.param(cut_stream(*CHAT_STREAM[:2]), ConnectionLost, id="cut off"),
            pytest.param(stream(*CHAT_STREAM[:2]), ConnectionLost, id="ended too soon"),
            pytest.param(stream(*CHAT_STREAM[:2], "[DONE]"), ConnectionLost, id="done too soon"),
            pytest.param(stream(*CHAT_STREAM[:2], "{nope"), UnreadableAnswer, id="malformed JSON"),
            pytest.param(stream(*CHAT_STREAM[:2], "[1]"), UnreadableAnswer, id="JSON of another shape"),
            pytest.param(silence(*CHAT_STREAM[:2]), TimedOut, id="silence"),
            pytest.param(stream(*CHAT_STREAM[:2], {"error": {"type": "server_error"}}), ServerFault, id="fault"),
            pytest.param(
                stream(*CHAT_STREAM[:2], {"error": {"code": "invalid_prompt"}}), openai.APIError, id="final error"
            ),
        ],
    )
    async def test_broken_streams(self, reply: Reply, kind: type[Exception]) -> None:
        """A stream that breaks gives what came, and then says how it broke."""
        async with asking(reply, timeout=1) as (provider, _):
            parts = provider.stream(call())
            assert await anext(parts) == "In "
            with pytest.raises(kind):
                await anext(parts)

    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            pytest.param({"Retry_After": "7"}, 7.0, id="seconds"),
            pytest.param({"retry_after_ms": "1500", "Retry_After": "2"}, 1.5, id="milliseconds"),
            pytest.param({}, None, id="nothing"),
        ],
    )
    async def test_retry_after(self, headers: dict[str, str], seconds: float | None) -> None:
        """How long the provider asks to wait is on the failure, with the status."""
        async with asking(answer({}, status=429, **headers)) as (provider, _):
            with pytest.raises(RateLimited) as failure:
                await provider.complete(call())
        assert (failure.value.status, failure.value.retry_after_seconds) == (429, seconds)

    async def test_nobody_listens(self) -> None:
        """A server that is not there is a lost connection."""
        async with openai.AsyncOpenAI(base_url=f"http://127.0.0.1:{free_port()}", api_key="k") as client:
            with pytest.raises(ConnectionLost):
                await OpenAIProvider(client).complete(call())


class TestInARuntime:
    """What becomes of it in the ledger."""

    async def test_row(self) -> None:
        """The row has the served model, the counts and the provider's id."""
        async with asking(OK) as (provider, _), scene(setting(provider)) as at:
            recorded = (await at.answer()).row
        assert (recorded.call.provider, recorded.served_model, recorded.usage) == ("openai", "m-1-0301", USAGE)
        assert recorded.provider_response_id == "r-1"

    @pytest.mark.parametrize(("status", "retryable"), [(500, True), (400, False)])
    async def test_failure(self, status: int, retryable: bool) -> None:  # noqa: FBT001 - a case
        """A failure says whether another model may answer, and by which name it goes, without what was asked."""
        rejection = answer({"error": {"message": "Why?"}}, status=status)
        async with asking(rejection) as (provider, _), scene(setting(provider)) as at:
            with pytest.raises(ProviderError) as failure:
                await at.answer()
        assert failure.value.retryable is retryable
        assert failure.value.reason == ("ServerFault" if retryable else "BadRequestError")
        assert "Why?" not in str(failure.value)
