"""What a caller asks a model. What the model answers is in `audit.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from pydantic import Field, JsonValue

from pleach_runtime.audit import AuditModel, Id, ToolCall
from pleach_runtime.canonical import canonical_json


class Message(AuditModel):
    """One message of a conversation."""

    # A slot is not copied with the message, so a changed copy never has the digest of its original.
    __slots__ = ("_digest",)

    role: Id
    """Who speaks, in the provider's words: `system`, `user`, `assistant`, `tool`."""
    content: JsonValue
    """Text, or parts as the provider takes them."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tools that this message asked for."""
    tool_call_id: str | None = None
    """The tool call that this message answers; `None` if it answers none."""

    def digest(self) -> bytes:
        """Return the SHA-256 of the message. It is computed once if the content is text, which cannot change.

        Raises:
            InvalidRequest: if JSON cannot say the content.
        """
        kept: bytes | None = getattr(self, "_digest", None)
        if kept is not None:
            return kept
        tools = [tool.model_dump() for tool in self.tool_calls]
        digest = hashlib.sha256(canonical_json([self.role, self.content, tools, self.tool_call_id])).digest()
        if isinstance(self.content, str):
            object.__setattr__(self, "_digest", digest)
        return digest


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
