"""Turns: the explicit scope of every call. No context variable carries one."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import TYPE_CHECKING

from pleach_runtime.errors import TurnBusy, TurnClosed, TurnError
from pleach_runtime.events import TURN_CLOSED, Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.caps import Cap
    from pleach_runtime.ledger.protocol import ClassCost, Ledger, TurnRecord
    from pleach_runtime.probe import ProbedCounter
    from pleach_runtime.seams.classes import CallClass


class TurnState:
    """What the handles of one turn share in one runtime. Safe between threads."""

    def __init__(self) -> None:
        self.handles = 1
        self._lock = threading.Lock()
        self._made: Counter[CallClass] = Counter()
        self._resumed = False
        self._landing_locks: dict[asyncio.AbstractEventLoop, asyncio.Lock] = {}

    def resume(self, rows: Iterable[AuditableCall]) -> None:
        """Count the calls that were recorded before this runtime opened the turn. Only the first time counts."""
        with self._lock:
            if not self._resumed:
                self._made.update(row.call.call_class for row in rows if row.attempt == 1)
            self._resumed = True

    def take(self, call_class: CallClass, bound: Cap) -> bool:
        """Count one more call of this class, or return False if the turn has made as many as the bound."""
        with self._lock:
            if self._made[call_class] >= bound:
                return False
            self._made[call_class] += 1
            return True

    def landing_lock(self) -> asyncio.Lock:
        """Return the lock under which calls of the running loop land, one at a time.

        Each loop has its own: an asyncio lock that two loops share can hang. Between loops the ledger decides.
        """
        loop = asyncio.get_running_loop()
        with self._lock:
            return self._landing_locks.setdefault(loop, asyncio.Lock())


class OpenTurns:
    """The turns that are open in one runtime. The state of a turn is dropped with its last handle."""

    def __init__(self, counter: ProbedCounter | None) -> None:
        self._counter = counter
        self._one_at_a_time = counter is not None and not counter.tells_turns_apart
        self._lock = threading.Lock()
        self._states: dict[str, TurnState] = {}

    def enter(self, turn_id: str) -> TurnState:
        """Take a handle on a turn.

        Raises:
            TurnBusy: if another turn is open and the counter cannot tell turns apart.
        """
        with self._lock:
            state = self._states.get(turn_id)
            if state is not None:
                state.handles += 1
                return state
            if self._one_at_a_time and self._states:
                raise TurnBusy(turn_id, next(iter(self._states)))
            return self._states.setdefault(turn_id, TurnState())

    def leave(self, turn_id: str) -> None:
        """Give a handle back."""
        with self._lock:
            state = self._states[turn_id]
            state.handles -= 1
            if state.handles:
                return
            del self._states[turn_id]
        if self._counter is not None:
            self._counter.forget_turn(turn_id)


class Turn:
    """One turn of a chat, opened by `SessionRuntime.turn`. Belongs to the event loop that opened it.

    Several handles of one turn may be open at once, here and in other processes: they share its slots.
    """

    def __init__(
        self, record: TurnRecord, state: TurnState, ledger: Ledger, on_close: Callable[[str], datetime]
    ) -> None:
        self.record = record
        self.state = state
        self._ledger = ledger
        self._on_close = on_close
        self._open = True

    @property
    def turn_id(self) -> str:
        """The id of the turn."""
        return self.record.turn_id

    @property
    def synthesize_cap(self) -> Cap:
        """The cap in force: that of the runtime which opened the turn first."""
        return self.record.synthesize_cap

    async def calls(self) -> tuple[AuditableCall, ...]:
        """Return the audit rows of the turn, in the order in which they were recorded."""
        return await self._ledger.calls(self.turn_id)

    async def rollup(self) -> tuple[ClassCost, ...]:
        """Return what the turn has cost so far, per class."""
        return await self._ledger.rollup(self.turn_id)

    async def close(self, *, passthrough: bool = False) -> None:
        """End the turn for this handle; a second call does nothing.

        Args:
            passthrough: whether the turn ends with the model's first draft shown as it is, without a synthesized
                answer. It is recorded, so that a turn without a terminal row can be told from one that broke off.
        """
        if not self._open:
            return
        self._open = False
        at = self._on_close(self.turn_id)
        event = Event(kind=TURN_CLOSED, turn_id=self.turn_id, payload={"passthrough": passthrough}, at=at)
        await self._ledger.close_turn(self.turn_id, event)

    def require_open(self, ledger: Ledger) -> None:
        """Check that calls recorded in this ledger may be made on the turn.

        Raises:
            TurnClosed: if it is closed.
            TurnError: if it was opened by a runtime with another ledger.
        """
        if not self._open:
            raise TurnClosed(self.turn_id)
        if ledger is not self._ledger:
            raise TurnError(f"turn {self.turn_id!r} was opened by another runtime")
