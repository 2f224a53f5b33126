"""What a SQL ledger does on one connection, each in one transaction. Threads and coroutines are in `sql.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pleach_runtime.caps import cap_from_sql, cap_to_sql
from pleach_runtime.errors import LedgerConflict, TerminalConflict, UnknownTurn
from pleach_runtime.events import INVOKED, event_kind
from pleach_runtime.ledger.chain import GENESIS, ChainLink, row_hash
from pleach_runtime.ledger.columns import (
    call_columns,
    event_columns,
    intent_from,
    invocation_columns,
    link_from,
    moment_text,
    storable,
    turn_columns,
    turn_from,
)
from pleach_runtime.ledger.protocol import OpenedTurn
from pleach_runtime.ledger.reservation import Granted, SlotState, TurnState, judge_reservation
from pleach_runtime.seams.classes import is_synthesize
from pleach_runtime.seams.rows import unknown_row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pleach_runtime.audit import AuditableCall, CallIntent
    from pleach_runtime.events import Event
    from pleach_runtime.ledger.columns import Columns, SqlValue
    from pleach_runtime.ledger.connection import Connection
    from pleach_runtime.ledger.protocol import AppendOutcome, TurnRecord
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict


def open_turn(connection: Connection, turn: TurnRecord) -> OpenedTurn:
    """Record the turn unless it is there, and return it as it was first opened.

    Raises:
        LedgerConflict: if the turn id is recorded with another chat or turn message.
    """
    key: Columns = {"turn_id": turn.turn_id}
    resumed = True
    if not connection.fetch(connection.statements.turn, key):
        with connection.transaction(turn.turn_id):
            if not connection.fetch(connection.statements.turn, key):
                resumed = connection.execute(connection.statements.insert_turn, turn_columns(turn)) == 0
    (row,) = connection.fetch(connection.statements.turn, key)
    recorded = turn_from(row)
    if (recorded.chat_id, recorded.turn_message_id) != (turn.chat_id, turn.turn_message_id):
        raise LedgerConflict("turn_id", turn.turn_id)
    return OpenedTurn(recorded, resumed)


def close_turn(connection: Connection, turn_id: str, event: Event, write_id: str) -> None:
    """Record the event that closes a turn.

    Raises:
        UnknownTurn: if the turn was never opened.
    """
    with connection.transaction(turn_id):
        _require_turn(connection, turn_id)
        connection.execute(connection.statements.insert_event, event_columns(event, write_id))


def append_event(connection: Connection, event: Event, write_id: str) -> None:
    """Record an event, after all that were recorded of its turn."""
    with connection.transaction(*filter(None, [event.turn_id])):
        connection.execute(connection.statements.insert_event, event_columns(event, write_id))


def begin(connection: Connection, intent: CallIntent, write_id: str) -> None:
    """Record that a provider is about to be called.

    Raises:
        UnknownTurn: if the turn was never opened.
        LedgerConflict: if the call was begun before.
    """
    with connection.transaction(intent.turn_id):
        _require_turn(connection, intent.turn_id)
        _record_invocation(connection, intent, write_id)


def reserve(connection: Connection, wish: Reservation, write_id: str) -> ReservationVerdict:
    """Decide on a reservation and record it if it is granted, under the lock of the turn.

    Raises:
        UnknownTurn: if the turn was never opened.
    """
    with connection.transaction(wish.intent.turn_id):
        turn, latest_write_id = _turn_state(connection, wish.intent)
        if turn.slot is not None and latest_write_id == write_id:
            # A first run of this very job was committed, but its connection broke before it could say so.
            return Granted(turn.slot.slot_no, turn.slot.last_intent)
        verdict = judge_reservation(wish, turn)
        if isinstance(verdict, Granted):
            if turn.slot is None:
                connection.execute(connection.statements.insert_slot, _slot_columns(wish, verdict, turn))
            _record_invocation(connection, verdict.intent, write_id)
        return verdict


class Append:
    """The job that records calls at the ends of the chains of their turns, in order: all of them, or none.

    It first takes them all for new ones, which is nearly always so, and writes them at once. If a key is taken, the
    database refuses and the job is run again: then each call is compared with what is recorded.
    """

    def __init__(self, calls: Sequence[AuditableCall]) -> None:
        self._calls = tuple(map(storable, calls))
        self._took_all_for_new = False

    def __call__(self, connection: Connection) -> tuple[AppendOutcome, ...]:
        """Record the calls.

        Raises:
            UnknownTurn: if a turn was never opened.
            TerminalConflict: if a call is terminal and its turn has another terminal call.
            LedgerConflict: if a call id is recorded with other content, or an attempt under another call id.
        """
        with connection.transaction(*{call.turn_id for call in self._calls}):
            if self._took_all_for_new:
                return tuple(_append(connection, call) for call in self._calls)
            self._took_all_for_new = True
            connection.execute_all(connection.statements.insert_new_call, _links(connection, self._calls))
        outcome: AppendOutcome = "appended"
        return (outcome,) * len(self._calls)


def recover(
    connection: Connection, started_before: datetime, ended_at: datetime, turn_id: str | None
) -> tuple[AuditableCall, ...]:
    """Record the `unknown` call of every attempt that has none; return them in the order of the attempts."""
    found: list[tuple[int, AuditableCall]] = []
    statements = connection.statements
    key: Columns = {"started_before": moment_text(started_before)}
    if turn_id is None:
        orphaned = {row[1]: None for row in connection.fetch(statements.orphans, key)}
    else:
        orphaned = {turn_id: None}
    for each in orphaned:
        found += _recover_turn(connection, {**key, "turn_id": each}, ended_at)
    return tuple(call for _, call in sorted(found, key=lambda each: each[0]))


def _recover_turn(connection: Connection, key: Columns, ended_at: datetime) -> list[tuple[int, AuditableCall]]:
    found: list[tuple[int, AuditableCall]] = []
    with connection.transaction(cast("str", key["turn_id"])):
        for seq, _, payload in connection.fetch(connection.statements.orphans_of_turn, key):
            call = unknown_row(intent_from(payload), ended_at)
            _append(connection, call)
            found.append((cast("int", seq), call))
    return found


def _require_turn(connection: Connection, turn_id: str) -> None:
    if not connection.fetch(connection.statements.turn, {"turn_id": turn_id}):
        raise UnknownTurn(turn_id)


def _record_invocation(connection: Connection, intent: CallIntent, write_id: str) -> None:
    recorded = connection.fetch(connection.statements.invocation, {"call_id": intent.call_id})
    if recorded == [(write_id,)]:
        return
    event = invocation_columns(intent, write_id)
    if recorded or not connection.execute(connection.statements.insert_invocation, event):
        raise LedgerConflict("call_id", intent.call_id)


def _slot_columns(wish: Reservation, granted: Granted, turn: TurnState) -> Columns:
    return {
        "turn_id": wish.intent.turn_id,
        "slot_no": granted.slot_no,
        "message_id": wish.intent.message_id,
        "request_digest": wish.request_digest,
        "max_synthesize_per_turn": cap_to_sql(turn.cap),
    }


def _turn_state(connection: Connection, intent: CallIntent) -> tuple[TurnState, SqlValue]:
    """Read what a reservation depends on, and which write recorded the latest attempt of the message."""
    key: Columns = {"turn_id": intent.turn_id, "message_id": intent.message_id}
    rows = connection.fetch(connection.statements.reserve_state, key)
    if not rows:
        raise UnknownTurn(intent.turn_id)
    cap, used, terminal, slot_no, digest = cast("tuple[int | None, int, str | None, int | None, str]", rows[0])
    slot, write_id = None, None
    if slot_no is not None:
        kind = event_kind(intent.call.call_class, INVOKED)
        ((write_id, payload),) = connection.fetch(connection.statements.latest_invocation, {**key, "kind": kind})
        latest = intent_from(payload)
        slot = SlotState(slot_no, digest, latest, _recorded(connection, latest.call_id))
    return TurnState(cap_from_sql(cap), used, slot, terminal), write_id


def _recorded(connection: Connection, call_id: str) -> AuditableCall | None:
    rows = connection.fetch(connection.statements.call, {"call_id": call_id})
    return link_from(rows[0]).row if rows else None


def _links(connection: Connection, calls: Sequence[AuditableCall]) -> list[Columns]:
    """Lay out calls as the next ones in the chains of their turns."""
    heads: dict[str, tuple[int, bytes]] = {}
    laid_out: list[Columns] = []
    for call in calls:
        position, prev = heads.get(call.turn_id) or _head(connection, call.turn_id)
        link = ChainLink(position + 1, prev, row_hash(prev, call), call)
        heads[call.turn_id] = link.position, link.row_hash
        laid_out.append(call_columns(link))
    return laid_out


def _head(connection: Connection, turn_id: str) -> tuple[int, bytes]:
    """Return position and hash of the last call of a turn; 0 and `GENESIS` if there is none."""
    rows = connection.fetch(connection.statements.head, {"turn_id": turn_id})
    if not rows:
        raise UnknownTurn(turn_id)
    position, head = cast("tuple[int | None, bytes]", rows[0])
    return (0, GENESIS) if position is None else (position, head)


def _append(connection: Connection, call: AuditableCall) -> AppendOutcome:
    """Append one call inside a transaction that holds the lock of its turn."""
    (columns,) = _links(connection, [call])
    recorded = _recorded(connection, call.call_id)
    if recorded is None:
        _check_is_new(connection, call)
        if connection.execute(connection.statements.insert_call, columns):
            return "appended"
        recorded = _recorded(connection, call.call_id)
    if recorded != call:
        raise LedgerConflict("call_id", call.call_id)
    return "duplicate"


def _check_is_new(connection: Connection, call: AuditableCall) -> None:
    key: Columns = {"turn_id": call.turn_id, "message_id": call.message_id, "attempt": call.attempt}
    ((terminal, same_attempt),) = connection.fetch(connection.statements.rivals, key)
    if call.is_terminal and terminal is not None:
        raise TerminalConflict(call.turn_id, call.call_id)
    if is_synthesize(call.call.call_class) and same_attempt:
        raise LedgerConflict("attempt", f"{call.message_id}/{call.attempt}")
