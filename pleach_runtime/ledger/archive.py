"""A SQL ledger as a whole, for whoever looks into it from outside: all its turns, their costs, what is unfinished."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from sqlalchemy import Integer, Text, bindparam, func, select

from pleach_runtime.errors import UnknownTurn
from pleach_runtime.ledger.columns import cost_sum, event_from, intent_from, link_from, moment_text, turn_from
from pleach_runtime.ledger.opening import database_at
from pleach_runtime.ledger.schema import calls, slots, turns
from pleach_runtime.ledger.statements import COST_HALVES, TURN

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from datetime import datetime

    from sqlalchemy import ClauseElement, ColumnElement

    from pleach_runtime.audit import CallIntent
    from pleach_runtime.events import Event
    from pleach_runtime.ledger.chain import ChainLink
    from pleach_runtime.ledger.columns import Columns, Row
    from pleach_runtime.ledger.connection import Connection, Database
    from pleach_runtime.ledger.protocol import TurnRecord

Grouping: TypeAlias = Literal["class", "stage", "model", "family", "chat"]
"""What costs are added up by. A model is the one that answered or, where nobody said, the one that was asked for."""

_PAGE: Final = 500
_GROUPINGS: Final[dict[Grouping, ColumnElement[str]]] = {
    "class": calls.c.call_class,
    "stage": calls.c.stage_id,
    "model": func.coalesce(calls.c.served_model, calls.c.requested_model),
    "family": calls.c.family,
    "chat": calls.c.chat_id,
}
_ROWS: Final = func.count(calls.c.call_id)
_UNPRICED: Final = func.count(calls.c.call_id) - func.count(calls.c.token_cost)
_LIMIT: Final = bindparam("limit", type_=Integer())
_NEXT_TURNS: Final = (
    select(turns.c.turn_id)
    .where(turns.c.turn_id > bindparam("after", type_=Text()))
    .order_by(turns.c.turn_id)
    .limit(_LIMIT)
)
_SLOTS: Final = select(slots.c.slot_no, slots.c.message_id).where(slots.c.turn_id == TURN).order_by(slots.c.slot_no)
_OF_CHAT: Final = bindparam("chat_id", type_=Text())


def _latest(*conditions: ColumnElement[bool]) -> ClauseElement:
    # The page is cut before calls are joined to it: a ledger holds many more calls than anybody lists.
    order = turns.c.opened_at.desc(), turns.c.turn_id.desc()
    page = select(turns).where(*conditions).order_by(*order).limit(_LIMIT).subquery("page")
    used = select(func.count()).where(slots.c.turn_id == page.c.turn_id).scalar_subquery()
    return (
        select(*page.c, used, _ROWS, *COST_HALVES, _UNPRICED)
        .select_from(page.outerjoin(calls, calls.c.turn_id == page.c.turn_id))
        .group_by(*page.c)
        .order_by(page.c.opened_at.desc(), page.c.turn_id.desc())
    )


@dataclass(frozen=True)
class Cost:
    """What some calls cost together."""

    group: str
    """What the calls have in common."""
    calls: int
    token_cost: int | None
    """Sum of the known costs in nano-USD; `None` if no call has a known cost."""
    unpriced_calls: int
    """Calls whose cost is unknown and therefore missing from the sum."""


@dataclass(frozen=True)
class TurnSummary:
    """A turn in a list of turns."""

    record: TurnRecord
    slots: int
    """Slots that were reserved."""
    cost: Cost


@dataclass(frozen=True)
class RecordedTurn:
    """All that a ledger holds of a turn."""

    record: TurnRecord
    slots: tuple[tuple[int, str], ...]
    """Number and message of each slot, by number."""
    events: tuple[Event, ...]
    """In the order in which they were recorded."""
    chain: tuple[ChainLink, ...]
    """By position."""


@dataclass(frozen=True)
class CallFilter:
    """Which calls are meant: those that meet all that is said. `None` says nothing."""

    turn_id: str | None = None
    chat_id: str | None = None
    since: datetime | None = None
    """Calls that started at this moment or later."""


class Archive:
    """A ledger on one connection. One thread at a time."""

    def __init__(self, database: Database, connection: Connection) -> None:
        self._dialect = database.dialect
        self._connection = connection

    def turn_ids(self) -> Iterator[str]:
        """Give the id of every turn, in the database's order. Turns may be opened meanwhile."""
        after = ""
        while page := self._fetch(_NEXT_TURNS, {"after": after, "limit": _PAGE}):
            after = str(page[-1][0])
            yield from (str(turn_id) for (turn_id,) in page)

    def latest_turns(self, limit: int, chat_id: str | None = None) -> tuple[TurnSummary, ...]:
        """Return the turns that were opened last, the latest first; only those of a chat if one is given.

        Raises:
            LedgerCorrupt: if somebody changed a turn so that it is no longer one.
        """
        if chat_id is None:
            return tuple(map(_summary, self._fetch(_latest(), {"limit": limit})))
        query = _latest(turns.c.chat_id == _OF_CHAT)
        return tuple(map(_summary, self._fetch(query, {"limit": limit, "chat_id": chat_id})))

    def turn(self, turn_id: str) -> RecordedTurn:
        """Return all that is recorded of a turn.

        Raises:
            UnknownTurn: if it was never opened.
            ChainBroken: if somebody changed a call so that it is no longer one.
            LedgerCorrupt: if the same happened to an event, or to the turn itself.
        """
        key: Columns = {"turn_id": turn_id}
        statements = self._connection.statements
        found = self._connection.fetch(statements.turn, key)
        if not found:
            raise UnknownTurn(turn_id)
        return RecordedTurn(
            turn_from(found[0]),
            tuple(cast("list[tuple[int, str]]", self._fetch(_SLOTS, key))),
            tuple(map(event_from, self._connection.fetch(statements.events, key))),
            tuple(map(link_from, self._connection.fetch(statements.calls, key))),
        )

    def costs(self, by: Grouping, which: CallFilter) -> tuple[Cost, ...]:
        """Return what calls cost, by what they have in common; in the order of its names."""
        column = _GROUPINGS[by]
        conditions, key = _meant(which)
        query = select(column, _ROWS, *COST_HALVES, _UNPRICED).where(*conditions).group_by(column)
        return tuple(sorted(map(_cost, self._fetch(query, key)), key=lambda cost: cost.group))

    def unfinished(self, started_before: datetime) -> tuple[CallIntent, ...]:
        """Return the attempts without a row that started before a moment, in the order in which they were recorded.

        Raises:
            LedgerCorrupt: if somebody changed an event so that it is no longer one of an attempt.
        """
        key: Columns = {"started_before": moment_text(started_before)}
        found = self._connection.fetch(self._connection.statements.orphans, key)
        return tuple(intent_from(payload) for _, _, payload in found)

    def _fetch(self, query: ClauseElement, parameters: Columns) -> list[Row]:
        compiled = query.compile(dialect=self._dialect)
        # A dialect adds parameters of its own, such as an offset of 0.
        added = cast("Columns", compiled.params)
        return self._connection.fetch(str(compiled), {**added, **parameters})


