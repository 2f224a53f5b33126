"""What is left when a process is killed with SIGKILL, in the middle of a call or just after it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.ledger.reservation import Exhausted, Finished, Granted, InFlight
from tests.runtime.builders import intent, moment, row, wish

if TYPE_CHECKING:
    from tests.runtime.stores import Store

CALL_AND_WAIT = """
import asyncio, sys
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import intent, row, turn_record, wish

async def main(url, stage):
    ledger = await open_sql_ledger(url)
    await ledger.open_turn(turn_record(cap=1))
    granted = await ledger.reserve(wish(intent("m1", landing=True)))
    if stage == "after the row":
        await ledger.append(row(granted.intent))
    print("reached", flush=True)
    await asyncio.sleep(600)

asyncio.run(main(*sys.argv[1:]))
"""


def kill_a_process(url: str, stage: str) -> None:
    """Let a process call a provider on the ledger, and kill it while it waits, or just after it recorded the row."""
    command = [sys.executable, "-c", CALL_AND_WAIT, url, stage]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reached\n"
        process.kill()


async def test_between_provider_and_row(store: Store) -> None:
    """The call is closed as unknown, once, by whoever recovers; its message goes on as attempt 2 on its slot."""
    kill_a_process(store.url, "before the row")
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        assert isinstance(await ledger.reserve(wish(intent("m1"))), InFlight)
        (unknown,) = await ledger.recover(started_before=moment(60), ended_at=moment(60))
        assert await ledger.recover(started_before=moment(60), ended_at=moment(60)) == ()
        assert (unknown.outcome, unknown.token_cost, unknown.is_terminal) == ("unknown", None, False)
        again = await ledger.reserve(wish(intent("m1", landing=True)))
        assert isinstance(again, Granted)
        assert (again.slot_no, again.intent.attempt) == (1, 2)
        await ledger.append(row(again.intent))
        paid = [(call.outcome, call.token_cost, call.is_terminal) for call in await ledger.calls("t1")]
        assert paid == [("unknown", None, False), ("ok", 100, True)]


async def test_after_the_row(store: Store) -> None:
    """A row that was confirmed is there, answers duplicates, and leaves nothing to recover."""
    kill_a_process(store.url, "after the row")
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        (recorded,) = await ledger.calls("t1")
        assert await ledger.reserve(wish(intent("m1"))) == Finished(recorded)
        assert await ledger.reserve(wish(intent("m2"))) == Exhausted(1, 1)
        assert await ledger.recover(started_before=moment(60), ended_at=moment(60)) == ()
        assert verify_chain("t1", await ledger.chain("t1")) == 1


async def test_many_recoveries(store: Store) -> None:
    """However many recover at once, each lost call gets one row, and one of them reports it."""
    kill_a_process(store.url, "before the row")
    async with aclosing(await open_sql_ledger(store.url)) as one, aclosing(await open_sql_ledger(store.url)) as other:
        reports = await asyncio.gather(
            *(ledger.recover(started_before=moment(60), ended_at=moment(60)) for ledger in (one, other) * 3)
        )
        assert sum(len(found) for found in reports) == 1
        assert len(await one.calls("t1")) == 1
