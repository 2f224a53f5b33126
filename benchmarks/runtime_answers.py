"""What fingerprints, the cascade and the cache cost, against what would be done without them.

    python -m benchmarks.runtime_answers [--json FILE] [--quick]

Exit status 1 if a budget is exceeded.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.runtime_measure import Row, compare, cpu_medians, report
from pleach_runtime import (
    AnswerCache,
    CallClassRungs,
    Message,
    ModelMatrix,
    ProviderCall,
    ProviderResponse,
    RetryableError,
    RuntimeHooks,
    SeamRequest,
    SessionRuntime,
    SessionRuntimeConfig,
)
from pleach_runtime.fingerprint import request_digest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PACKAGES = ("pydantic",)
MESSAGES, CHARACTERS = 1000, 1000
MATRIX = ModelMatrix(families={"fam": CallClassRungs.uniform("first", "second")})
CONFIG = SessionRuntimeConfig(matrix=MATRIX)
TURNS = 100
ONE_NEW, WHOLE = "fingerprint, 1,000 messages, 1 new", "SHA-256 of their JSON"
CALL, TWO_CALLS, STEP, HIT = "utility call", "two utility calls", "one rung down", "cache hit"


class Stub:
    """A provider that costs nothing, and of which models may be overloaded."""

    name = "stub"
    response = ProviderResponse.of_text("Because of the tides.")

    def __init__(self, *overloaded: str) -> None:
        self._overloaded = frozenset(overloaded)

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Answer, or be overloaded."""
        if call.model in self._overloaded:
            raise RetryableError("overloaded")
        return self.response


async def fingerprint_row(rounds: int) -> Row:
    """Measure the digest of a long conversation with one new message, against hashing all of it."""
    texts = ["x" * CHARACTERS + str(number) for number in range(MESSAGES)]
    known = [Message(role="user", content=text) for text in texts]
    request_digest(SeamRequest(messages=tuple(known)))
    plain = [{"role": "user", "content": text} for text in texts]
    number = itertools.count()

    async def one_new() -> None:
        # Checking a thousand messages again is not what a digest costs.
        request_digest(SeamRequest.model_construct(messages=(*known, Message(role="user", content=f"{next(number)}"))))

    async def whole() -> None:
        hashlib.sha256(json.dumps([*plain, {"content": f"{next(number)}"}], sort_keys=True).encode()).digest()

    medians = await cpu_medians({ONE_NEW: one_new, WHOLE: whole}, rounds=rounds, calls=10)
    return compare(medians, ONE_NEW, WHOLE, 1 / 20)


async def call_rows(rounds: int) -> list[Row]:
    """Measure a step down the rungs and a hit, against calls that need neither."""
    async with AsyncExitStack() as stack:
        plain = await _calls(stack, Stub())
        stepping = await _calls(stack, Stub("first"))
        cached = await _calls(stack, Stub(), cache=AnswerCache())

        async def two_calls() -> None:
            await plain()
            await plain()

        subjects = {CALL: plain, TWO_CALLS: two_calls, STEP: stepping, HIT: cached}
        medians = await cpu_medians(subjects, rounds=rounds, calls=20)
    return [compare(medians, STEP, TWO_CALLS, 1.5), compare(medians, HIT, CALL, 1.25)]


async def _calls(
    stack: AsyncExitStack, provider: Stub, cache: AnswerCache | None = None
) -> Callable[[], Awaitable[object]]:
    hooks = RuntimeHooks(cache=cache)
    boot = SessionRuntime.boot(CONFIG, provider=provider, ledger="memory:", hooks=hooks)
    runtime = await stack.enter_async_context(boot)
    turns = itertools.cycle([await stack.enter_async_context(runtime.turn(chat_id="c")) for _ in range(TURNS)])
    request = SeamRequest.from_text("Why does the sea move?")
    return lambda: runtime.utility_seam.invoke(request, turn=next(turns), stage_id="router")


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description="Benchmark fingerprints, the cascade and the cache.")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    options = parser.parse_args()
    rounds = 3 if options.quick else 30
    rows = [asyncio.run(fingerprint_row(rounds)), *asyncio.run(call_rows(rounds))]
    return 0 if report("runtime answers", rows, PACKAGES, options.json) else 1


if __name__ == "__main__":
    sys.exit(main())
