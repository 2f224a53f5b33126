"""Awkward values come back from a SQL ledger as they went in, and the chain over them holds."""

from __future__ import annotations

from contextlib import aclosing
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.audit import Draft, TokenUsage, ToolCall
from pleach_runtime.caps import LARGEST_SQL_CAP
from pleach_runtime.events import Event, invoked_event
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.ledger.opening import open_sql_ledger
from pleach_runtime.seams.rows import Ending, row_of
from tests.runtime.builders import UTILITY, intent, turn_record

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tests.runtime.stores import Store

ELSEWHERE = datetime(2025, 3, 1, 3, 4, 5, 6, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param(
            Ending("ok", ELSEWHERE, draft=Draft(text="nul \0, quote ' \", ü, 😀, \u2028, %s %(x)s $1")), id="text"
        ),
        pytest.param(
            Ending("ok", ELSEWHERE, draft=Draft(tool_calls=(ToolCall(tool_call_id="1", name="t", arguments="{}"),))),
            id="tool calls",
        ),
        pytest.param(
            Ending(
                "ok",
                ELSEWHERE,
                usage=TokenUsage(
                    input_tokens=2**40,
                    output_tokens=0,
                    cache_read_tokens=3,
                    cache_write_tokens=4,
                    reasoning_tokens=5,
                    estimated=True,
                ),
                token_cost=2**63 - 1,
            ),
            id="large numbers",
        ),
        pytest.param(
            Ending("refused", ELSEWHERE, served_model="m-2", provider_response_id="id"), id="provider's words"
        ),
    ],
)
async def test_rows(store: Store, ending: Ending) -> None:
    """A row is equal to what was appended, in UTC."""
    row = row_of(intent(call_class=UTILITY), ending)
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        await ledger.open_turn(turn_record())
        await ledger.append(row)
        assert await ledger.append(row) == "duplicate"
        (recorded,) = await ledger.calls("t1")
        assert recorded == row
        assert recorded.ended_at.utcoffset() == timedelta(0)
        assert verify_chain("t1", await ledger.chain("t1")) == 1


async def test_cap_beyond_the_column(store: Store) -> None:
    """A cap that no column can hold becomes the largest that one can, in turn and rows alike."""
    row = row_of(intent(call_class=UTILITY, cap=10**30), Ending("ok", ELSEWHERE))
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        opened = await ledger.open_turn(turn_record(cap=10**30))
        await ledger.append(row)
        assert await ledger.append(row) == "duplicate"
        (recorded,) = await ledger.calls("t1")
        assert opened.record.synthesize_cap == recorded.synthesize_cap == LARGEST_SQL_CAP
        assert verify_chain("t1", await ledger.chain("t1")) == 1


async def test_invocations(store: Store) -> None:
    """The event of an intent is the one that every ledger makes of it."""
    begun = intent("nul \\0, ü, 😀", call_class=UTILITY, cap=5, landing=True)
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        await ledger.open_turn(turn_record())
        await ledger.begin(begun)
        assert await ledger.events("t1") == (invoked_event(begun),)


async def test_events(store: Store) -> None:
    """The payload of an event is equal to what was recorded, however nested."""
    payload: dict[str, JsonValue] = {"nul": "\0", "deep": [{"ü": [1, 2.5, True, None, "😀"]}], "": {}, "big": 2**60}
    event = Event(kind="note", turn_id="t1", payload=payload, at=ELSEWHERE)
    async with aclosing(await open_sql_ledger(store.url)) as ledger:
        await ledger.append_event(event)
        assert await ledger.events("t1") == (event,)
