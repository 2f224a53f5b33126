"""A source of answers that gives what was recorded, and calls nobody. What is made of it is the report's."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from pleach_runtime.answers import Answer
from pleach_runtime.audit import AuditableCall, Draft
from pleach_runtime.errors import ReplayDivergence
from pleach_runtime.provider import ProviderResponse, RetryableError
from pleach_runtime.replaying.order import PATIENCE_SECONDS, RecordedOrder
from pleach_runtime.replaying.record import AttemptKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pleach_runtime.answers import Tell
    from pleach_runtime.audit import CallIntent
    from pleach_runtime.replaying.record import RecordedTurn
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams.classes import CallClass


class RecordedFailure(Exception):  # noqa: N818 - it is what happened, not what is wrong now
    """A provider failed here when the turn was recorded; another model would not have helped."""


class PassingRecordedFailure(RecordedFailure, RetryableError):  # noqa: N818 - as above
    """A provider failed here when the turn was recorded; another model was tried, or would have been."""


class FromRecord:
    """Answers each attempt as the one of the same stage, fingerprint and occurrence was answered."""

    def __init__(self, record: RecordedTurn, cells: Mapping[CallClass, Sequence[str]]) -> None:
        self.record = record
        self.divergences: list[ReplayDivergence] = []
        """What was asked and could not be answered from the record, in the order in which it was asked."""
        self.keys: dict[str, AttemptKey] = {}
        """The key of each attempt of the replay, by call id."""
        self._cells = cells
        self._order = RecordedOrder(record)
        self._asked: Counter[tuple[str, str]] = Counter()

    @property
    def unconsumed(self) -> tuple[CallIntent | AuditableCall, ...]:
        """Attempts of the record that nobody has asked for, in the order of their starts."""
        asked = set(self.keys.values())
        return tuple(attempt for key, attempt in self.record.attempts.items() if key not in asked)

    async def answer(self, intent: CallIntent, _request: SeamRequest, _tell: Tell | None = None, /) -> Answer:
        """See `Answers.answer`. A stream is shown in one piece.

        Raises:
            ReplayDivergence: if no such attempt is recorded, or it was not answered. It is kept in `divergences` too.
            RecordedFailure: if the recorded attempt failed.
        """
        key = self._key_of(intent)
        recorded = self.record.attempts.get(key)
        if not isinstance(recorded, AuditableCall):
            raise self._divergence(intent, key, "it is not recorded" if recorded is None else "it has no row")
        if recorded.outcome == "aborted":
            await self._be_cancelled(key)
        if recorded.outcome in ("aborted", "unknown"):
            raise self._divergence(intent, key, f"it ended without an answer, as {recorded.outcome}")
        await self._order.turn_of(key)
        if recorded.outcome == "error":
            raise self._failure(recorded)
        return _answer(recorded)

    def _divergence(self, intent: CallIntent, key: AttemptKey, problem: str) -> ReplayDivergence:
        divergence = ReplayDivergence(intent.turn_id, *key, problem)
        self.divergences.append(divergence)
        self._order.give_up()
        return divergence

    def _key_of(self, intent: CallIntent) -> AttemptKey:
        place = intent.call.stage_id, intent.fingerprint
        self._asked[place] += 1
        key = self.keys[intent.call_id] = AttemptKey(*place, self._asked[place])
        self._order.start(key)
        return key

    async def _be_cancelled(self, key: AttemptKey) -> None:
        """Wait for the program to cancel the attempt, as it did, or as long as it is worth waiting for that."""
        try:
            await asyncio.sleep(PATIENCE_SECONDS)
        finally:
            self._order.end(key)

    def _failure(self, row: AuditableCall) -> RecordedFailure:
        passed_on = self.record.was_passed_on(row, self._cells[row.call.call_class])
        return PassingRecordedFailure(row.call_id) if passed_on else RecordedFailure(row.call_id)


def _answer(row: AuditableCall) -> Answer:
    draft = row.draft or Draft()
    response = ProviderResponse(draft, row.usage, row.served_model, row.provider_response_id, row.token_cost)
    return Answer(response, cached=row.cache_hit, outcome=row.outcome)
