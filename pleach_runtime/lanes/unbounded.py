"""Lanes without slots: calls as often as wanted, or up to a bound per turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.errors import ConverseBoundExceeded, LandingError, ProviderError
from pleach_runtime.events import REJECTED, Event, event_kind
from pleach_runtime.fingerprint import request_digest
from pleach_runtime.lanes.cascade import Cascade
from pleach_runtime.seams.seam import CallRecord
from pleach_runtime.streams.verdicts import StreamVerdict

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.caps import Cap
    from pleach_runtime.flights import FlightBoard
    from pleach_runtime.lanes.attempts import Attempts
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams.classes import CallClass
    from pleach_runtime.seams.seam import SeamCall
    from pleach_runtime.streams.sink import StreamSink


@dataclass(frozen=True)
class UnboundedLane:
    """Every call is carried out for itself, and a message id is only a label."""

    attempts: Attempts
    flights: FlightBoard
    max_retries: int
    """How often a streamed call is made again because an observer wants another answer."""

    async def run(self, call_class: CallClass, call: SeamCall, /) -> CallRecord:
        """See `Lane.run`."""
        call.turn.require_open(self.attempts.ledger)
        if call.landing:
            raise LandingError(f"a {call_class} call cannot land the answer of turn {call.turn.turn_id!r}")
        cascade, request, retries = Cascade(self.attempts, call_class, call), call.request, 0
        under_way = self.flights.begin(call.hurry)
        try:
            while True:
                row = await self._attempt(cascade, request, call.sink)
                if row is None:
                    continue
                if row.draft is None or retries == self.max_retries or not _is_turned_down(call.sink):
                    return CallRecord(row, recorded=False)
                retries += 1
                request = self.attempts.nudged(call.request, row, row.draft)
        finally:
            self.flights.end(under_way)

    async def _attempt(self, cascade: Cascade, request: SeamRequest, sink: StreamSink | None) -> AuditableCall | None:
        """Return the row of an answer, or `None` if another rung is to be tried."""
        intent = cascade.intent(request_digest(request))
        await self.attempts.begin(intent)
        try:
            return await self.attempts.carry_out(intent, request, sink)
        except ProviderError as error:
            await cascade.step_down(error)
            return None


def _is_turned_down(sink: StreamSink | None) -> bool:
    return sink is not None and sink.verdict is StreamVerdict.RETRY


@dataclass(frozen=True)
class BoundedLane:
    """Lets so many calls per turn through to the lane behind it.

    The count is kept by the process, and starts from the recorded rows when a turn is resumed. A failed call counts.
    """

    behind: UnboundedLane
    bound: Cap

    async def run(self, call_class: CallClass, call: SeamCall, /) -> CallRecord:
        """See `Lane.run`."""
        attempts, turn = self.behind.attempts, call.turn
        turn.require_open(attempts.ledger)
        if turn.state.take(call_class, self.bound):
            return await self.behind.run(call_class, call)
        error = ConverseBoundExceeded(turn.turn_id, self.bound)
        rejected = Event(
            kind=event_kind(call_class, REJECTED),
            turn_id=turn.turn_id,
            message_id=call.message_id,
            payload={"error": type(error).__name__},
            at=attempts.hooks.clock(),
        )
        await attempts.ledger.append_event(rejected)
        raise error
