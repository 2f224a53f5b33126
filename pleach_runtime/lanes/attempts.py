"""One attempt: an intent before the provider is called, exactly one row after. Whether to try is the lanes' to say."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from pleach_runtime.audit import CallIntent, CallSubject
from pleach_runtime.errors import (
    HookError,
    LedgerConflict,
    ProviderError,
    StreamAborted,
    TerminalConflict,
)
from pleach_runtime.events import LATE, Event, event_kind
from pleach_runtime.fingerprint import fingerprint, request_digest
from pleach_runtime.hooks import calling_hook, hook_error, utc_now
from pleach_runtime.lanes.streamed import streamed_answer, usage_so_far
from pleach_runtime.ledger.reservation import Granted
from pleach_runtime.provider import is_retryable
from pleach_runtime.seams.rows import Ending, row_of, superseded

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from pleach_runtime.answers import Answer, Answers
    from pleach_runtime.audit import AuditableCall, Draft, Outcome
    from pleach_runtime.hooks import RuntimeHooks
    from pleach_runtime.ledger.protocol import Ledger
    from pleach_runtime.ledger.reservation import Reservation, ReservationVerdict
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.routing import ResolvedModel, RoutingDecisionEngine
    from pleach_runtime.seams.classes import CallClass
    from pleach_runtime.seams.seam import SeamCall
    from pleach_runtime.streams.sink import StreamSink

T = TypeVar("T")
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class Attempts:
    """Makes and records attempts."""

    answers: Answers
    ledger: Ledger
    router: RoutingDecisionEngine
    hooks: RuntimeHooks

    def intent(self, resolved: ResolvedModel[CallClass], call: SeamCall, digest: bytes) -> CallIntent:
        """Return the intent of a first attempt.

        Args:
            resolved: where the call goes.
            call: the call as it was made.
            digest: `request_digest` of what will be asked.

        Raises:
            HookError: if `mint_id` or `clock` fails.
        """
        turn = call.turn.record
        hook = "mint_id"
        try:
            call_id = self.hooks.mint_id()
            hook = "clock"
            started_at = self.hooks.clock()
        except Exception as error:
            raise hook_error(hook, turn.turn_id, call.message_id, error) from error
        return CallIntent(
            call_id=call_id,
            chat_id=turn.chat_id,
            turn_id=turn.turn_id,
            turn_message_id=turn.turn_message_id,
            message_id=call_id if call.message_id is None else call.message_id,
            attempt=1,
            call=_subject(resolved, call.stage_id),
            fingerprint=fingerprint(digest, resolved),
            synthesize_cap=turn.synthesize_cap,
            started_at=started_at,
            landing=bool(call.landing),
        )

    def nudged(self, request: SeamRequest, row: AuditableCall, draft: Draft) -> SeamRequest:
        """Return what to ask instead of a request whose answer is weak.

        Args:
            request: as the caller gave it.
            row: the attempt that gave the answer.
            draft: the answer.

        Raises:
            HookError: if the nudge fails, or gives back what cannot be asked.
        """
        with calling_hook("nudge", row.turn_id, row.message_id):
            asked = self.hooks.nudge(request, draft)
            request_digest(asked)
        return asked

    async def reserve(self, wish: Reservation) -> ReservationVerdict:
        """Ask the ledger for a slot. If the caller goes away meanwhile, a slot that was granted is closed as `aborted`.

        Without that, the message would look as if it were still being answered until it is old enough for recovery.
        """
        reserving = asyncio.ensure_future(self.ledger.reserve(wish))
        try:
            return await asyncio.shield(reserving)
        except asyncio.CancelledError:
            verdict = await _to_the_end(reserving)
            if isinstance(verdict, Granted):
                await self._record(self._without_answer(verdict.intent, "aborted"))
            raise

    async def begin(self, intent: CallIntent) -> None:
        """Record the intent of a call that needs no slot. If the caller goes away meanwhile, close it as `aborted`."""
        try:
            await self.ledger.begin(intent)
        except asyncio.CancelledError:
            await _to_the_end(self._begin_aborted(intent))
            raise

    async def carry_out(
        self, intent: CallIntent, request: SeamRequest, sink: StreamSink | None = None
    ) -> AuditableCall:
        """Get the answer to an intent that is recorded, and append the row.

        Args:
            intent: the attempt.
            request: what is asked.
            sink: takes the text on the way; `None` if nobody reads along.

        Raises:
            StreamAborted: if an observer has aborted the answer; the row says `aborted`, and has no text.
            ProviderError: if the provider, or a hook that looks at its answer, fails or says what no row can hold; the
                row says `error`.
            TerminalConflict: if another call has landed meanwhile; the row is kept as superseded.
            LedgerConflict: if recovery has closed the attempt meanwhile; an event keeps the row.
            LedgerUnavailable: if the row cannot be recorded; recovery will close the attempt.
        """
        answer = None
        try:
            answer = await self._answer(intent, request, sink)
            row = row_of(intent, self._ending(intent, answer))
        except Exception as error:
            await self._record(self._without_answer(intent, "error", sink), error)
            passing = answer is None and is_retryable(error) and not (sink and sink.shown)
            raise _provider_error(intent, error, retryable=passing) from error
        except BaseException as error:
            await self._record(self._without_answer(intent, "aborted", sink), error)
            raise
        await self._record(row)
        if sink is not None and row.outcome == "aborted":
            raise StreamAborted(row.turn_id, row.message_id, row.call_id, sink.reason)
        return row

    async def _answer(self, intent: CallIntent, request: SeamRequest, sink: StreamSink | None) -> Answer:
        if sink is None:
            return await self.answers.answer(intent, request)
        return await streamed_answer(self.answers, intent, request, sink)

    def _ending(self, intent: CallIntent, answer: Answer) -> Ending:
        response = answer.response
        model = response.model or intent.call.requested_model
        hook = "judge"
        try:
            outcome = answer.outcome or self.hooks.judge(response.draft)
            hook = "price"
            cost = self.hooks.price(model, response.usage) if response.token_cost is None else response.token_cost
            hook = "clock"
            ended_at = self.hooks.clock()
        except Exception as error:
            raise hook_error(hook, intent.turn_id, intent.message_id, error) from error
        return Ending(
            outcome=outcome,
            ended_at=ended_at,
            draft=None if outcome == "aborted" else response.draft,
            served_model=response.model,
            provider_response_id=response.response_id,
            usage=response.usage,
            token_cost=cost,
            cache_hit=answer.cached,
        )

    def _without_answer(self, intent: CallIntent, outcome: Outcome, sink: StreamSink | None = None) -> AuditableCall:
        usage = usage_so_far(sink)
        try:
            return row_of(intent, Ending(outcome, self.hooks.clock(), usage=usage))
        except Exception:  # noqa: BLE001 - code of the host, after the call is paid
            # A call without a row would hold its message up until recovery.
            _LOG.exception("the hook 'clock' failed for call %s", intent.call_id)
            return row_of(intent, Ending(outcome, utc_now(), usage=usage))

    async def _begin_aborted(self, intent: CallIntent) -> None:
        # The intent is there or it is not: a conflict says that it is.
        with suppress(LedgerConflict):
            await self.ledger.begin(intent)
        await self._append(self._without_answer(intent, "aborted"))

    async def _record(self, row: AuditableCall, error: BaseException | None = None) -> AuditableCall:
        try:
            return await self._append(row, error)
        except asyncio.CancelledError:
            # The row is there or it is not; to append it again is right either way.
            await _to_the_end(self._append(row, error))
            raise

    async def _append(self, row: AuditableCall, error: BaseException | None = None) -> AuditableCall:
        try:
            await self.ledger.append(row)
        except TerminalConflict:
            await self._append(superseded(row))
            raise
        except LedgerConflict:
            await self.ledger.append_event(self._late_event(row))
            raise
        self._tell(row, error)
        return row

    def _tell(self, row: AuditableCall, error: BaseException | None) -> None:
        if self.hooks.on_row is not None:
            try:
                self.hooks.on_row(row, error)
            except Exception:  # noqa: BLE001 - code of the host, after the call is paid and recorded
                _LOG.exception("on_row failed for call %s; its row is recorded", row.call_id)

    def _late_event(self, row: AuditableCall) -> Event:
        return Event(
            kind=event_kind(row.call.call_class, LATE),
            turn_id=row.turn_id,
            message_id=row.message_id,
            call_id=row.call_id,
            payload=row.model_dump(mode="json"),
            at=self.hooks.clock(),
        )


async def _to_the_end(work: Awaitable[T]) -> T:
    """Wait until the work is done, however often the wait is cancelled, and return what came of it."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([task])
    return task.result()


@lru_cache(maxsize=1024)
def _subject(resolved: ResolvedModel[CallClass], stage_id: str) -> CallSubject:
    return CallSubject(
        call_class=resolved.call_class,
        stage_id=stage_id,
        family=resolved.family,
        provider=resolved.provider,
        requested_model=resolved.model,
    )


def _provider_error(intent: CallIntent, error: Exception, *, retryable: bool) -> ProviderError:
    return ProviderError(
        turn_id=intent.turn_id,
        message_id=intent.message_id,
        call_id=intent.call_id,
        attempt=intent.attempt,
        reason=error.problem if isinstance(error, HookError) else type(error).__name__,
        retryable=retryable,
    )
