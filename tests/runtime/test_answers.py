"""Tests of the provider as a source of answers, at once and piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_runtime.answers import Answer, FromProvider
from pleach_runtime.provider import ProviderResponse, RetryableError
from tests.runtime.builders import intent
from tests.runtime.stubs import USAGE, ScriptedProvider, StreamingStub, ask

if TYPE_CHECKING:
    from pleach_runtime.audit import TokenUsage
    from pleach_runtime.provider import Provider

WHOLE = ProviderResponse.of_text("Because.", USAGE)


class Listener:
    """Takes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[str | TokenUsage] = []

    async def tell(self, part: str | TokenUsage) -> None:
        """Take it down."""
        self.heard.append(part)


@pytest.mark.parametrize(
    ("provider", "heard"),
    [
        pytest.param(StreamingStub(["Be", USAGE, "cause.", WHOLE]), ["Be", USAGE, "cause."], id="that streams"),
        pytest.param(ScriptedProvider(WHOLE), [], id="that does not"),
    ],
)
async def test_tells(provider: Provider, heard: list[str]) -> None:
    """A provider that streams tells its pieces on the way; the whole answer is the same as at once."""
    listener = Listener()
    assert await FromProvider(provider).answer(intent(), ask(), listener.tell) == Answer(WHOLE)
    assert listener.heard == heard


async def test_nobody_listens() -> None:
    """Without a listener a provider that could stream is asked for all at once."""
    assert (await FromProvider(StreamingStub()).answer(intent(), ask())).response.draft.text == "Answer 1."


async def test_cut_off() -> None:
    """A stream that ends without the response has failed in a way that another model may not."""
    with pytest.raises(RetryableError, match="ended before"):
        await FromProvider(StreamingStub(["Be"])).answer(intent(), ask(), Listener().tell)


async def test_closed() -> None:
    """A listener that raises stops the stream, which is closed before anybody goes on."""

    async def refuse(_part: str | TokenUsage) -> None:
        raise ValueError("enough")

    provider = StreamingStub(["Be", "cause.", WHOLE])
    with pytest.raises(ValueError, match="enough"):
        await FromProvider(provider).answer(intent(), ask(), refuse)
    assert (provider.streamed, provider.closed) == (["Be"], 1)
