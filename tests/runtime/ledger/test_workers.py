"""One ledger used from many threads, event loops and processes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import LedgerUnavailable
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import UTILITY, intent, row, turn_record

if TYPE_CHECKING:
    from tests.runtime.stores import Store

USE_AFTER_FORK = """
import asyncio, os, sys
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import UTILITY, intent, row, turn_record

async def append(ledger, call_id):
    await ledger.append(row(intent(call_class=UTILITY)).model_copy(update={"call_id": call_id}))

async def opened():
    ledger = await open_sql_ledger(sys.argv[1])
    await ledger.open_turn(turn_record())
    return ledger

ledger = asyncio.run(opened())
child = os.fork()
asyncio.run(append(ledger, "child" if child == 0 else "parent"))
if child == 0:
    asyncio.run(ledger.aclose())
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
if (idle_child := os.fork()) == 0:
    asyncio.run(ledger.aclose())
    os._exit(0)
assert os.waitpid(idle_child, 0)[1] == 0
asyncio.run(append(ledger, "parent again"))
asyncio.run(ledger.aclose())
"""


async def test_any_thread_and_loop(store: Store) -> None:
    """Threads with event loops of their own share one ledger and one chain."""
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        await ledger.open_turn(turn_record())

        def append_some() -> None:
            for _ in range(5):
                asyncio.run(ledger.append(row(intent(call_class=UTILITY))))

        await asyncio.gather(*(asyncio.to_thread(append_some) for _ in range(4)))
        assert verify_chain("t1", await ledger.chain("t1")) == 20


def test_fork(store: Store) -> None:
    """After a fork, child and parent both go on, and closing in the child does not cut the parent off."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", USE_AFTER_FORK, store.url],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    recorded = store.fetch("SELECT call_id FROM harness_auditable_calls ORDER BY call_id")
    assert recorded == [("child",), ("parent",), ("parent again",)]


async def test_closed(store: Store) -> None:
    """A closed ledger refuses, and closing again does nothing."""
    ledger = await open_sql_ledger(store.url)
    await ledger.aclose()
    await ledger.aclose()
    with pytest.raises(LedgerUnavailable, match="the ledger is closed"):
        await ledger.open_turn(turn_record())


async def test_closing_finishes_what_was_begun(store: Store) -> None:
    """Rows that were handed over before the ledger was closed are recorded."""
    ledger = await open_sql_ledger(store.url)
    await ledger.open_turn(turn_record())
    appending = [asyncio.create_task(ledger.append(row(intent(call_class=UTILITY)))) for _ in range(5)]
    await asyncio.sleep(0)
    await ledger.aclose()
    assert await asyncio.gather(*appending) == ["appended"] * 5


async def test_cancelled_callers(store: Store) -> None:
    """Rows whose callers were cancelled are recorded whole or not at all, and the ledger goes on."""
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        await ledger.open_turn(turn_record())
        rows = [row(intent(call_class=UTILITY)) for _ in range(20)]
        appending = [asyncio.create_task(ledger.append(each)) for each in rows]
        await asyncio.wait(appending, return_when=asyncio.FIRST_COMPLETED)
        for task in appending:
            task.cancel()
        await asyncio.wait(appending)
        assert await ledger.append(rows[0]) in {"appended", "duplicate"}
        recorded = await ledger.calls("t1")
        assert set(recorded) <= set(rows)
        assert verify_chain("t1", await ledger.chain("t1")) == len(recorded)
