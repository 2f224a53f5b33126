"""One of the processes that fight for the slots of the same turns; `test_hammer.py` starts six and adds up."""

# ruff: noqa: S608 - the statements are the tests' own
from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import sys
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import psycopg

from pleach_runtime.caps import checked_cap
from pleach_runtime.errors import TerminalConflict
from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.ledger.reservation import Exhausted, Granted, InFlight
from pleach_runtime.seams.rows import superseded
from tests.runtime.builders import intent, row, turn_record, wish

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.audit import CallIntent
    from pleach_runtime.ledger import TurnRecord
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.ledger.sql import SqlLedger

MESSAGES = tuple(f"m{number}" for number in range(12))
"""Messages of each turn; every process delivers each of them twice."""
LANDING = MESSAGES[:2]
"""Messages that mean to land the answer of their turn."""


@dataclass
class Report:
    """What one process was granted in one turn, and has recorded."""

    grants: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Message and slot number of each grant."""
    recorded: list[str] = field(default_factory=list[str])
    """Call ids whose rows the ledger confirmed."""


class NaiveCounter:
    """The mutant: it looks, then it takes, and others look in between."""

    def __init__(self, url: str) -> None:
        self._execute: Callable[[str], sqlite3.Cursor | psycopg.Cursor[tuple[object, ...]]]
        if url.startswith("sqlite"):
            self._execute = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, timeout=60).execute
        else:
            connection = psycopg.connect(url, autocommit=True)
            self._execute = lambda statement: connection.execute(statement.encode())

    async def reserve(self, wish: Reservation) -> ReservationVerdict:
        """Count the slots that are taken, and take one if fewer than the cap are."""
        turn_id, message_id, cap = wish.intent.turn_id, wish.intent.message_id, wish.intent.synthesize_cap
        taken = self._execute(f"SELECT message_id FROM naive_slots WHERE turn_id = '{turn_id}'").fetchall()
        if (message_id,) in taken:
            return InFlight("somebody's", wish.intent.started_at)
        if len(taken) >= cap:
            return Exhausted(cap, len(taken))
        self._execute(f"INSERT INTO naive_slots VALUES ('{turn_id}', '{message_id}')")
        return Granted(len(taken) + 1, wish.intent)


async def record(ledger: SqlLedger, call: CallIntent) -> None:
    """Record the row of a call, as superseded if another call landed first."""
    try:
        await ledger.append(row(call))
    except TerminalConflict:
        await ledger.append(superseded(row(call)))


async def fight(ledger: SqlLedger, counter: SqlLedger | NaiveCounter, turn: TurnRecord) -> Report:
    """Deliver every message of a turn twice, in an order of our own, and record what we were granted."""
    report, deliveries = Report(), [*MESSAGES, *MESSAGES]
    random.shuffle(deliveries)
    await ledger.open_turn(turn)
    for message_id in deliveries:
        call = intent(message_id, turn_id=turn.turn_id, landing=message_id in LANDING, cap=turn.synthesize_cap)
        call = call.model_copy(update={"call_id": f"{os.getpid()}-{call.call_id}"})
        verdict = await counter.reserve(wish(call))
        if isinstance(verdict, Granted):
            report.grants.append((message_id, verdict.slot_no))
            if counter is ledger:
                await record(ledger, verdict.intent)
                report.recorded.append(call.call_id)
    return report


async def main(url: str) -> None:
    """Fight for each turn that a line of the standard input names, with its counter and cap; report in a line each."""
    naive = NaiveCounter(url)
    async with aclosing(await open_sql_ledger(url)) as ledger:
        for line in sys.stdin:
            counter, turn_id, cap = line.split()
            turn = turn_record(turn_id, cap=checked_cap(float(cap)))
            report = await fight(ledger, naive if counter == "naive" else ledger, turn)
            sys.stdout.write(json.dumps(asdict(report)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
