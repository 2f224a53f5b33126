"""The adapter to Anthropic's Messages, with the real SDK against a local server."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anthropic
import pytest

from pleach_runtime.audit import UNKNOWN_USAGE, Draft, TokenUsage, ToolCall
from pleach_runtime.provider import ProviderResponse, is_retryable
from pleach_runtime.providers.anthropic import AnthropicProvider
from pleach_runtime.providers.failures import ConnectionLost, RateLimited, ServerFault, TimedOut, UnreadableAnswer
from pleach_runtime.request import Message
from tests.runtime.postgres import free_port
from tests.runtime.providers.asking import CONVERSATION, FOUND, USAGE, call, streamed
from tests.runtime.providers.wire import answer, cut_answer, cut_stream, serving, silence, stream
from tests.runtime.scenes import scene, setting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from pydantic import JsonValue

    from pleach_runtime.provider import StreamPart
    from tests.runtime.providers.wire import Reply, Wire

COUNTS = {
    "input_tokens": 4,
    "output_tokens": 5,
    "cache_read_input_tokens": 4,
    "cache_creation_input_tokens": 2,
    "output_tokens_details": {"thinking_tokens": 3},
}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
UNKNOWN = {"type": "new", "text": ["Hm."], "id": None, "name": 3}
TOOL = {"type": "tool_use", "id": "t-1", "name": "find", "input": {"parcel": 7}}


def said(*blocks: object, stop_reason: str | None = "end_turn", **more: object) -> dict[str, object]:
    """Return an answer of these blocks."""
    head = {"id": "r-1", "type": "message", "role": "assistant", "model": "m-1-0301", "usage": COUNTS}
    return {**head, "content": blocks, "stop_reason": stop_reason, "stop_sequence": None, **more}


def text(content: str) -> dict[str, JsonValue]:
    """Return a block of text."""
    return {"type": "text", "text": content}


def delta(index: int, kind: str, **content: str) -> dict[str, object]:
    """Return the event of one more piece of a block."""
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **content}}


def start(index: int, block: Mapping[str, object]) -> dict[str, object]:
    """Return the event that begins a block."""
    return {"type": "content_block_start", "index": index, "content_block": block}


FIRST_COUNTS = {"input_tokens": 4, "output_tokens": 1, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2}
LAST_COUNTS = {"input_tokens": None, "output_tokens": 5, "output_tokens_details": {"thinking_tokens": 3}}
EVENTS = (
    {"type": "message_start", "message": said(stop_reason=None, usage=FIRST_COUNTS)},
    start(0, {"type": "thinking", "thinking": "", "signature": ""}),
    delta(0, "thinking_delta", thinking="Hm."),
    {"type": "content_block_stop", "index": 0},
    start(1, text("")),
    {"type": "ping"},
    delta(1, "text_delta", text="In "),
    delta(1, "text_delta", text="Rome."),
    {"type": "content_block_stop", "index": 1},
    start(2, {**TOOL, "input": {}}),
    delta(2, "input_json_delta", partial_json=""),
    delta(2, "input_json_delta", partial_json='{"parcel"'),
    delta(2, "input_json_delta", partial_json=": 7}"),
    {"type": "content_block_stop", "index": 2},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": LAST_COUNTS},
    {"type": "message_stop"},
)
BEGUN = EVENTS[:7]
"""Events up to the first piece of text."""


@asynccontextmanager
async def asking(*script: Reply, timeout: float = 10) -> AsyncGenerator[tuple[AnthropicProvider, Wire]]:
    """Give a provider over the real SDK, which would retry twice if it were let, and the server behind it."""
    async with serving(*script) as wire:
        client = anthropic.AsyncAnthropic(base_url=wire.url, api_key="k", timeout=timeout, max_retries=2)
        async with client:
            yield AnthropicProvider(client, max_tokens=99), wire


class TestComplete:
    """Whole answers."""

    async def test_answer(self) -> None:
        """Text, served model, id, stop reason and all token counts are taken over; cached tokens are input too."""
        async with asking(answer(said(THOUGHT, text("In "), text("Rome.")))) as (provider, _):
            response = await provider.complete(call())
        draft = Draft(text="In Rome.", finish_reason="end_turn")
        assert response == ProviderResponse(draft, USAGE, model="m-1-0301", response_id="r-1")

    async def test_request(self) -> None:
        """System text, tool calls and their results take the shape that Anthropic wants; metadata is left out."""
        async with asking(answer(said(text("Yes.")))) as (provider, wire):
            await provider.complete(call(*CONVERSATION, params={"top_k": 5, "made_up": [1]}))
        (asked,) = wire.asked
        assert (asked.path, asked.headers["idempotency-key"]) == ("/v1/messages", "call-1")
        assert asked.body == {
            "model": "m-1",
            "max_tokens": 99,
            "top_k": 5,
            "made_up": [1],
            "system": [text("Be short.")],
            "messages": [
                {"role": "user", "content": [text("Where is parcel 7?")]},
                {"role": "assistant", "content": [TOOL]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t-1", "content": "In Rome."}]},
            ],
        }

    async def test_results_of_several_tools(self) -> None:
        """Results that follow each other are blocks of one message, as Anthropic demands."""
        results = [Message(role="tool", content="x", tool_call_id=f"t-{number}") for number in (1, 2)]
        talk = (
            Message(role="user", content=[text("Both?")]),
            *results,
            Message(role="user", content="So?"),
            results[0],
        )
        async with asking(answer(said(text("Yes.")))) as (provider, wire):
            await provider.complete(call(*talk))
        shapes = [(turn["role"], len(turn["content"])) for turn in wire.asked[0].body["messages"]]  # type: ignore[attr-defined]  # JSON
        assert shapes == [("user", 1), ("user", 2), ("user", 1), ("user", 1)]
        assert "system" not in wire.asked[0].body

    async def test_limit_of_the_request(self) -> None:
        """A request may have a limit of its own."""
        async with asking(answer(said(text("Yes.")))) as (provider, wire):
            await provider.complete(call(params={"max_tokens": 7}))
        assert wire.asked[0].body["max_tokens"] == 7

    @pytest.mark.parametrize(
        ("reply", "draft"),
        [
            pytest.param(said(TOOL), Draft(tool_calls=(FOUND,), finish_reason="end_turn"), id="tool call"),
            pytest.param(
                said({**TOOL, "input": {}}),
                Draft(tool_calls=(FOUND.model_copy(update={"arguments": "{}"}),), finish_reason="end_turn"),
                id="tool call without arguments",
            ),
            pytest.param(said(stop_reason="refusal"), Draft(refused=True, finish_reason="refusal"), id="refusal"),
            pytest.param(said(text("Yes."), stop_reason=None), Draft(text="Yes."), id="no reason"),
            pytest.param(
                said(UNKNOWN, text("Yes."), {"type": "text", "text": None}),
                Draft(text="Yes.", finish_reason="end_turn"),
                id="a block of a kind that is not known, and one without text",
            ),
        ],
    )
    async def test_other_answers(self, reply: dict[str, object], draft: Draft) -> None:
        """What is not plain text becomes the draft that it is."""
        async with asking(answer(reply)) as (provider, _):
            assert (await provider.complete(call())).draft == draft

    @pytest.mark.parametrize(
        ("counts", "usage"),
        [
            pytest.param(None, UNKNOWN_USAGE, id="missing"),
            pytest.param({"input_tokens": -9, "output_tokens": 1}, UNKNOWN_USAGE, id="negative"),
            pytest.param({"output_tokens": 1}, TokenUsage(output_tokens=1), id="half"),
        ],
    )
    async def test_odd_usage(self, counts: object, usage: TokenUsage) -> None:
        """Counts that are missing or cannot be are unknown, not 0."""
        async with asking(answer(said(text("Yes."), usage=counts))) as (provider, _):
            assert (await provider.complete(call())).usage == usage

    @pytest.mark.parametrize("name", ["messages", "model", "stream", "system"])
    async def test_reserved_parameter(self, name: str) -> None:
        """A parameter that would decide what the runtime decides is refused, and nothing is sent."""
        async with asking() as (provider, wire):
            with pytest.raises(ValueError, match=f"parameters {name} are set by the runtime"):
                await provider.complete(call(params={name: 2}))
        assert wire.asked == []

    async def test_arguments_that_are_no_json(self) -> None:
        """Arguments that cannot be sent back are refused without being quoted."""
        tool = ToolCall(tool_call_id="t-1", name="find", arguments="{secret")
        async with asking() as (provider, _):
            with pytest.raises(ValueError, match="arguments of tool call 't-1' are no JSON") as refusal:
                await provider.complete(call(Message(role="assistant", content="Hm.", tool_calls=(tool,))))
        assert "secret" not in repr((refusal.value, refusal.value.__cause__))


class TestStream:
    """Answers piece by piece."""

    async def test_answer(self) -> None:
        """Counts come as they become known, text as it is written, and last the whole answer with its tool calls."""
        async with asking(stream(*EVENTS)) as (provider, wire):
            parts = await streamed(provider, call())
        first = TokenUsage(input_tokens=10, output_tokens=1, cache_read_tokens=4, cache_write_tokens=2)
        draft = Draft(text="In Rome.", tool_calls=(FOUND,), finish_reason="tool_use")
        assert parts == [first, "In ", "Rome.", USAGE, ProviderResponse(draft, USAGE, "m-1-0301", "r-1")]
        assert wire.asked[0].body["stream"] is True

    async def test_same_as_whole(self) -> None:
        """A streamed answer is the answer that would have come whole."""
        async with asking(stream(*EVENTS), answer(said(THOUGHT, text("In Rome."), TOOL, stop_reason="tool_use"))) as (
            provider,
            _,
        ):
            assert (await streamed(provider, call()))[-1] == await provider.complete(call())

    async def test_odd_usage(self) -> None:
        """Counts that are none cost no answer."""
        last = {**EVENTS[-2], "usage": [7]}
        async with asking(stream(*EVENTS[:-2], last, EVENTS[-1])) as (provider, _):
            assert (await streamed(provider, call()))[-2] == USAGE.model_copy(
                update={"output_tokens": 1, "reasoning_tokens": None}
            )

    async def test_unknown_kinds(self) -> None:
        """Blocks and pieces of kinds that are not known are passed over, whatever they hold."""
        odd = (start(0, UNKNOWN), delta(0, "text_delta", text="Hm."), delta(0, "new_delta", text="Hm."))
        events = (EVENTS[0], *odd, start(1, text("")), delta(1, "text_delta", text="Yes."), *EVENTS[-2:])
        async with asking(stream(*events)) as (provider, _):
            *parts, last = await streamed(provider, call())
        assert [part for part in parts if isinstance(part, str)] == ["Yes."]
        assert isinstance(last, ProviderResponse)
        assert last.draft.text == "Yes."

    async def test_text_without_a_start(self) -> None:
        """Text that a block begins with, or that nothing announced, is not lost."""
        events = (EVENTS[0], start(0, text("Well, ")), delta(1, "text_delta", text="yes."), *EVENTS[-2:])
        async with asking(stream(*events)) as (provider, _):
            parts = await streamed(provider, call())
        assert [part for part in parts if isinstance(part, str)] == ["Well, ", "yes."]
        assert isinstance(parts[-1], ProviderResponse)
        assert parts[-1].draft.text == "Well, yes."

    async def test_closed_early(self) -> None:
        """A consumer that has enough closes the connection."""
        async with asking(silence(*BEGUN)) as (provider, _):
            parts = provider.stream(call())
            assert await anext(parts) == TokenUsage(
                input_tokens=10, output_tokens=1, cache_read_tokens=4, cache_write_tokens=2
            )
            await parts.aclose()


def rejection(kind: str, status: int, **headers: str) -> Reply:
    """Return an answer that says that there is none."""
    return answer({"type": "error", "error": {"type": kind, "message": "no"}}, status=status, **headers)


async def streamed_rest(parts: AsyncGenerator[StreamPart]) -> list[StreamPart]:
    """Return what is left of a stream."""
    return [part async for part in parts]


class TestFailures:
    """What goes wrong, whole and piece by piece, and whether another model may do better."""

    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            pytest.param(rejection("rate_limit_error", 429), RateLimited, id="429"),
            pytest.param(rejection("api_error", 500), ServerFault, id="500"),
            pytest.param(rejection("overloaded_error", 529), ServerFault, id="overloaded"),
            pytest.param(answer(b"<html>", status=502), ServerFault, id="502 of a proxy"),
            pytest.param(silence(), TimedOut, id="silence"),
        ],
    )
    async def test_passing(self, reply: Reply, kind: type[Exception]) -> None:
        """A failure that may pass is told by its kind, after one request; the SDK's retries are off."""
        async with asking(reply, reply, timeout=1) as (provider, wire):
            with pytest.raises(kind) as failure:
                await provider.complete(call())
            with pytest.raises(kind):
                await streamed(provider, call())
        assert is_retryable(failure.value)
        assert isinstance(failure.value.__cause__, anthropic.APIError)
        assert len(wire.asked) == 2

    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            pytest.param(rejection("invalid_request_error", 400), anthropic.BadRequestError, id="bad request"),
            pytest.param(rejection("authentication_error", 401), anthropic.AuthenticationError, id="bad key"),
            pytest.param(rejection("not_found_error", 404), anthropic.NotFoundError, id="no such model"),
        ],
    )
    async def test_final(self, reply: Reply, kind: type[Exception]) -> None:
        """A failure that stays is the SDK's own."""
        async with asking(reply) as (provider, wire):
            with pytest.raises(kind) as failure:
                await provider.complete(call())
        assert not is_retryable(failure.value)
        assert len(wire.asked) == 1

    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            pytest.param(answer(b"{nope"), UnreadableAnswer, id="malformed JSON"),
            pytest.param(answer([1]), UnreadableAnswer, id="JSON of another shape"),
            pytest.param(answer({"id": "r-1"}), UnreadableAnswer, id="no content"),
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
            pytest.param(cut_stream(*BEGUN), ConnectionLost, id="cut off"),
            pytest.param(stream(*BEGUN), ConnectionLost, id="ended too soon"),
            pytest.param(stream(*EVENTS[:-1]), ConnectionLost, id="ended just before its end"),
            pytest.param(silence(*BEGUN), TimedOut, id="silence"),
            pytest.param(
                stream(*BEGUN, {"type": "error", "error": {"type": "overloaded_error", "message": "no"}}),
                ServerFault,
                id="overloaded meanwhile",
            ),
            pytest.param(stream(*BEGUN, {"type": "message_delta", "delta": 7}), UnreadableAnswer, id="another shape"),
        ],
    )
    async def test_broken_streams(self, reply: Reply, kind: type[Exception]) -> None:
        """A stream that breaks gives what came, and then says how it broke."""
        async with asking(reply, timeout=1) as (provider, _):
            parts = provider.stream(call())
            assert isinstance(await anext(parts), TokenUsage)
            assert await anext(parts) == "In "
            with pytest.raises(kind):
                await streamed_rest(parts)

    async def test_retry_after(self) -> None:
        """How long the provider asks to wait is on the failure, with the status."""
        async with asking(rejection("rate_limit_error", 429, Retry_After="7")) as (provider, _):
            with pytest.raises(RateLimited) as failure:
                await provider.complete(call())
        assert (failure.value.status, failure.value.retry_after_seconds) == (429, 7.0)

    async def test_nobody_listens(self) -> None:
        """A server that is not there is a lost connection."""
        async with anthropic.AsyncAnthropic(base_url=f"http://127.0.0.1:{free_port()}", api_key="k") as client:
            with pytest.raises(ConnectionLost):
                await AnthropicProvider(client).complete(call())


async def test_row() -> None:
    """The row has the served model, the counts and the provider's id."""
    async with asking(answer(said(text("In Rome.")))) as (provider, _), scene(setting(provider)) as at:
        recorded = (await at.answer()).row
    assert (recorded.call.provider, recorded.served_model, recorded.usage) == ("anthropic", "m-1-0301", USAGE)
    assert recorded.provider_response_id == "r-1"
