"""Where the answer to an attempt comes from. Whether an attempt is made, and what is recorded, is the lanes'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pleach_runtime.provider import ProviderCall

if TYPE_CHECKING:
    from pleach_runtime.audit import CallIntent
    from pleach_runtime.provider import Provider, ProviderResponse
    from pleach_runtime.request import SeamRequest


@dataclass(frozen=True)
class Answer:
    """What came back for an attempt."""

    response: ProviderResponse
    cached: bool = False
    """Whether no provider was called for it."""


class Answers(Protocol):
    """A source of answers. The intent of every attempt that reaches it is recorded."""

    async def answer(self, intent: CallIntent, request: SeamRequest, /) -> Answer:
        """Answer, or raise. Whatever it raises is recorded."""
        ...


@dataclass(frozen=True)
class FromProvider:
    """Asks the provider, once per attempt."""

    provider: Provider

    async def answer(self, intent: CallIntent, request: SeamRequest, /) -> Answer:
        """See `Answers.answer`."""
        call = ProviderCall(intent.call_id, intent.call.requested_model, request)
        return Answer(await self.provider.complete(call))
