"""Six processes, one ledger: never a slot too many, never one too few, no row lost or doubled."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from contextlib import ExitStack, aclosing, contextmanager
from typing import TYPE_CHECKING

from pleach_runtime.audit import at_most_one_terminal_synthesis
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.hammer import LANDING, MESSAGES, Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.caps import Cap
    from pleach_runtime.ledger.sql import SqlLedger
    from tests.runtime.stores import Store

TURNS: dict[str, Cap] = {f"t{number}": (1, 2, 5, math.inf)[number % 4] for number in range(16)}


class Fighters:
    """Six processes that wait for a turn to fight for."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self._processes = processes

    def fight(self, counter: str, turn_id: str, cap: Cap) -> list[Report]:
        """Let all start on a turn at once, and return what each reports."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(f"{counter} {turn_id} {cap}\n")
            process.stdin.flush()
        lines = [process.stdout and process.stdout.readline() for process in self._processes]
        return [Report(**json.loads(line or "null")) for line in lines]


@contextmanager
def fighters(url: str) -> Iterator[Fighters]:
    """Start the six processes on a ledger, and end them."""
    command = [sys.executable, "-m", "tests.runtime.hammer", url]
    with ExitStack() as stack:
        yield Fighters(
            [
                stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
                for _ in range(6)
            ]
        )


def miscounts(reports: list[Report], cap: Cap) -> list[str]:
    """Return what is wrong with the grants of all processes together: nothing, if they are exact."""
    grants = [(str(message), int(slot)) for report in reports for message, slot in report.grants]
    slots = sorted(slot for _, slot in grants)
    # Without a cap all are granted, but for a landing message that came after the answer had landed.
    least = len(MESSAGES) - len(LANDING) + 1 if cap == math.inf else cap
    checks = {
        f"{len(slots)} slots of {cap}": least <= len(slots) <= min(cap, len(MESSAGES)),
        f"a message was granted twice: {grants}": len({message for message, _ in grants}) == len(grants),
        f"slots {slots}": slots == list(range(1, len(slots) + 1)),
    }
    return [problem for problem, is_right in checks.items() if not is_right]


async def check_rows(ledger: SqlLedger, turn_id: str, reports: list[Report]) -> None:
    """Check that a turn holds exactly the rows that were confirmed, in one chain, with one answer at most."""
    rows = await ledger.calls(turn_id)
    assert sorted(row.call_id for row in rows) == sorted(call for report in reports for call in report.recorded)
    assert verify_chain(turn_id, await ledger.chain(turn_id)) == len(rows)
    at_most_one_terminal_synthesis(rows)


async def test_exact_where_a_naive_counter_is_not(store: Store) -> None:
    """The ledger grants exactly the slots of every turn, in a fight that a look-then-take counter loses."""
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        store.run("CREATE TABLE naive_slots (turn_id TEXT, message_id TEXT)")
        with fighters(store.url) as six:
            for turn_id, cap in TURNS.items():
                reports = six.fight("ledger", turn_id, cap)
                assert miscounts(reports, cap) == []
                await check_rows(ledger, turn_id, reports)
            assert any(miscounts(six.fight("naive", turn_id, cap), cap) for turn_id, cap in TURNS.items())
        assert (await ledger.cap_leaks(), await ledger.terminal_leaks()) == ((), ())
