"""Programs of turns, and a provider that never gives the same answer twice and never at the same pace."""

from __future__ import annotations

import asyncio
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from pleach_runtime.audit import Draft, ToolCall
from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.judge import judge_by_length
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.replaying.run import replay
from pleach_runtime.runtime import SessionRuntime
from pleach_runtime.seams import CallClassRoutes
from tests.runtime.stubs import USAGE, Clock, ask

if TYPE_CHECKING:
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.provider import Provider, ProviderCall
    from pleach_runtime.replaying.report import ReplayReport
    from pleach_runtime.replaying.run import Program
    from pleach_runtime.turn import Turn

CONFIG = SessionRuntimeConfig(models=CallClassRoutes.uniform("stub-1"), max_synthesize_per_turn=5)


class Moody:
    """Answers each call with another number and at another pace, and asks for a tool now and then."""

    name = "moody"

    def __init__(self, seed: int = 0) -> None:
        self._numbers = count(1)
        self._random = Random(seed)  # noqa: S311 - the pace of a test

    async def complete(self, _call: ProviderCall, /) -> ProviderResponse:
        """Answer, soon or later."""
        number = next(self._numbers)
        for _ in range(self._random.randrange(6)):
            await asyncio.sleep(0)
        tools = (ToolCall(tool_call_id=f"t{number}", name="look"),) if number % 3 == 0 else ()
        return ProviderResponse(Draft(text=f"Answer {number}.", tool_calls=tools), USAGE, response_id=f"r{number}")


async def classify(runtime: SessionRuntime, turn: Turn, text: str = "Which tool?", stage_id: str = "router") -> str:
    """Make an internal call."""
    return (await runtime.utility_seam.invoke(ask(text), turn=turn, stage_id=stage_id)).text


async def answer(runtime: SessionRuntime, turn: Turn, text: str, message_id: str, *, landing: bool = False) -> str:
    """Make an answer."""
    seam = runtime.synthesize_seam
    result = await seam.invoke(ask(text), turn=turn, stage_id="coder", message_id=message_id, landing=landing)
    return result.text


async def plan_diff_verify(runtime: SessionRuntime, turn: Turn) -> list[str]:
    """Run plan, diff, verify, retry, verify, each deciding with the same questions at once; return all answers."""
    said: list[str] = []
    for number, step in enumerate(("plan", "diff", "verify", "retry", "verify")):
        said += await asyncio.gather(*(classify(runtime, turn) for _ in range(4)))
        said += await asyncio.gather(*(classify(runtime, turn, stage_id=f"stage {nr}") for nr in range(2)))
        said.append(await answer(runtime, turn, step, f"m{number}", landing=number == 4))
    return said


async def chains(runtime: SessionRuntime, turn: Turn) -> list[list[str]]:
    """Ask the same again and again in four places at once; return what each place was told."""

    async def chain(length: int) -> list[str]:
        return [await classify(runtime, turn) for _ in range(length)]

    return await asyncio.gather(*map(chain, (4, 1, 3, 5)))


async def record(
    ledger: Ledger, program: Program, provider: Provider | None = None, config: SessionRuntimeConfig = CONFIG
) -> object:
    """Run a program in turn `t1`, and return what it returns."""
    async with (
        SessionRuntime.boot(config, provider=provider or Moody(), ledger=ledger, hooks=hooks()) as runtime,
        runtime.turn(chat_id="c1", turn_id="t1", turn_message_id="shown") as turn,
    ):
        return await program(runtime, turn)


async def replayed(ledger: Ledger, program: Program, config: SessionRuntimeConfig = CONFIG) -> ReplayReport:
    """Run a program over the record of turn `t1`."""
    return await replay(ledger, "t1", program, config=config, hooks=hooks())


def hooks() -> RuntimeHooks:
    """Return hooks with a clock of their own, and a judge that finds short answers thin."""
    return RuntimeHooks(clock=Clock(), judge=judge_by_length(3))