@contextmanager
def opened_archive(url: str) -> Generator[Archive]:
    """Open the ledger at a URL, and close it. Nothing is made where there is none.

    Raises:
        ConfigurationError: if the URL is none of a ledger, or an extra is not installed.
        LedgerMissing: if there is no ledger.
        LedgerError: inside the block too, as what an error of the driver means.
    """
    database = database_at(url, "read")
    try:
        connection = database.connect()
        try:
            yield Archive(database, connection)
        finally:
            connection.close()
    except database.error as error:
        raise database.meaning(error) from error


def _meant(which: CallFilter) -> tuple[list[ColumnElement[bool]], Columns]:
    conditions: list[ColumnElement[bool]] = []
    key: Columns = {}
    if which.turn_id is not None:
        conditions.append(calls.c.turn_id == TURN)
        key["turn_id"] = which.turn_id
    if which.chat_id is not None:
        conditions.append(calls.c.chat_id == _OF_CHAT)
        key["chat_id"] = which.chat_id
    if which.since is not None:
        conditions.append(calls.c.started_at >= bindparam("since"))
        key["since"] = moment_text(which.since)
    return conditions, key


def _summary(row: Row) -> TurnSummary:
    record = turn_from(row[:6])
    return TurnSummary(record, cast("int", row[6]), _cost((record.turn_id, *row[7:])))


def _cost(row: Row) -> Cost:
    group, rows, upper, lower, unpriced = row
    return Cost(str(group), cast("int", rows), cost_sum(upper, lower), cast("int", unpriced))
