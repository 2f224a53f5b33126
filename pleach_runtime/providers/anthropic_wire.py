"""The format of Anthropic's Messages: requests, answers, streams. Sends nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar, Final, cast

from pydantic import BaseModel, JsonValue, ValidationError, model_validator

from pleach_runtime.audit import UNKNOWN_USAGE, Draft, TokenUsage, ToolCall
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.providers import chat_wire
from pleach_runtime.providers.chat_wire import fields_of
from pleach_runtime.providers.failures import ConnectionLost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_runtime.provider import ProviderCall, StreamPart
    from pleach_runtime.request import Message

_RESERVED: Final = frozenset({"messages", "model", "stream", "system"})
_SYSTEM: Final = frozenset({"developer", "system"})
_REFUSED: Final = "refusal"


class _Read(BaseModel):
    """A part of an answer whose kind says what is in it. Kinds that are not read may hold anything."""

    kinds: ClassVar[frozenset[str]]
    type: str = ""

    @model_validator(mode="before")
    @classmethod
    def _known(cls, fields: object) -> object:
        if not isinstance(fields, dict):
            return fields
        said = cast("dict[str, object]", fields)
        if said.get("type", "") not in cls.kinds:
            return {"type": said["type"]}
        return {name: value for name, value in said.items() if value is not None}


class _Block(_Read):
    kinds = frozenset({"text", "tool_use"})
    text: str = ""
    id: str = ""
    name: str = ""
    input: JsonValue = None


class _Message(BaseModel):
    id: str | None = None
    model: str | None = None
    content: list[_Block]
    stop_reason: str | None = None
    usage: JsonValue = None


class _Details(BaseModel):
    thinking_tokens: int | None = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: _Details | None = None


class _Delta(_Read):
    kinds = frozenset({"", "text_delta", "input_json_delta"})
    text: str = ""
    partial_json: str = ""
    stop_reason: str | None = None


class _Event(BaseModel):
    type: str
    index: int = 0
    message: _Message = _Message(content=[])
    content_block: _Block = _Block(type="")
    delta: _Delta = _Delta()
    usage: JsonValue = None


class _Problem(BaseModel):
    type: str | None = None


class _Rejection(BaseModel):
    error: _Problem = _Problem()


def params_of(call: ProviderCall) -> dict[str, JsonValue]:
    """Return the parameters of a call.

    Raises:
        ValueError: if one of them would decide what the runtime decides.
    """
    return chat_wire.params_of(call, _RESERVED)


def conversation_of(call: ProviderCall) -> dict[str, JsonValue]:
    """Return model, messages and system text of a call as they go onto the wire.

    Raises:
        ValueError: if the arguments of a tool call are no JSON.
    """
    spoken = [message for message in call.request.messages if message.role not in _SYSTEM]
    system = [block for message in call.request.messages if message.role in _SYSTEM for block in _blocks(message)]
    return {"model": call.model, "messages": _turns(spoken), **({"system": system} if system else {})}


def response_of(message: object) -> ProviderResponse:
    """Return what an answer says.

    Args:
        message: the answer as the SDK gives it.

    Raises:
        UnreadableAnswer: if it is none.
        ValidationError: if its fields are of the wrong kind.
    """
    return _response(_Message.model_validate(fields_of(message)))


class MessageStream:
    """The events of one answer, put together."""

    def __init__(self) -> None:
        self._message = _Message(content=[])
        self._blocks: dict[int, _Block] = {}
        self._json: dict[int, str] = {}
        self._usage: dict[str, JsonValue] = {}
        self._stop_reason: str | None = None
        self._is_over = False

    def take(self, event: object) -> Iterator[StreamPart]:
        """Take the next event as the SDK gives it, and give what it says.

        Raises:
            UnreadableAnswer: if it is none.
            ValidationError: if its fields are of the wrong kind.
        """
        read = _Event.model_validate(fields_of(event))
        if read.type == "message_start":
            self._message = read.message
            yield self._counted(read.message.usage)
        elif read.type == "content_block_start":
            self._blocks[read.index] = read.content_block
            yield from filter(None, [read.content_block.text])
        elif read.type == "content_block_delta":
            yield from self._take_delta(read.index, read.delta)
        elif read.type == "message_delta":
            self._stop_reason = read.delta.stop_reason or self._stop_reason
            yield self._counted(read.usage)
        elif read.type == "message_stop":
            self._is_over = True

    def response(self) -> ProviderResponse:
        """Return the answer as a whole.

        Raises:
            ConnectionLost: if the stream has ended before the answer did.
        """
        if not self._is_over:
            raise ConnectionLost("the stream ended before the answer did")
        blocks = [self._block(index) for index in sorted(self._blocks)]
        changes = {"content": blocks, "stop_reason": self._stop_reason, "usage": self._usage}
        return _response(self._message.model_copy(update=changes))

    def _take_delta(self, index: int, delta: _Delta) -> Iterator[str]:
        block = self._blocks.setdefault(index, _Block(type="text"))
        self._json[index] = self._json.get(index, "") + delta.partial_json
        if delta.text and block.type == "text":
            self._blocks[index] = block.model_copy(update={"text": block.text + delta.text})
            yield delta.text

    def _block(self, index: int) -> _Block:
        written = self._json.get(index)
        return self._blocks[index].model_copy(update={"input": written}) if written else self._blocks[index]

    def _counted(self, usage: JsonValue) -> TokenUsage:
        """Count what is known by now: later events repeat some counts, and leave others out."""
        known = usage if isinstance(usage, dict) else {}
        self._usage.update((name, count) for name, count in known.items() if count is not None)
        return usage_of(self._usage)


def usage_of(usage: JsonValue) -> TokenUsage:
    """Return the token counts of an answer; unknown if they are missing or cannot be.

    Anthropic counts the tokens of its cache apart from the others; here `input_tokens` is all of them.
    """
    try:
        read = _Usage.model_validate(usage)
        details = read.output_tokens_details or _Details()
        cached = (read.cache_read_input_tokens or 0) + (read.cache_creation_input_tokens or 0)
        return TokenUsage(
            input_tokens=None if read.input_tokens is None else read.input_tokens + cached,
            output_tokens=read.output_tokens,
            cache_read_tokens=read.cache_read_input_tokens,
            cache_write_tokens=read.cache_creation_input_tokens,
            reasoning_tokens=details.thinking_tokens,
        )
    except ValidationError:
        # The answer is paid and whole; only what it cost is not known.
        return UNKNOWN_USAGE


def code_of(rejection: object) -> str | None:
    """Return Anthropic's word for what is wrong, from the body of a rejection; `None` if it has none."""
    try:
        return _Rejection.model_validate(rejection).error.type
    except ValidationError:
        return None


