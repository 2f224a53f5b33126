"""Tests of what is the memory ledger's own: its bounds and its threads."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from pleach_runtime.events import Event
from pleach_runtime.ledger import MEMORY_URL, MemoryLedger, open_ledger
from pleach_runtime.ledger.reservation import Granted
from tests.runtime.builders import T0, UTILITY, closing, intent, row, turn_record, wish


async def _turn(ledger: MemoryLedger, turn_id: str, *, close: bool) -> None:
    await ledger.open_turn(turn_record(turn_id))
    await ledger.append(row(intent(turn_id=turn_id, call_class=UTILITY)))
    if close:
        await ledger.close_turn(turn_id, closing(turn_id))


async def test_keeps_the_latest_closed_turns() -> None:
    """Of closed turns the latest are kept, in the order in which they were closed."""
    ledger = MemoryLedger(max_closed_turns=2)
    for number in range(4):
        await _turn(ledger, f"t{number}", close=True)
    assert [len(await ledger.calls(f"t{number}")) for number in range(4)] == [0, 0, 1, 1]


async def test_keeps_open_turns() -> None:
    """An open turn is never dropped: its slots would be forgotten."""
    ledger = MemoryLedger(max_closed_turns=0)
    for number in range(4):
        await _turn(ledger, f"t{number}", close=number > 1)
    assert [len(await ledger.calls(f"t{number}")) for number in range(4)] == [1, 1, 0, 0]


async def test_open_turns_take_no_room() -> None:
    """Open turns do not count against the closed ones that are kept."""
    ledger = MemoryLedger(max_closed_turns=1)
    await _turn(ledger, "t0", close=False)
    await _turn(ledger, "t1", close=True)
    assert len(await ledger.calls("t1")) == 1


async def test_reopened_turn_is_kept() -> None:
    """A turn with two handles is open until both are closed."""
    ledger = MemoryLedger(max_closed_turns=0)
    await ledger.open_turn(turn_record())
    await _turn(ledger, "t1", close=True)
    assert len(await ledger.calls("t1")) == 1
    await ledger.close_turn("t1", closing())
    assert await ledger.calls("t1") == ()


async def test_stray_events_are_bounded() -> None:
    """Of events that belong to no turn, or to none that is known, the latest are kept."""
    ledger = MemoryLedger(max_closed_turns=2)
    for kind in ("a.1", "a.2", "a.3"):
        await ledger.append_event(Event(kind=kind, at=T0))
    assert [event.kind for event in await ledger.events()] == ["a.2", "a.3"]
    await ledger.append_event(Event(kind="a.4", turn_id="gone", at=T0))
    assert [event.kind for event in await ledger.events("gone")] == ["a.4"]


def test_threads_fill_exactly() -> None:
    """Eight threads with a loop each, on one turn of 20 slots: 20 are granted."""
    ledger = MemoryLedger()
    asyncio.run(ledger.open_turn(turn_record(cap=20)))

    def reserve(number: int) -> int:
        verdict = asyncio.run(ledger.reserve(wish(intent(f"m{number % 40}"))))
        return verdict.slot_no if isinstance(verdict, Granted) else 0

    with ThreadPoolExecutor(8) as pool:
        slots = sorted(filter(None, pool.map(reserve, range(80))))
    assert slots == list(range(1, 21))


async def test_url() -> None:
    """The memory ledger has a URL, for configuration that names a ledger."""
    assert isinstance(await open_ledger(MEMORY_URL), MemoryLedger)
