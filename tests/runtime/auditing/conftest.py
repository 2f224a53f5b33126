"""The command line in this process, and ledgers with something in them."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

from pleach_runtime.auditing.main import main
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.builders import SYNTHESIZE, UTILITY, closing, intent, row, turn_record, wish

if TYPE_CHECKING:
    from tests.runtime.stores import Store


class Ran(NamedTuple):
    """What came of a run of the command line."""

    code: int | str | None
    out: str
    err: str


class Audit(Protocol):
    """The command line."""

    def __call__(self, *arguments: str) -> Ran:
        """Run it to its end."""
        ...


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Audit:
    """The command line in this process."""

    def run_with(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["pleach-audit", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return Ran(end.value.code, *capsys.readouterr())

    return run_with


async def fill(url: str) -> None:
    """Record an answered turn, one that is open with an attempt under way, and a passthrough."""
    async with aclosing(await open_sql_ledger(url)) as ledger:
        for number in (1, 2, 3):
            await ledger.open_turn(turn_record(f"t{number}", cap=number))
        for call_id, call_class, cost in (("c1", UTILITY, 7), ("c2", UTILITY, None)):
            call = intent(call_id, call_class=call_class, cap=1).model_copy(update={"call_id": call_id})
            await ledger.begin(call)
            await ledger.append(row(call, cost=cost))
        answer = intent("m1", landing=True, cap=1).model_copy(update={"call_id": "c3"})
        await ledger.reserve(wish(answer))
        await ledger.append(row(answer, cost=1_500_000_000))
        await ledger.close_turn("t1", closing())
        pending = intent("m1", turn_id="t2", call_class=SYNTHESIZE, cap=2).model_copy(update={"call_id": "c4"})
        await ledger.reserve(wish(pending))
        await ledger.close_turn("t3", closing("t3", passthrough=True))


@pytest.fixture
def filled(store: Store) -> Store:
    """A database of each kind with three turns in it."""
    asyncio.run(fill(store.url))
    return store
