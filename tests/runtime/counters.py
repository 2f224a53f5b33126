"""Every counter that the counter suite runs over: each ledger's slots count too, and must count alike."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from pleach_runtime.counter import InMemoryTurnSynthesizeCounter
from pleach_runtime.ledger.reservation import Granted, InFlight
from pleach_runtime.probe import probe_counter
from tests.runtime.builders import intent, turn_record, wish

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.caps import Cap
    from pleach_runtime.ledger import Ledger

Allow: TypeAlias = "Callable[[str, str], bool]"
"""Takes a message id and a turn id."""
MakeCounter: TypeAlias = "Callable[[Cap], Allow]"


def in_memory(cap: Cap) -> Allow:
    """Return the bundled counter, booted as a runtime boots it."""
    probed = probe_counter(InMemoryTurnSynthesizeCounter(), cap)
    return lambda message_id, turn_id: probed.should_allow(turn_id, message_id)


def slots_of(ledger: Ledger) -> MakeCounter:
    """Return what makes counters out of the slots of a ledger, each with turns of its own."""
    numbers = count(1)

    def make(cap: Cap) -> Allow:
        number, opened = next(numbers), set[str]()

        async def allow(message_id: str, turn_id: str) -> bool:
            if turn_id not in opened:
                await ledger.open_turn(turn_record(turn_id, cap=cap))
                opened.add(turn_id)
            verdict = await ledger.reserve(wish(intent(message_id, turn_id=turn_id)))
            return isinstance(verdict, Granted | InFlight)

        return lambda message_id, turn_id: asyncio.run(allow(message_id, f"{number}-{turn_id}"))

    return make
