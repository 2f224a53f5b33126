"""What a caller asks a model. What the model answers is in `audit.py`."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field, JsonValue

from pleach_runtime.audit import AuditModel, Id, ToolCall


class Message(AuditModel):
    """One message of a conversation."""

    role: Id
    """Who speaks, in the provider's words: `system`, `user`, `assistant`, `tool`."""
    content: JsonValue
    """Text, or parts as the provider takes them."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tools that this message asked for."""
    tool_call_id: str | None = None
    """The tool call that this message answers; `None` if it answers none."""


class SeamRequest(AuditModel):
    """Everything that decides an answer but the model, and metadata that decides nothing."""

    messages: tuple[Message, ...]
    """The conversation, oldest first."""
    params: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Temperature, tools, limits: whatever the provider takes. All of it counts when two requests are compared."""
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Labels and the like. Handed to the provider, and ignored when two requests are compared."""

    @classmethod
    def from_text(cls, text: str) -> SeamRequest:
        """Return a request of one user message."""
        return cls(messages=(Message(role="user", content=text),))
