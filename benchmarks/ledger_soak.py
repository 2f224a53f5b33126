"""A PostgreSQL ledger under several processes while its server is restarted and its connections are cut.

    python -m benchmarks.ledger_soak [--seconds 60] [--processes 6]

Every process makes calls of all allotments in the same turns, through runtimes with caps of their own, over a provider
that answers at once. What a process is told is recorded it reports. In the end each report must be in the ledger, word
for word, and the record must be sound. It starts a server of its own. Exit status 1 if anything is lost or broken.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import math
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from hashlib import sha256
from typing import TYPE_CHECKING

import psycopg

from pleach_runtime import CallClassRoutes, ProviderResponse, SeamRequest, SessionRuntime, SessionRuntimeConfig
from pleach_runtime.auditing.checks import problems_of
from pleach_runtime.errors import PleachError
from pleach_runtime.ledger.archive import opened_archive
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.postgres import running_server

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pleach_runtime import AuditableCall, ProviderCall, Turn
    from tests.runtime.postgres import Server

CAPS = (1, 2, 5, math.inf)
TASKS = 4
"""Calls that each process has under way at once."""
TURN_SECONDS = 0.25
"""How long all processes work on the same turn."""
MESSAGES = 8
"""Messages of a turn that all processes deliver."""
CUT_SECONDS = 1.0
RESTART_EVERY = 5
"""A restart takes the place of every such cut."""
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pleach'"


@dataclass
class Outcome:
    """What came of a soak."""

    confirmed: dict[str, str] = field(default_factory=dict[str, str])
    """Digest of the row of each call whose caller got an answer, by call id."""
    refusals: Counter[str] = field(default_factory=Counter[str])
    """Errors that callers got, by class: the call was not made, or its caller does not know what came of it."""
    cuts: int = 0
    restarts: int = 0
    problems: list[str] = field(default_factory=list[str])
    """What is lost or broken."""


class Echo:
    """Answers at once."""

    name = "echo"

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Answer with the id of the call."""
        return ProviderResponse.of_text(call.call_id)


def digest(row: AuditableCall) -> str:
    """Return a short form of all that a row says."""
    return sha256(row.model_dump_json().encode()).hexdigest()


async def deliver(runtime: SessionRuntime, turn: Turn, number: int) -> AuditableCall:
    """Make one call of the turn: a check, or one of the messages that every process delivers."""
    if number % 2 == 0:
        return (await runtime.utility_seam.invoke(SeamRequest.from_text("Done?"), turn=turn, stage_id="check")).row
    message_id = f"m{number // 2 % MESSAGES}"
    request = SeamRequest.from_text(f"Answer {message_id}.")
    landing = message_id == "m1"
    seam = runtime.synthesize_seam
    return (await seam.invoke(request, turn=turn, stage_id="answer", message_id=message_id, landing=landing)).row


async def work(runtime: SessionRuntime, numbers: Iterable[int], deadline: float) -> None:
    """Make calls until the deadline, and report each: what was confirmed, or how it was refused."""
    for number in numbers:
        if time.time() > deadline:
            return
        turn_id = f"turn-{int(time.time() / TURN_SECONDS)}"
        try:
            async with runtime.turn(chat_id="chat", turn_id=turn_id, turn_message_id=turn_id) as turn:
                row = await deliver(runtime, turn, number)
            report = {"call": row.call_id, "digest": digest(row)}
        except PleachError as error:
            report = {"refusal": type(error).__name__}
        print(json.dumps(report), flush=True)


async def process(url: str, index: int, deadline: float) -> None:
    """Be one of the processes: boot, again if the server is away, and work."""
    config = SessionRuntimeConfig(
        models=CallClassRoutes.uniform("echo-1"),
        max_synthesize_per_turn=CAPS[index % len(CAPS)],
        max_recovery_attempts=3,
        join_timeout_seconds=0.2,
        orphan_after_seconds=5,
    )
    numbers = itertools.count(index)
    while time.time() < deadline:
        with suppress(PleachError):
            async with SessionRuntime.boot(config, provider=Echo(), ledger=url) as runtime:
                await asyncio.gather(*(work(runtime, numbers, deadline) for _ in range(TASKS)))


def disturb(server: Server, outcome: Outcome, deadline: float) -> None:
    """Cut all connections every second, and now and then restart the server: in order, or as a crash would."""
    ways = itertools.cycle((signal.SIGINT, signal.SIGQUIT))
    for number in itertools.count(1):
        time.sleep(CUT_SECONDS)
        if time.time() > deadline:
            return
        if number % RESTART_EVERY == 0:
            server.stop(next(ways))
            server.start()
            outcome.restarts += 1
        else:
            with psycopg.connect(server.url(), autocommit=True) as connection:
                connection.execute(CUT)
            outcome.cuts += 1


def gather(processes: Sequence[subprocess.Popen[str]], outcome: Outcome) -> None:
    """Wait for the processes and add up what they report."""
    for each in processes:
        lines, _ = each.communicate(timeout=120)
        if each.returncode:
            outcome.problems.append(f"a process ended with {each.returncode}")
        for report in map(json.loads, lines.splitlines()):
            if "refusal" in report:
                outcome.refusals[report["refusal"]] += 1
            elif outcome.confirmed.setdefault(report["call"], report["digest"]) != report["digest"]:
                outcome.problems.append(f"call {report['call']} was told in two ways")


def check(url: str, outcome: Outcome) -> None:
    """Compare the ledger with what was confirmed, and check all that must hold of it."""
    asyncio.run(recover(url))
    recorded: dict[str, str] = {}
    with opened_archive(url) as archive:
        for turn in map(archive.turn, archive.turn_ids()):
            recorded.update((link.row.call_id, digest(link.row)) for link in turn.chain)
            outcome.problems += [f"{each.turn_id}: {each.invariant}: {each.found}" for each in problems_of(turn)]
        outcome.problems += [f"no row of {each.call_id}" for each in archive.unfinished(datetime.now(timezone.utc))]
    for call_id, confirmed in outcome.confirmed.items():
        if recorded.get(call_id) != confirmed:
            outcome.problems.append(f"call {call_id} was confirmed and is {'other' if call_id in recorded else 'lost'}")


async def recover(url: str) -> None:
    """Close what the faults left open."""
    ledger = await open_sql_ledger(url)
    now = datetime.now(timezone.utc)
    await ledger.recover(started_before=now, ended_at=now)
    await ledger.aclose()


def soak(seconds: float, processes: int) -> Outcome:
    """Run the processes and the faults for some seconds, and check what is left."""
    outcome = Outcome()
    with running_server() as server:
        asyncio.run(recover(server.url()))
        deadline = time.time() + seconds
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "benchmarks.ledger_soak", "--process", str(index), server.url(), str(deadline)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for index in range(processes)
        ]
        try:
            disturb(server, outcome, deadline)
            gather(running, outcome)
        finally:
            for each in running:
                each.kill()
        check(server.url(), outcome)
    return outcome


def main() -> int:
    """Soak, print what came of it, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=6)
    parser.add_argument("--process", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.process:
        index, url, deadline = arguments.process
        asyncio.run(process(url, int(index), float(deadline)))
        return 0
    outcome = soak(arguments.seconds, arguments.processes)
    print(f"{outcome.cuts} times all connections cut, {outcome.restarts} restarts")
    print(f"{len(outcome.confirmed)} calls confirmed; refused: {dict(outcome.refusals.most_common())}")
    print("\n".join(outcome.problems) or "nothing lost, nothing broken")
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
