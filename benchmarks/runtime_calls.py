"""Overhead of a call behind a seam, against what a user would otherwise call; reservation; import.

Run in an environment that holds the package, SQLAlchemy and the peers of `runtime_peers.txt`:

    python -m benchmarks.runtime_calls [--json FILE] [--quick]

Exit status 1 if a budget is exceeded.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import math
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.runtime_measure import Row, compare, cpu_medians, report
from benchmarks.runtime_peers import QUESTION, TEXT, agents_run, langgraph_node, pydantic_ai_request
from pleach_runtime import (
    CallClassRoutes,
    InMemoryTurnSynthesizeCounter,
    ProviderCall,
    ProviderResponse,
    SeamRequest,
    SessionRuntime,
    SessionRuntimeConfig,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PACKAGES = ("pydantic", "SQLAlchemy", "pydantic-ai-slim", "langgraph", "openai-agents")
CONFIG = SessionRuntimeConfig(max_synthesize_per_turn=math.inf, models=CallClassRoutes.uniform("stub-1"))
TURNS = 100
REQUEST = SeamRequest.from_text(QUESTION)
UTILITY, SYNTHESIZE_MEMORY, SYNTHESIZE = (
    "utility seam, memory",
    "synthesize seam, memory",
    "synthesize seam, SQLite",
)
DIRECT, NODE, RUN = "pydantic_ai.direct", "LangGraph node", "openai-agents Runner.run"


class Stub:
    """A provider that costs nothing."""

    name = "stub"
    response = ProviderResponse.of_text(TEXT)

    async def complete(self, _call: ProviderCall, /) -> ProviderResponse:
        """Answer."""
        return self.response


async def _seam_calls(stack: AsyncExitStack, ledger: str) -> tuple[Callable[[], Awaitable[object]], ...]:
    runtime = await stack.enter_async_context(SessionRuntime.boot(CONFIG, provider=Stub(), ledger=ledger))
    # Many open turns, because a turn of hundreds of answers is nothing that anybody has.
    opened = [await stack.enter_async_context(runtime.turn(chat_id="c")) for _ in range(TURNS)]
    turns = itertools.cycle(opened)

    async def utility() -> None:
        await runtime.utility_seam.invoke(REQUEST, turn=next(turns), stage_id="router")

    async def synthesize() -> None:
        await runtime.synthesize_seam.invoke(REQUEST, turn=next(turns), stage_id="answer", landing=False)

    return utility, synthesize


async def call_rows(rounds: int, calls: int) -> list[Row]:
    """Measure seams and peers in one process, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            utility, _ = await _seam_calls(stack, "memory:")
            _, in_sqlite = await _seam_calls(stack, f"sqlite:///{Path(folder) / 'audit.db'}")
            medians = await cpu_medians(
                {
                    UTILITY: utility,
                    SYNTHESIZE: in_sqlite,
                    DIRECT: pydantic_ai_request(),
                    NODE: langgraph_node(),
                    RUN: agents_run(),
                },
                rounds=rounds,
                calls=calls,
            )
    return [
        compare(medians, UTILITY, DIRECT, 0.5),
        compare(medians, UTILITY, NODE, 1 / 15),
        compare(medians, UTILITY, RUN, 1 / 25),
        compare(medians, SYNTHESIZE, RUN, 1 / 4),
    ]


def reservation_row(messages: int) -> Row:
    """Measure the bundled counter."""
    counter = InMemoryTurnSynthesizeCounter()
    counter.set_max_per_turn(math.inf)
    ids = [f"m{number}" for number in range(messages)]
    before = time.process_time_ns()
    for message_id in ids:
        counter.should_allow_synthesize(message_id, turn_id="t1")
    each = (time.process_time_ns() - before) / messages / 1000
    return Row("reservation, memory", each, "", each, 3.0)


def import_row(runs: int) -> Row:
    """Measure `import pleach_runtime` against `import pydantic`, wall time of fresh interpreters at the best."""
    ours, theirs = (min(_import_microseconds(name) for _ in range(runs)) for name in ("pleach_runtime", "pydantic"))
    return Row("import pleach_runtime", ours, "import pydantic", ours / theirs, 1.5)


def _import_microseconds(name: str) -> float:
    before = time.perf_counter_ns()
    subprocess.run([sys.executable, "-c", f"import {name}"], check=True)
    return (time.perf_counter_ns() - before) / 1000


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description="Benchmark calls behind seams.")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    options = parser.parse_args()
    rounds = 3 if options.quick else 30
    rows = [*asyncio.run(call_rows(rounds, calls=20)), reservation_row(100_000), import_row(rounds)]
    return 0 if report("runtime calls", rows, PACKAGES, options.json) else 1


if __name__ == "__main__":
    sys.exit(main())