def _response(message: _Message) -> ProviderResponse:
    draft = Draft(
        text="".join(block.text for block in message.content if block.type == "text"),
        tool_calls=tuple(_tool_call(block) for block in message.content if block.type == "tool_use"),
        refused=message.stop_reason == _REFUSED,
        finish_reason=message.stop_reason,
    )
    return ProviderResponse(draft, usage_of(message.usage), message.model, message.id)


def _tool_call(block: _Block) -> ToolCall:
    written = block.input if isinstance(block.input, str) else json.dumps(block.input or {})
    return ToolCall(tool_call_id=block.id, name=block.name, arguments=written)


def _turns(messages: Sequence[Message]) -> list[JsonValue]:
    """Return messages in which the results of tools are blocks of one message of the user, as the format wants it."""
    turns: list[JsonValue] = []
    results: list[JsonValue] = []
    for message in messages:
        if message.tool_call_id is None:
            results = []
            turns.append({"role": message.role, "content": [*_blocks(message), *map(_tool_use, message.tool_calls)]})
            continue
        if not results:
            turns.append({"role": "user", "content": results})
        result: dict[str, JsonValue] = {"type": "tool_result", "tool_use_id": message.tool_call_id}
        results.append({**result, "content": message.content})
    return turns


def _blocks(message: Message) -> list[JsonValue]:
    """Return the content of a message as blocks; empty text is no block, which the format refuses."""
    if isinstance(message.content, list):
        return message.content
    return [{"type": "text", "text": message.content}] if message.content else []


def _tool_use(call: ToolCall) -> JsonValue:
    try:
        arguments: JsonValue = json.loads(call.arguments)
    except ValueError:
        # The cause is left out: it quotes what the model wrote.
        raise ValueError(f"the arguments of tool call {call.tool_call_id!r} are no JSON") from None
    return {"type": "tool_use", "id": call.tool_call_id, "name": call.name, "input": arguments}
