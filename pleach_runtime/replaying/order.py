"""The order of a recorded turn, kept in its replay. Without it concurrent calls would overtake each other."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final

from pleach_runtime.audit import AuditableCall

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pleach_runtime.replaying.record import AttemptKey, RecordedTurn

PATIENCE_SECONDS: Final = 1.0
"""How long an attempt waits for what had happened before it ended, in case the program does not do it any more."""
_END, _START = 0, 1


class RecordedOrder:
    """Lets attempts end as they ended: in that order, and each once all have started that had started by then.

    An attempt that started before another one ended did not depend on its answer, so it will start without it. If it
    does not come in time, the program is another one, and there is no order to keep.
    """

    def __init__(self, record: RecordedTurn) -> None:
        # An end at the same moment as a start comes first: the start may be what was made of the answer.
        self._steps = deque(sorted(_steps(record)))
        self._started: set[AttemptKey] = set()
        self._ended: set[AttemptKey] = set()
        self._waiting: dict[AttemptKey, asyncio.Future[None]] = {}
        self._let_go = 0

    def start(self, key: AttemptKey) -> None:
        """Note that an attempt has started."""
        self._started.add(key)
        self._advance()

    def end(self, key: AttemptKey) -> None:
        """Note that an attempt has ended without waiting for its turn."""
        self._ended.add(key)
        self._advance()

    async def turn_of(self, key: AttemptKey) -> None:
        """Wait until it is the turn of a recorded attempt to end."""
        turn = self._waiting[key] = asyncio.get_running_loop().create_future()
        self._advance()
        try:
            # Who ended at once when recorded lets nobody else run meanwhile; but nobody overtakes those let go before.
            if not turn.done() or self._let_go > 1:
                await asyncio.wait([turn], timeout=PATIENCE_SECONDS)
            if not turn.done():
                self.give_up()
        finally:
            self._waiting.pop(key, None)
            self._let_go -= turn.done()
            self.end(key)

    def give_up(self) -> None:
        """Let everything end at once from now on."""
        self._steps.clear()
        self._advance()

    def _advance(self) -> None:
        while self._steps and self._is_done(*self._steps[0][1:]):
            self._steps.popleft()
        if not self._steps:
            for key in tuple(self._waiting):
                self._release(key)

    def _is_done(self, kind: int, key: AttemptKey) -> bool:
        if kind == _START:
            return key in self._started
        return key in self._ended or self._release(key)

    def _release(self, key: AttemptKey) -> bool:
        turn = self._waiting.pop(key, None)
        if turn is None:
            return False
        self._let_go += 1
        turn.set_result(None)
        return True


def _steps(record: RecordedTurn) -> Iterator[tuple[datetime, int, AttemptKey]]:
    for key, attempt in record.attempts.items():
        yield attempt.started_at, _START, key
        if isinstance(attempt, AuditableCall) and attempt.outcome != "unknown":
            yield attempt.ended_at, _END, key
