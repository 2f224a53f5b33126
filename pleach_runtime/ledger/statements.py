"""The statements of a SQL ledger: written once, compiled for each dialect. Who runs them, and when, is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Integer, Text, and_, bindparam, func, literal_column, select, text
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from pleach_runtime.ledger.columns import COST_BASE, READ_COLUMNS
from pleach_runtime.ledger.schema import IS_ANSWER, IS_INVOCATION, calls, events, schema_versions, slots, turns

if TYPE_CHECKING:
    from sqlalchemy import ClauseElement, ColumnElement, Dialect, Table

TURN: Final = bindparam("turn_id", type_=Text())
MESSAGE: Final = bindparam("message_id", type_=Text())
CALL: Final = bindparam("call_id", type_=Text())

_ZERO: ColumnElement[int] = literal_column("0")
_ONE: ColumnElement[int] = literal_column("1")
_OF_TURN = calls.c.turn_id == TURN
_HEAD_POS = select(func.max(calls.c.chain_pos)).where(_OF_TURN).scalar_subquery()
_HEAD = calls.alias("head")
# Joined rather than asked for by a smallest call id, for which a planner may walk all calls of the ledger.
_LANDED = calls.alias("landed")
_LANDED_IN_TURN = and_(_LANDED.c.turn_id == turns.c.turn_id, text("landed.terminal_synthesis"))
_ATTEMPT = (calls.c.message_id == MESSAGE, calls.c.attempt == bindparam("attempt"))
_USED = select(func.max(slots.c.slot_no)).where(slots.c.turn_id == TURN)

HEAD: Final = (
    select(_HEAD.c.chain_pos, _HEAD.c.row_hash)
    .select_from(turns)
    .outerjoin(_HEAD, and_(_HEAD.c.turn_id == turns.c.turn_id, _HEAD.c.chain_pos == _HEAD_POS))
    .where(turns.c.turn_id == TURN)
)
"""Place and hash of the last call of a turn, NULL if it has none; no row if the turn is unknown."""

RIVALS: Final = (
    select(_LANDED.c.call_id, select(func.count()).where(_OF_TURN, *_ATTEMPT, text(IS_ANSWER)).scalar_subquery())
    .select_from(turns)
    .outerjoin(_LANDED, _LANDED_IN_TURN)
    .where(turns.c.turn_id == TURN)
)
"""The terminal call of a turn, and how many calls record an attempt."""

RESERVE_STATE: Final = (
    select(
        turns.c.max_synthesize_per_turn,
        func.coalesce(_USED.scalar_subquery(), _ZERO),
        _LANDED.c.call_id,
        slots.c.slot_no,
        slots.c.request_digest,
    )
    .select_from(turns)
    .outerjoin(_LANDED, _LANDED_IN_TURN)
    .outerjoin(slots, (slots.c.turn_id == turns.c.turn_id) & (slots.c.message_id == MESSAGE))
    .where(turns.c.turn_id == TURN)
)
"""Cap, slots used, terminal call, and the slot of the message, if any; no row if the turn is unknown."""

_LATEST = select(func.max(events.c.seq)).where(
    events.c.turn_id == TURN, events.c.message_id == MESSAGE, events.c.kind == bindparam("kind")
)
LATEST_INVOCATION: Final = select(events.c.event_id, events.c.payload).where(events.c.seq == _LATEST.scalar_subquery())
"""The write that recorded the latest attempt of a message, and its intent."""

# SQLite adds up to 2**63 and then fails. Halves of 32 bits have room for 2**31 rows.
_BASE: ColumnElement[int] = literal_column(str(COST_BASE), Integer())
_UPPER: Final = calls.c.token_cost // _BASE
COST_HALVES: Final = (func.sum(_UPPER), func.sum(calls.c.token_cost - _UPPER * _BASE))
"""Sums of the upper and the lower halves of known costs, for `cost_sum`."""

ROLLUP: Final = (
    select(
        calls.c.call_class,
        func.count(),
        *COST_HALVES,
        func.count() - func.count(calls.c.token_cost),
    )
    .where(_OF_TURN)
    .group_by(calls.c.call_class)
)
"""Per class of a turn: rows, sum of the known costs in halves, rows without a known cost."""

CAP_LEAKS: Final = (
    select(turns.c.turn_id, func.count(), turns.c.max_synthesize_per_turn)
    .select_from(turns.join(slots, slots.c.turn_id == turns.c.turn_id))
    .group_by(turns.c.turn_id, turns.c.max_synthesize_per_turn)
    .having(func.count() > turns.c.max_synthesize_per_turn)
)
"""Turns with more slots than their cap. A comparison with NULL, which is no cap, is never true."""

_LEAKING = (
    select(calls.c.turn_id).where(text("terminal_synthesis")).group_by(calls.c.turn_id).having(func.count() > _ONE)
)
TERMINAL_LEAKS: Final = (
    select(calls.c.turn_id, calls.c.call_id)
    .where(text("terminal_synthesis"), calls.c.turn_id.in_(_LEAKING))
    .order_by(calls.c.chain_pos)
)
"""The terminal calls of every turn that has two or more."""

_ORPHANS = (
    select(events.c.seq, events.c.turn_id, events.c.payload)
    .where(
        text(IS_INVOCATION),
        events.c.at < bindparam("started_before"),
        ~select(calls.c.call_id).where(calls.c.call_id == events.c.call_id).exists(),
    )
    .order_by(events.c.seq)
)
_EVENTS = select(
    events.c.kind, events.c.turn_id, events.c.message_id, events.c.call_id, events.c.payload, events.c.at
).order_by(events.c.seq)
_TURN = select(turns).where(turns.c.turn_id == TURN)
_CALLS = select(*(calls.c[name] for name in READ_COLUMNS))
_INVOCATION = select(events.c.event_id).where(events.c.call_id == CALL, text(IS_INVOCATION))


@dataclass(frozen=True)
class Statements:
    """SQL texts with named parameters, as one driver takes them."""

    version: str
    insert_version: str
    turn: str
    insert_turn: str
    insert_event: str
    invocation: str
    insert_invocation: str
    latest_invocation: str
    reserve_state: str
    insert_slot: str
    head: str
    rivals: str
    insert_call: str
    insert_new_call: str
    call: str
    calls: str
    events: str
    stray_events: str
    orphans: str
    orphans_of_turn: str
    rollup: str
    cap_leaks: str
    terminal_leaks: str


def statements_for(dialect: Dialect) -> Statements:
    """Compile every statement for a dialect."""

    def compiled(statement: ClauseElement) -> str:
        return str(statement.compile(dialect=dialect))

    def insertion(table: Table, *target: str, where: str | None = None) -> str:
        columns = [column.name for column in table.columns if column.name != "seq"]
        insert = (postgres_insert if dialect.name == "postgresql" else sqlite_insert)(table).inline()
        if target:
            insert = insert.on_conflict_do_nothing(
                index_elements=target, index_where=None if where is None else text(where)
            )
        return str(insert.compile(dialect=dialect, column_keys=columns))

    return Statements(
        version=compiled(select(func.max(schema_versions.c.version))),
        insert_version=insertion(schema_versions),
        turn=compiled(_TURN),
        insert_turn=insertion(turns, "turn_id"),
        insert_event=insertion(events, "event_id"),
        invocation=compiled(_INVOCATION),
        insert_invocation=insertion(events, "call_id", where=IS_INVOCATION),
        latest_invocation=compiled(LATEST_INVOCATION),
        reserve_state=compiled(RESERVE_STATE),
        insert_slot=insertion(slots),
        head=compiled(HEAD),
        rivals=compiled(RIVALS),
        insert_call=insertion(calls, "call_id"),
        insert_new_call=insertion(calls),
        call=compiled(_CALLS.where(calls.c.call_id == CALL)),
        calls=compiled(_CALLS.where(_OF_TURN).order_by(calls.c.chain_pos)),
        events=compiled(_EVENTS.where(events.c.turn_id == TURN)),
        stray_events=compiled(_EVENTS.where(events.c.turn_id.is_(None))),
        orphans=compiled(_ORPHANS),
        orphans_of_turn=compiled(_ORPHANS.where(events.c.turn_id == TURN)),
        rollup=compiled(ROLLUP),
        cap_leaks=compiled(CAP_LEAKS),
        terminal_leaks=compiled(TERMINAL_LEAKS),
    )
