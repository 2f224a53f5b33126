"""The ledger of one process: exact among its threads and tasks, gone when it ends. Nothing is written to disk."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pleach_runtime.audit import CallIntent
from pleach_runtime.errors import LedgerConflict, TerminalConflict, UnknownTurn
from pleach_runtime.events import invoked_event
from pleach_runtime.ledger.chain import chained
from pleach_runtime.ledger.protocol import CapLeak, ClassCost, OpenedTurn, TerminalLeak
from pleach_runtime.ledger.reservation import Granted, SlotState, TurnState, judge_reservation
from pleach_runtime.seams.classes import CALL_CLASSES, is_synthesize
from pleach_runtime.seams.rows import unknown_row

if TYPE_CHECKING:
    from datetime import datetime

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.events import Event
    from pleach_runtime.ledger.chain import ChainLink
    from pleach_runtime.ledger.protocol import AppendOutcome, TurnRecord
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.seams.classes import CallClass


@dataclass
class _Slot:
    slot_no: int
    request_digest: str
    last_call_id: str


@dataclass
class _Turn:
    record: TurnRecord
    slots: dict[str, _Slot] = field(default_factory=dict[str, _Slot])
    intents: dict[str, CallIntent] = field(default_factory=dict[str, "CallIntent"])
    rows: dict[str, AuditableCall] = field(default_factory=dict[str, "AuditableCall"])
    attempts: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    log: list[Event | CallIntent] = field(default_factory=list["Event | CallIntent"])
    terminal_call_id: str | None = None
    open_count: int = 0

    def state_for(self, message_id: str) -> TurnState:
        slot = self.slots.get(message_id)
        state = None
        if slot is not None:
            intent, row = self.intents[slot.last_call_id], self.rows.get(slot.last_call_id)
            state = SlotState(slot.slot_no, slot.request_digest, intent, row)
        return TurnState(self.record.synthesize_cap, len(self.slots), state, self.terminal_call_id)

    def record_intent(self, intent: CallIntent) -> None:
        self.intents[intent.call_id] = intent
        self.log.append(intent)

    def record_row(self, row: AuditableCall) -> None:
        self.rows[row.call_id] = row
        if is_synthesize(row.call.call_class):
            self.attempts.add((row.message_id, row.attempt))
        if row.is_terminal:
            self.terminal_call_id = row.call_id


class MemoryLedger:
    """A ledger for tests, notebooks and single processes that need no record after they end.

    Open turns are always kept; of the closed ones the latest `max_closed_turns`, and of events that belong to no turn
    the latest `max_closed_turns` too. A turn that was dropped and is opened again is a new turn.
    """

    def __init__(self, *, max_closed_turns: int = 1000) -> None:
        self._max_closed_turns = max_closed_turns
        self._lock = threading.Lock()
        self._turns: dict[str, _Turn] = {}
        self._closed: OrderedDict[str, None] = OrderedDict()
        self._events: list[Event] = []

    async def open_turn(self, turn: TurnRecord, /) -> OpenedTurn:
        """See `LedgerWriter.open_turn`."""
        with self._lock:
            known = self._turns.get(turn.turn_id)
            if known is None:
                known = self._turns[turn.turn_id] = _Turn(turn)
                resumed = False
            else:
                _check_same_turn(known.record, turn)
                resumed = True
            known.open_count += 1
            self._closed.pop(turn.turn_id, None)
            return OpenedTurn(known.record, resumed)

    async def close_turn(self, turn_id: str, event: Event, /) -> None:
        """See `LedgerWriter.close_turn`."""
        with self._lock:
            turn = self._turn(turn_id)
            turn.log.append(event)
            turn.open_count -= 1
            if turn.open_count <= 0:
                self._closed[turn_id] = None
            while len(self._closed) > self._max_closed_turns:
                oldest, _ = self._closed.popitem(last=False)
                del self._turns[oldest]

    async def begin(self, intent: CallIntent, /) -> None:
        """See `LedgerWriter.begin`."""
        with self._lock:
            turn = self._turn(intent.turn_id)
            if intent.call_id in turn.intents:
                raise LedgerConflict("call_id", intent.call_id)
            turn.record_intent(intent)

    async def reserve(self, wish: Reservation, /) -> ReservationVerdict:
        """See `LedgerWriter.reserve`."""
        message_id = wish.intent.message_id
        with self._lock:
            turn = self._turn(wish.intent.turn_id)
            verdict = judge_reservation(wish, turn.state_for(message_id))
            if isinstance(verdict, Granted):
                turn.slots[message_id] = _Slot(verdict.slot_no, wish.request_digest, verdict.intent.call_id)
                turn.record_intent(verdict.intent)
            return verdict

    async def append(self, row: AuditableCall, /) -> AppendOutcome:
        """See `LedgerWriter.append`."""
        with self._lock:
            turn = self._turn(row.turn_id)
            recorded = turn.rows.get(row.call_id)
            if recorded is not None:
                if recorded != row:
                    raise LedgerConflict("call_id", row.call_id)
                return "duplicate"
            if row.is_terminal and turn.terminal_call_id is not None:
                raise TerminalConflict(row.turn_id, row.call_id)
            if is_synthesize(row.call.call_class) and (row.message_id, row.attempt) in turn.attempts:
                raise LedgerConflict("attempt", f"{row.message_id}/{row.attempt}")
            turn.record_row(row)
            return "appended"

    async def append_event(self, event: Event, /) -> None:
        """See `LedgerWriter.append_event`."""
        with self._lock:
            turn = None if event.turn_id is None else self._turns.get(event.turn_id)
            if turn is not None:
                turn.log.append(event)
                return
            self._events.append(event)
            del self._events[: -self._max_closed_turns]

    async def recover(
        self, *, started_before: datetime, ended_at: datetime, turn_id: str | None = None
    ) -> tuple[AuditableCall, ...]:
        """See `LedgerWriter.recover`."""
        recovered: list[AuditableCall] = []
        with self._lock:
            for turn in self._turns.values():
                if turn_id not in (None, turn.record.turn_id):
                    continue
                orphans = [intent for call_id, intent in turn.intents.items() if call_id not in turn.rows]
                for intent in orphans:
                    if intent.started_at < started_before:
                        recovered.append(unknown_row(intent, ended_at))
                        turn.record_row(recovered[-1])
        return tuple(recovered)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to release, and what was recorded can still be read."""

    async def calls(self, turn_id: str, /) -> tuple[AuditableCall, ...]:
        """See `LedgerReader.calls`."""
        with self._lock:
            turn = self._turns.get(turn_id)
            return () if turn is None else tuple(turn.rows.values())

    async def events(self, turn_id: str | None = None, /) -> tuple[Event, ...]:
        """See `LedgerReader.events`."""
        with self._lock:
            stray = tuple(event for event in self._events if event.turn_id == turn_id)
            turn = None if turn_id is None else self._turns.get(turn_id)
            return stray if turn is None else stray + tuple(map(_as_event, turn.log))

    async def chain(self, turn_id: str, /) -> tuple[ChainLink, ...]:
        """See `LedgerReader.chain`. Computed when it is read: memory cannot be changed from outside the process."""
        return chained(await self.calls(turn_id))

    async def rollup(self, turn_id: str, /) -> tuple[ClassCost, ...]:
        """See `LedgerReader.rollup`."""
        costs: dict[CallClass, list[int | None]] = {call_class: [] for call_class in CALL_CLASSES}
        for row in await self.calls(turn_id):
            costs[row.call.call_class].append(row.token_cost)
        return tuple(_cost(call_class, of_class) for call_class, of_class in costs.items() if of_class)

    async def cap_leaks(self) -> tuple[CapLeak, ...]:
        """See `LedgerReader.cap_leaks`. Always empty: a slot is only recorded when the turn's cap has room for it."""
        return ()

    async def terminal_leaks(self) -> tuple[TerminalLeak, ...]:
        """See `LedgerReader.terminal_leaks`. Always empty: a second terminal row is never recorded."""
        return ()

    def _turn(self, turn_id: str) -> _Turn:
        turn = self._turns.get(turn_id)
        if turn is None:
            raise UnknownTurn(turn_id)
        return turn


def _check_same_turn(recorded: TurnRecord, given: TurnRecord) -> None:
    if (recorded.chat_id, recorded.turn_message_id) != (given.chat_id, given.turn_message_id):
        raise LedgerConflict("turn_id", given.turn_id)


def _as_event(entry: Event | CallIntent) -> Event:
    # Most turns are never read, so the event of an intent is made when somebody asks for it.
    return invoked_event(entry) if isinstance(entry, CallIntent) else entry


def _cost(call_class: CallClass, costs: list[int | None]) -> ClassCost:
    known = [cost for cost in costs if cost is not None]
    return ClassCost(call_class, len(costs), sum(known) if known else None, len(costs) - len(known))
