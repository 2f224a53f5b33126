"""Tests of ids: what no ledger could keep is refused before anything is spent or recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from pleach_runtime.errors import InvalidId
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ids import LONGEST_ID, check_id
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.runtime import SessionRuntime
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask, config

if TYPE_CHECKING:
    from pleach_runtime.ledger import Ledger

unfit = pytest.mark.parametrize(
    "value",
    [
        pytest.param("a\0b", id="NUL"),
        pytest.param("", id="empty"),
        pytest.param("\ud83d", id="half a surrogate pair"),
        pytest.param("x" * (LONGEST_ID + 1), id="too long"),
        pytest.param(cast("str", 7), id="a number"),
        pytest.param(cast("str", b"t1"), id="bytes"),
    ],
)


@unfit
def test_unfit(value: str) -> None:
    """The message names the id."""
    with pytest.raises(InvalidId, match="chat_id"):
        check_id("chat_id", value)


@unfit
@pytest.mark.parametrize("name", ["message_id", "stage_id"])
async def test_call_is_refused_unspent(value: str, name: str) -> None:
    """A call with such an id reaches no provider, and leaves no event."""
    provider = ScriptedProvider()
    async with scene(setting(provider)) as of:
        given = {"stage_id": "answer", "message_id": "m1", name: value}
        seam, stage_id, message_id = of.runtime.synthesize_seam, given["stage_id"], given["message_id"]
        with pytest.raises(InvalidId, match=name):
            await seam.invoke(ask(), turn=of.turn, stage_id=stage_id, message_id=message_id)
        assert (provider.calls, await of.runtime.ledger.events("t1")) == ([], ())


@unfit
@pytest.mark.parametrize("name", ["chat_id", "turn_id", "turn_message_id"])
async def test_turn_is_refused(value: str, name: str) -> None:
    """A turn with such an id is not opened."""
    async with scene(setting()) as of:
        with pytest.raises(InvalidId, match=name):
            await of.runtime.open_turn(**{"chat_id": "c1", name: value})


async def test_minted_ids_are_looked_at_too() -> None:
    """A host that mints such an id cannot open a turn."""
    boot = SessionRuntime.boot(
        config(), provider=ScriptedProvider(), ledger=MemoryLedger(), hooks=RuntimeHooks(mint_id=lambda: "a\0b")
    )
    async with boot as runtime:
        with pytest.raises(InvalidId, match="turn_id"):
            await runtime.open_turn(chat_id="c1")


@pytest.mark.parametrize("char", [pytest.param("x", id="ASCII"), pytest.param("\U00012345", id="four bytes")])
async def test_longest(ledger: Ledger, char: str) -> None:
    """Every ledger keeps the longest ids, and answers duplicates from them."""
    # Not one character over and over, which PostgreSQL would compress to nothing.
    turn_id, message_id = (
        "".join(chr(ord(char) + (number * step) % 97) for number in range(LONGEST_ID)) for step in (29, 31)
    )
    async with scene(setting(ledger=ledger), turn_id=turn_id) as of:
        first = await of.answer(message_id)
        assert (await of.answer(message_id)).row == first.row
        assert await ledger.calls(turn_id) == (first.row,)
