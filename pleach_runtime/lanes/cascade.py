"""The cascade: one call's way down the rungs of its cell. It never leaves the family, whatever fails."""

from __future__ import annotations

import logging
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pleach_runtime.errors import FamilyExhausted
from pleach_runtime.events import FAMILY_EXHAUSTED, Event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_runtime.audit import AuditableCall, CallIntent
    from pleach_runtime.errors import ProviderError
    from pleach_runtime.lanes.attempts import Attempts
    from pleach_runtime.matrix import FamilyLock
    from pleach_runtime.seams.classes import CallClass
    from pleach_runtime.seams.seam import SeamCall

_LOG: Final = logging.getLogger("pleach_runtime")


class Cascade:
    """Where a call stands on the rungs of its class. One for each delivery; belongs to one task."""

    def __init__(self, attempts: Attempts, call_class: CallClass, call: SeamCall) -> None:
        self._attempts = attempts
        self._call = call
        self._rungs = attempts.router.rungs(call_class)
        self._position = 0
        self._first: CallIntent | None = None
        self._made = 0
        self.passed_over = 0
        """Attempts at the message that were passed on to the next rung: no retries, and not counted as such."""

    def intent(self, digest: bytes) -> CallIntent:
        """Return the intent of an attempt on the rung in turn.

        Args:
            digest: `request_digest` of what will be asked.
        """
        intent = self._attempts.intent(self._rungs[self._position], self._call, digest)
        self._made += 1
        if self._first is None:
            self._first = intent
            return intent
        again = {"message_id": self._first.message_id, "attempt": self._made}
        return intent.model_copy(update=again)

    async def step_down(self, error: ProviderError) -> None:
        """Go to the next rung after a failed attempt. Not to be called once anything of an answer was shown.

        Raises:
            ProviderError: the error itself, if another rung would not help or there is no matrix.
            FamilyExhausted: if that was the last rung; an event and the log say so.
        """
        lock = self._attempts.router.lock
        if lock is None or not error.retryable:
            raise error
        if self._position + 1 == len(self._rungs):
            raise await self._exhausted(error, lock) from error.__cause__
        self._position += 1
        self.passed_over += 1

    async def recall(self) -> bool:
        """Count the recorded attempts at the message that were passed on; return whether there are more than known."""
        rows = await self._attempts.ledger.calls(self._call.turn.turn_id)
        of_message = [row for row in rows if row.message_id == self._call.message_id]
        known, self.passed_over = self.passed_over, self._count_passed(of_message)
        return self.passed_over > known

    def _count_passed(self, rows: Sequence[AuditableCall]) -> int:
        family = self._rungs[0].family
        below = set(pairwise(rung.model for rung in self._rungs))
        ours = [row.call.requested_model for row in rows if row.call.family == family]
        return len(rows) - len(ours) + sum(step in below for step in pairwise(ours))

    async def _exhausted(self, error: ProviderError, lock: FamilyLock) -> FamilyExhausted:
        exhausted = FamilyExhausted(
            turn_id=error.turn_id,
            message_id=error.message_id,
            call_id=error.call_id,
            attempt=error.attempt,
            reason=error.reason,
            retryable=True,
            call_class=self._rungs[0].call_class,
            models=tuple(rung.model for rung in self._rungs),
            affordance=lock.pick,
        )
        _LOG.warning("%s %s", FAMILY_EXHAUSTED, exhausted)
        await self._attempts.ledger.append_event(self._event(exhausted))
        return exhausted

    def _event(self, exhausted: FamilyExhausted) -> Event:
        return Event(
            kind=FAMILY_EXHAUSTED,
            turn_id=exhausted.turn_id,
            message_id=exhausted.message_id,
            call_id=exhausted.call_id,
            payload={
                "callClass": exhausted.call_class,
                "family": exhausted.affordance.exhausted,
                "models": list(exhausted.models),
                "choices": list(exhausted.affordance.choices),
            },
            at=self._attempts.hooks.clock(),
        )
