"""Audit rows out of an intent and its ending: the one place that builds a row, or marks one terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pleach_runtime.audit import UNKNOWN_USAGE, AuditableCall, SynthesisQuality
from pleach_runtime.seams.classes import is_synthesize

if TYPE_CHECKING:
    from datetime import datetime

    from pleach_runtime.audit import CallIntent, Draft, Outcome, TokenUsage


class Ending(NamedTuple):
    """How an attempt ended. The fields mean what they mean on `AuditableCall`."""

    outcome: Outcome
    ended_at: datetime
    draft: Draft | None = None
    served_model: str | None = None
    provider_response_id: str | None = None
    usage: TokenUsage = UNKNOWN_USAGE
    token_cost: int | None = None
    cache_hit: bool = False


def row_of(intent: CallIntent, ending: Ending) -> AuditableCall:
    """Return the row of an attempt.

    Args:
        intent: what was recorded before the provider was called.
        ending: how it ended.

    Raises:
        ValidationError: if the ending is none that a row can say.
    """
    return AuditableCall(
        call_id=intent.call_id,
        chat_id=intent.chat_id,
        turn_id=intent.turn_id,
        turn_message_id=intent.turn_message_id,
        message_id=intent.message_id,
        attempt=intent.attempt,
        call=intent.call,
        fingerprint=intent.fingerprint,
        synthesize_cap=intent.synthesize_cap,
        started_at=intent.started_at,
        outcome=ending.outcome,
        served_model=ending.served_model,
        provider_response_id=ending.provider_response_id,
        usage=ending.usage,
        token_cost=ending.token_cost,
        cache_hit=ending.cache_hit,
        synthesis_quality=_quality(intent, ending.outcome),
        draft=ending.draft,
        ended_at=ending.ended_at,
    )


def unknown_row(intent: CallIntent, ended_at: datetime) -> AuditableCall:
    """Return the row that says that nobody knows how this attempt ended: no tokens, no cost, no draft."""
    return row_of(intent, Ending("unknown", ended_at))


def superseded(row: AuditableCall) -> AuditableCall:
    """Return a terminal row as it is kept when another call has landed the answer first."""
    quality = SynthesisQuality(terminal_synthesis=False, landing=True, reason="superseded")
    return row.model_copy(update={"synthesis_quality": quality})


def _quality(intent: CallIntent, outcome: Outcome) -> SynthesisQuality | None:
    if not is_synthesize(intent.call.call_class):
        return None
    return SynthesisQuality(terminal_synthesis=intent.landing and outcome == "ok", landing=intent.landing)
