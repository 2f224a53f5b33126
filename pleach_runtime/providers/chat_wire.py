"""The format of Chat Completions, which OpenAI made and many speak: requests, answers, streams. Sends nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, cast

from pydantic import BaseModel, Field, JsonValue, ValidationError, field_validator

from pleach_runtime.audit import UNKNOWN_USAGE, Draft, TokenUsage, ToolCall
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.providers.failures import ConnectionLost, UnreadableAnswer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.provider import ProviderCall, StreamPart
    from pleach_runtime.request import Message

RESERVED: Final = frozenset({"messages", "model", "n", "stream", "stream_options"})
"""Parameters that the runtime sets, or that would make more than one answer of a call."""


class _Function(BaseModel):
    name: str | None = None
    arguments: JsonValue = None


class _Custom(BaseModel):
    name: str | None = None
    input: str | None = None


class _ToolCall(BaseModel):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None
    custom: _Custom | None = None
    """A tool that takes text instead of JSON."""

    @property
    def asked(self) -> _Function:
        if self.function is None and self.custom is not None:
            return _Function(name=self.custom.name, arguments=self.custom.input)
        return self.function or _Function()


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _joined(cls, content: object) -> object:
        """Some servers say content in parts, of which the thoughts of the model are not text."""
        if not isinstance(content, list):
            return content
        parts = [_Part.model_validate(part) for part in cast("list[object]", content)]
        return "".join(str(part.text) for part in parts if part.type == "text")


class _Part(BaseModel):
    type: str = ""
    text: JsonValue = ""


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    id: str | None = None
    model: str | None = None
    choices: list[_Choice] = Field(min_length=1)
    usage: JsonValue = None


class _PieceOfChoice(BaseModel):
    delta: _Message | None = None
    finish_reason: str | None = None


class _Piece(BaseModel):
    id: str | None = None
    model: str | None = None
    choices: list[_PieceOfChoice] | None = None
    usage: JsonValue = None


class _PromptDetails(BaseModel):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _CompletionDetails(BaseModel):
    reasoning_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None


def messages_of(call: ProviderCall) -> list[JsonValue]:
    """Return the messages of a call as they go onto the wire."""
    return [_message(message) for message in call.request.messages]


def headers_of(call: ProviderCall) -> dict[str, str]:
    """Return the headers of a request: the call id, for servers that answer the same key once."""
    return {"Idempotency-Key": call.call_id}


def params_of(call: ProviderCall, reserved: frozenset[str] = RESERVED) -> dict[str, JsonValue]:
    """Return the parameters of a call.

    Raises:
        ValueError: if one of the reserved names is among them: it would decide what the runtime decides.
    """
    taken = sorted(reserved.intersection(call.request.params))
    if taken:
        raise ValueError(f"parameters {', '.join(taken)} are set by the runtime")
    return dict(call.request.params)


def response_of(completion: object) -> ProviderResponse:
    """Return what an answer says.

    Args:
        completion: the answer as an SDK gives it.

    Raises:
        UnreadableAnswer: if it is none.
    """
    read = _Completion.model_validate(fields_of(completion))
    choice = read.choices[0]
    draft = Draft(
        text=choice.message.content or choice.message.refusal or "",
        tool_calls=tuple(map(_tool_call, choice.message.tool_calls or ())),
        refused=_refused(choice.message, choice.finish_reason),
        finish_reason=choice.finish_reason,
    )
    return ProviderResponse(draft, usage_of(read.usage), read.model, read.id)


def fields_of(answer: object) -> object:
    """Return the fields of an answer that an SDK has read, itself unchecked.

    Raises:
        UnreadableAnswer: if the SDK could make nothing of it.
    """
    if not isinstance(answer, BaseModel):
        raise UnreadableAnswer(f"an answer that is a {type(answer).__name__}")
    return answer.model_dump(warnings=False)


def usage_of(usage: JsonValue) -> TokenUsage:
    """Return the token counts of an answer; unknown if they are missing or cannot be."""
    try:
        read = _Usage.model_validate(usage)
        prompt = read.prompt_tokens_details or _PromptDetails()
        completion = read.completion_tokens_details or _CompletionDetails()
        return TokenUsage(
            input_tokens=read.prompt_tokens,
            output_tokens=read.completion_tokens,
            cache_read_tokens=prompt.cached_tokens,
            cache_write_tokens=prompt.cache_write_tokens,
            reasoning_tokens=completion.reasoning_tokens,
        )
    except ValidationError:
        # The answer is paid and whole; only what it cost is not known.
        return UNKNOWN_USAGE


class ChatStream:
    """The pieces of one answer, put together."""

    def __init__(self) -> None:
        self._first = _Piece()
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._tools: dict[int, _ToolCall] = {}
        self._finish_reason: str | None = None
        self._usage = UNKNOWN_USAGE

    def take(self, chunk: object) -> Iterator[StreamPart]:
        """Take the next chunk as an SDK gives it, and give what it says.

        Raises:
            UnreadableAnswer: if it is none.
        """
        piece = _Piece.model_validate(fields_of(chunk))
        self._first = _Piece(id=self._first.id or piece.id, model=self._first.model or piece.model)
        for choice in (piece.choices or ())[:1]:
            self._finish_reason = choice.finish_reason or self._finish_reason
            if choice.delta is not None:
                yield from self._take_delta(choice.delta)
        if piece.usage is not None:
            self._usage = usage_of(piece.usage)
            yield self._usage

    def response(self) -> ProviderResponse:
        """Return the answer as a whole.

        Raises:
            ConnectionLost: if the stream has ended before the answer did.
        """
        if self._finish_reason is None:
            raise ConnectionLost("the stream ended before the answer did")
        draft = Draft(
            text="".join(self._text) or "".join(self._refusal),
            tool_calls=tuple(map(_tool_call, self._tools.values())),
            refused=bool(self._refusal) or self._finish_reason == _FILTERED,
            finish_reason=self._finish_reason,
        )
        return ProviderResponse(draft, self._usage, self._first.model, self._first.id)

    def _take_delta(self, delta: _Message) -> Iterator[str]:
        if delta.content:
            self._text.append(delta.content)
            yield delta.content
        if delta.refusal:
            self._refusal.append(delta.refusal)
        for piece in delta.tool_calls or ():
            self._take_tool(piece)

    def _take_tool(self, piece: _ToolCall) -> None:
        at = len(self._tools) if piece.index is None else piece.index
        known = self._tools.get(at, _ToolCall())
        arguments = _as_text(known.asked.arguments) + _as_text(piece.asked.arguments)
        function = _Function(name=known.asked.name or piece.asked.name, arguments=arguments)
        self._tools[at] = _ToolCall(id=known.id or piece.id, function=function)


_FILTERED: Final = "content_filter"


def _refused(message: _Message, finish_reason: str | None) -> bool:
    return bool(message.refusal) or finish_reason == _FILTERED


def _tool_call(call: _ToolCall) -> ToolCall:
    return ToolCall(
        tool_call_id=call.id or "", name=call.asked.name or "", arguments=_as_text(call.asked.arguments) or "{}"
    )


def _as_text(arguments: JsonValue) -> str:
    """Return arguments as JSON text; some servers give them read already."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _message(message: Message) -> JsonValue:
    said: dict[str, JsonValue] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        said["tool_calls"] = [
            {"id": call.tool_call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        said["tool_call_id"] = message.tool_call_id
    return said
