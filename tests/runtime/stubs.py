"""Providers, clocks and ids for tests: real implementations of the protocols, with a memory of what was asked."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from pleach_runtime.audit import TokenUsage
from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.request import SeamRequest
from pleach_runtime.seams import CallClassRoutes
from tests.runtime.builders import T0

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from datetime import datetime

    from pleach_runtime.caps import Cap
    from pleach_runtime.provider import ProviderCall, StreamPart

USAGE = TokenUsage(input_tokens=10, output_tokens=5)


class ScriptedProvider:
    """Answers from a script, one line per call; after its end with the number of the call."""

    name = "stub"

    def __init__(self, *script: str | Exception | ProviderResponse) -> None:
        self.calls: list[ProviderCall] = []
        self._script = iter(script)

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Give the next answer of the script, or raise it."""
        self.calls.append(call)
        line = next(self._script, f"Answer {len(self.calls)}.")
        if isinstance(line, Exception):
            raise line
        return line if isinstance(line, ProviderResponse) else ProviderResponse.of_text(line, USAGE)


class GatedProvider(ScriptedProvider):
    """Answers when its gate is opened."""

    def __init__(self, *script: str | Exception | ProviderResponse) -> None:
        super().__init__(*script)
        self.gate = asyncio.Event()
        self.waiting = asyncio.Event()

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Wait for the gate, then answer."""
        response = asyncio.ensure_future(super().complete(call))
        self.waiting.set()
        await self.gate.wait()
        return await response


class StreamingStub(ScriptedProvider):
    """Streams from scripts of parts, one script per call; after the last one, the last one again."""

    def __init__(self, *scripts: Sequence[StreamPart | Exception]) -> None:
        super().__init__()
        self.streamed: list[StreamPart] = []
        self.closed = 0
        self._scripts = scripts

    async def stream(self, call: ProviderCall, /) -> AsyncGenerator[StreamPart, None]:
        """Give the parts of a script, letting other tasks run before each."""
        self.calls.append(call)
        try:
            for part in self._scripts[min(len(self.calls), len(self._scripts)) - 1]:
                await asyncio.sleep(0)
                if isinstance(part, Exception):
                    raise part
                self.streamed.append(part)
                yield part
        finally:
            self.closed += 1


class Clock:
    """A clock that moves one millisecond at each look, and further when it is told to."""

    def __init__(self) -> None:
        self.now = T0

    def __call__(self) -> datetime:
        """Return the time."""
        self.now += timedelta(milliseconds=1)
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


def config(cap: Cap = 1, **fields: object) -> SessionRuntimeConfig:
    """Return a configuration with a model for every class."""
    return SessionRuntimeConfig.model_validate(
        {"models": CallClassRoutes.uniform("stub-1"), "max_synthesize_per_turn": cap, **fields}
    )


def ask(text: str = "Why?") -> SeamRequest:
    """Return a request of one message."""
    return SeamRequest.from_text(text)
