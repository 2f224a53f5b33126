"""The soak in short: under faults nothing that was confirmed is lost, and what is lost would be noticed."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from benchmarks.ledger_soak import Outcome, check, digest, soak
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import UTILITY, intent, row, turn_record
from tests.runtime.stores import drop_guards

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall
    from tests.runtime.stores import Store


def test_nothing_is_lost() -> None:
    """Three processes work on while their connections are cut and their server is restarted."""
    outcome = soak(seconds=10, processes=3)
    assert outcome.problems == []
    assert outcome.restarts >= 1
    assert outcome.cuts >= 4
    assert len(outcome.confirmed) > 10


async def record(url: str) -> AuditableCall:
    """Record one call of one turn."""
    call = intent(call_class=UTILITY, cap=1)
    async with aclosing(await open_sql_ledger(url)) as ledger:
        await ledger.open_turn(turn_record())
        await ledger.begin(call)
        await ledger.append(row(call))
    return row(call)


def test_sound(store: Store) -> None:
    """A ledger that holds what was confirmed has no problems."""
    call = asyncio.run(record(store.url))
    outcome = Outcome({call.call_id: digest(call)})
    check(store.url, outcome)
    assert outcome.problems == []


def test_lost_or_changed(store: Store) -> None:
    """A confirmed call that is not there, or says something else, is a problem each."""
    call = asyncio.run(record(store.url))
    outcome = Outcome({call.call_id: "another digest", "call-0": digest(call)})
    check(store.url, outcome)
    assert outcome.problems == [
        f"call {call.call_id} was confirmed and is other",
        "call call-0 was confirmed and is lost",
    ]


def test_broken(store: Store) -> None:
    """A record that somebody changed is a problem, whether the call was confirmed or not."""
    asyncio.run(record(store.url))
    drop_guards(store, "harness_auditable_calls", "UPDATE harness_auditable_calls SET token_cost = 1")
    outcome = Outcome()
    check(store.url, outcome)
    assert outcome.problems == ["t1: an unbroken chain: it breaks at position 1"]
