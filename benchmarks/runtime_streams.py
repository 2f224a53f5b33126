"""What a piece of a streamed answer costs on its way past three observers, against a streamed run of an agents SDK.

Run in an environment that holds the package and the peers of `runtime_peers.txt`:

    python -m benchmarks.runtime_streams [--json FILE] [--quick]

Exit status 1 if a budget is exceeded.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.runtime_measure import Row, compare, cpu_medians, report
from benchmarks.runtime_peers import PIECES, QUESTION, agents_stream
from pleach_runtime import (
    CallClassRoutes,
    ProviderCall,
    ProviderResponse,
    SeamRequest,
    SessionRuntime,
    SessionRuntimeConfig,
    StreamVerdict,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pleach_runtime import Seen, StreamObserver, StreamPart

PACKAGES = ("pydantic", "openai-agents")
CONFIG = SessionRuntimeConfig(max_synthesize_per_turn=math.inf, models=CallClassRoutes.uniform("stub-1"))
REQUEST = SeamRequest.from_text(QUESTION)
# On Python 3.11, and only there, to look up a member of an enum costs more than all else that an observer does.
CONTINUE, HOLD, _, RETRY, ABORT = StreamVerdict
OURS, BARE, RUN = "stream, 3 observers, a piece", "stream, no observer, a piece", "openai-agents run_streamed, a piece"


class Stub:
    """A provider that costs nothing."""

    name = "stub"
    response = ProviderResponse.of_text("word " * PIECES)

    async def complete(self, _call: ProviderCall, /) -> ProviderResponse:
        """Answer."""
        return self.response

    async def stream(self, _call: ProviderCall, /) -> AsyncGenerator[StreamPart, None]:
        """Answer in pieces."""
        for _ in range(PIECES):
            yield "word "
        yield self.response


def no_key(seen: Seen) -> StreamVerdict:
    """Look for a word in the text."""
    return ABORT if "sk-" in seen.pending else CONTINUE


def no_excuse(seen: Seen) -> StreamVerdict:
    """Look at the beginning of the text."""
    return RETRY if seen.pending.startswith("As an AI") else CONTINUE


def whole_words(seen: Seen) -> StreamVerdict:
    """Look at the end of the text."""
    return CONTINUE if seen.pending.endswith(" ") else HOLD


async def stream_rows(rounds: int) -> list[Row]:
    """Measure ours and theirs in one process, in turns."""
    boot = SessionRuntime.boot(CONFIG, provider=Stub(), ledger="memory:")
    async with boot as runtime, runtime.turn(chat_id="c") as turn:

        async def read(*observers: StreamObserver) -> None:
            seam = runtime.utility_seam
            async with seam.stream(REQUEST, turn=turn, stage_id="s", observers=observers) as stream:
                async for _ in stream:
                    pass

        subjects = {OURS: lambda: read(no_key, no_excuse, whole_words), BARE: read, RUN: agents_stream()}
        medians = await cpu_medians(subjects, rounds=rounds, calls=5)
    each = {name: median / PIECES for name, median in medians.items()}
    return [compare(each, OURS, RUN, 1 / 10), compare(each, BARE, RUN, 1 / 10)]


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description="Benchmark streamed answers.")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    options = parser.parse_args()
    rows = asyncio.run(stream_rows(3 if options.quick else 30))
    return 0 if report("runtime streams", rows, PACKAGES, options.json) else 1


if __name__ == "__main__":
    sys.exit(main())
