"""The lane of the answer: a slot is reserved before the provider is called, and a message is answered once."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pleach_runtime.audit import AuditableCall
from pleach_runtime.caps import cap_to_json
from pleach_runtime.errors import (
    DuplicateInFlight,
    LandingUnspecified,
    MessageIdConflict,
    ProviderError,
    RecoveryExhausted,
    SynthesizeCapExceeded,
    TerminalAlreadyLanded,
)
from pleach_runtime.events import DUPLICATE, REJECTED, Event, event_kind
from pleach_runtime.fingerprint import request_digest
from pleach_runtime.flights import FlightKey
from pleach_runtime.hooks import calling_hook
from pleach_runtime.lanes.cascade import Cascade
from pleach_runtime.ledger.reservation import (
    WEAK,
    Conflict,
    Exhausted,
    Finished,
    Granted,
    InFlight,
    Landed,
    Reservation,
    Spent,
)
from pleach_runtime.seams.seam import CallRecord

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from pydantic import JsonValue

    from pleach_runtime.audit import CallIntent
    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.errors import PleachError
    from pleach_runtime.flights import FlightBoard
    from pleach_runtime.lanes.attempts import Attempts
    from pleach_runtime.ledger.reservation import Refusal
    from pleach_runtime.probe import ProbedCounter
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams.classes import CallClass
    from pleach_runtime.seams.seam import SeamCall

_POLL_SECONDS: Final = 0.05
"""How often a duplicate looks whether another process has finished."""


@dataclass(frozen=True)
class CountedLane:
    """Answers each message once, within the slots of its turn."""

    attempts: Attempts
    flights: FlightBoard
    config: SessionRuntimeConfig
    counter: ProbedCounter | None

    async def run(self, call_class: CallClass, call: SeamCall, /) -> CallRecord:
        """See `Lane.run`. A delivery of a message that is under way on this event loop joins it."""
        call.turn.require_open(self.attempts.ledger)
        message_id = self._minted(call) if call.message_id is None else call.message_id
        known = replace(call, message_id=message_id, landing=_lands(call))
        delivery = _Delivery(self, call_class, known, message_id, request_digest(call.request))
        flight = self.flights.find(delivery.key)
        if flight is None:
            flight = self.flights.start(delivery.key, delivery.digest.hex(), delivery.answer, call.hurry)
            return await self.flights.join(flight)
        if flight.request_digest != delivery.digest.hex():
            return await delivery.refuse(Conflict(flight.request_digest))
        record = await self.flights.join(flight)
        return await delivery.answered_by(record.row)

    def _minted(self, call: SeamCall) -> str:
        with calling_hook("mint_id", call.turn.turn_id, None):
            return self.attempts.hooks.mint_id()


def _lands(call: SeamCall) -> bool:
    if call.landing is not None:
        return call.landing
    if call.turn.synthesize_cap != 1:
        raise LandingUnspecified(call.turn.turn_id, call.turn.synthesize_cap)
    return True


@dataclass(frozen=True)
class _Delivery:
    lane: CountedLane
    call_class: CallClass
    call: SeamCall
    message_id: str
    digest: bytes

    @property
    def turn_id(self) -> str:
        return self.call.turn.turn_id

    @property
    def key(self) -> FlightKey:
        return FlightKey(asyncio.get_running_loop(), self.turn_id, self.message_id)

    async def answer(self) -> CallRecord:
        async with self._landing_lock():
            cascade = Cascade(self.lane.attempts, self.call_class, self.call)
            request, digest = self.call.request, self.digest
            while True:
                verdict = await self._verdict(cascade, digest)
                if isinstance(verdict, Finished):
                    return await self.answered_by(verdict.row)
                if not isinstance(verdict, Granted):
                    return await self.refuse(verdict)
                row = await self._attempt(cascade, verdict.intent, request)
                if row is None:
                    continue
                if row.draft is None or not self._may_recover(row, cascade):
                    return CallRecord(row, recorded=False)
                request = self.lane.attempts.nudged(self.call.request, row, row.draft)
                digest = request_digest(request)

    async def answered_by(self, row: AuditableCall) -> CallRecord:
        await self._note(DUPLICATE, {}, call_id=row.call_id)
        return CallRecord(row, recorded=True)

    async def refuse(self, verdict: Refusal) -> CallRecord:
        error = await self._error_of(verdict)
        payload: dict[str, JsonValue] = {"error": type(error).__name__}
        if isinstance(error, SynthesizeCapExceeded):
            payload |= {"cap": cap_to_json(error.cap), "used": error.used}
        await self._note(REJECTED, payload)
        instead = self._instead(error) if isinstance(error, SynthesizeCapExceeded) else None
        if instead is None:
            raise error
        return CallRecord(instead, recorded=True)

    def _instead(self, error: SynthesizeCapExceeded) -> AuditableCall | None:
        on_cap = self.lane.attempts.hooks.on_cap
        if on_cap is None:
            return None
        with calling_hook("on_cap", self.turn_id, self.message_id):
            try:
                instead = on_cap(error)
            except SynthesizeCapExceeded:
                return None
            if not isinstance(instead, AuditableCall | None):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped code
                raise TypeError(f"it gave back {type(instead).__name__}, which is no recorded call")
            return instead

    def _max_attempts(self, cascade: Cascade) -> int:
        return 1 + self.lane.config.max_recovery_attempts + cascade.passed_over

    def _may_recover(self, row: AuditableCall, cascade: Cascade) -> bool:
        # What a user has read cannot be answered anew.
        shown = self.call.sink is not None and self.call.sink.shown
        return row.outcome in WEAK and row.attempt < self._max_attempts(cascade) and not shown

    def _landing_lock(self) -> AbstractAsyncContextManager[object]:
        # At cap 1 only one message ever holds a slot, so nobody needs to wait to be refused.
        one_by_one = self.call.landing and self.call.turn.synthesize_cap != 1
        return self.call.turn.state.landing_lock() if one_by_one else nullcontext()

    async def _attempt(self, cascade: Cascade, intent: CallIntent, request: SeamRequest) -> AuditableCall | None:
        """Return the row of an answer, or `None` if another rung is to be tried."""
        try:
            return await self.lane.attempts.carry_out(intent, request, self.call.sink)
        except ProviderError as error:
            await cascade.step_down(error)
            return None

    async def _verdict(self, cascade: Cascade, digest: bytes) -> Granted | Finished | Refusal:
        verdict = await self._reserve(cascade, digest)
        if isinstance(verdict, Spent) and await cascade.recall():
            return await self._reserve(cascade, digest)
        return verdict

    async def _reserve(self, cascade: Cascade, digest: bytes) -> Granted | Finished | Refusal:
        ledger, hooks, config = self.lane.attempts.ledger, self.lane.attempts.hooks, self.lane.config
        waited = 0.0
        while isinstance(verdict := await self.lane.attempts.reserve(self._wish(cascade, digest)), InFlight):
            now = hooks.clock()
            orphaned = now - timedelta(seconds=config.orphan_after_seconds)
            if verdict.started_at < orphaned:
                await ledger.recover(started_before=orphaned, ended_at=now, turn_id=self.turn_id)
            elif waited >= config.join_timeout_seconds:
                raise DuplicateInFlight(self.turn_id, self.message_id, waited)
            else:
                await asyncio.sleep(_POLL_SECONDS)
                waited += _POLL_SECONDS
        return verdict

    def _wish(self, cascade: Cascade, digest: bytes) -> Reservation:
        return Reservation(cascade.intent(digest), self.digest.hex(), self._max_attempts(cascade), self._admit)

    def _admit(self) -> bool:
        return self.lane.counter is None or self.lane.counter.should_allow(self.turn_id, self.message_id)

    async def _error_of(self, verdict: Refusal) -> PleachError:
        if isinstance(verdict, Exhausted):
            rows = await self.lane.attempts.ledger.calls(self.turn_id)
            last = next((row for row in reversed(rows) if row.call.call_class == self.call_class), None)
            return SynthesizeCapExceeded(self.turn_id, self.message_id, verdict.cap, verdict.used, last)
        if isinstance(verdict, Conflict):
            return MessageIdConflict(self.turn_id, self.message_id, verdict.recorded_digest, self.digest.hex())
        if isinstance(verdict, Landed):
            return TerminalAlreadyLanded(self.turn_id, self.message_id, verdict.terminal_call_id)
        return RecoveryExhausted(self.turn_id, self.message_id, verdict.attempts)

    async def _note(self, suffix: str, payload: dict[str, JsonValue], call_id: str | None = None) -> None:
        event = Event(
            kind=event_kind(self.call_class, suffix),
            turn_id=self.turn_id,
            message_id=self.message_id,
            call_id=call_id,
            payload=payload,
            at=self.lane.attempts.hooks.clock(),
        )
        await self.lane.attempts.ledger.append_event(event)
