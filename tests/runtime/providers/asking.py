"""What adapters are asked, and what the wire formats answer; shared by the tests of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.audit import TokenUsage, ToolCall
from pleach_runtime.provider import ProviderCall, ProviderResponse
from pleach_runtime.request import Message, SeamRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from pleach_runtime.provider import StreamingProvider, StreamPart

CONVERSATION = (
    Message(role="system", content="Be short."),
    Message(role="user", content="Where is parcel 7?"),
    Message(
        role="assistant",
        content=None,
        tool_calls=(ToolCall(tool_call_id="t-1", name="find", arguments='{"parcel": 7}'),),
    ),
    Message(role="tool", content="In Rome.", tool_call_id="t-1"),
)
USAGE = TokenUsage(
    input_tokens=10, output_tokens=5, cache_read_tokens=4, cache_write_tokens=2, reasoning_tokens=3, estimated=False
)


def call(*messages: Message, model: str = "m-1", params: Mapping[str, JsonValue] | None = None) -> ProviderCall:
    """Return a call with a question, or with these messages."""
    asked = messages or (Message(role="user", content="Why?"),)
    return ProviderCall("call-1", model, SeamRequest(messages=asked, params=params or {}, metadata={"label": "x"}))


async def streamed(provider: StreamingProvider, asked: ProviderCall) -> list[StreamPart]:
    """Return all parts of a streamed answer."""
    return [part async for part in provider.stream(asked)]


def whole(parts: list[StreamPart]) -> ProviderResponse:
    """Return the response that a stream ends with."""
    last = parts[-1]
    assert isinstance(last, ProviderResponse)
    return last


def chat_answer(message: Mapping[str, object], finish_reason: str | None = "stop", **more: object) -> dict[str, object]:
    """Return an answer in the format of Chat Completions."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    return {"id": "r-1", "object": "chat.completion", "created": 1, "model": "m-1-0301", "choices": [choice], **more}


def chat_chunk(delta: Mapping[str, object], finish_reason: str | None = None, **more: object) -> dict[str, object]:
    """Return a chunk of such an answer."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    head = {"id": "r-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1-0301"}
    return {**head, "choices": [choice], **more}


CHAT_USAGE = {
    "prompt_tokens": 10,
    "completion_tokens": 5,
    "total_tokens": 15,
    "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
    "completion_tokens_details": {"reasoning_tokens": 3},
}
CHAT_TOOL = {"id": "t-1", "type": "function", "function": {"name": "find", "arguments": '{"parcel": 7}'}}
CHAT_STREAM = (
    chat_chunk({"role": "assistant", "content": ""}),
    chat_chunk({"content": "In "}),
    chat_chunk({"content": "Rome."}),
    chat_chunk({"tool_calls": [{"index": 0, "id": "t-1", "function": {"name": "find", "arguments": '{"par'}}]}),
    chat_chunk({"tool_calls": [{"index": 0, "function": {"arguments": 'cel": 7}'}}]}),
    chat_chunk({}, "tool_calls"),
    {**chat_chunk({}), "choices": [], "usage": CHAT_USAGE},
    "[DONE]",
)
FOUND = ToolCall(tool_call_id="t-1", name="find", arguments='{"parcel": 7}')
