"""OpenTelemetry: one span per recorded attempt. Needs the extra `otel`; loads the API only, never an SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from opentelemetry.trace import TracerProvider
    from opentelemetry.util.types import AttributeValue

    from pleach_runtime.audit import AuditableCall

_OPERATION: Final = "chat"
_FAILED: Final = frozenset({"error", "aborted"})


class AttemptSpans:
    """Makes a span of every row: `RuntimeHooks(on_row=AttemptSpans())`.

    A span has the times of its row and the parent that is current where the call is made; it is a leaf, made when the
    attempt is over. Neither what was asked nor what was answered is on it, nor the message of an exception, which may
    quote both. Only these spans carry token counts, so that a sum over all spans counts nothing twice.

    Source: OpenTelemetry's semantic conventions for generative AI, "Inference"; `pleach.*` is what they have no name
    for.
    """

    def __init__(self, tracer_provider: TracerProvider | None = None) -> None:
        """Take the tracer.

        Args:
            tracer_provider: where spans go; `None` is the global one.
        """
        self._tracer = trace.get_tracer("pleach_runtime", tracer_provider=tracer_provider)

    def __call__(self, row: AuditableCall, error: BaseException | None, /) -> None:
        """See `RowObserver`."""
        span = self._tracer.start_span(
            f"{_OPERATION} {row.call.requested_model}",
            kind=SpanKind.INTERNAL if row.cache_hit else SpanKind.CLIENT,
            attributes=_attributes(row),
            start_time=_nanoseconds(row.started_at),
        )
        if row.outcome in _FAILED:
            span.set_attribute("error.type", row.outcome if error is None else type(error).__qualname__)
            span.set_status(StatusCode.ERROR)
        span.end(_nanoseconds(row.ended_at))


def _attributes(row: AuditableCall) -> dict[str, AttributeValue]:
    named = {**_standard(row), **_usage(row), **_ours(row)}
    return {name: value for name, value in named.items() if value is not None}


def _standard(row: AuditableCall) -> Mapping[str, AttributeValue | None]:
    reason = None if row.draft is None else row.draft.finish_reason
    return {
        "gen_ai.operation.name": _OPERATION,
        "gen_ai.provider.name": row.call.provider,
        "gen_ai.conversation.id": row.chat_id,
        "gen_ai.request.model": row.call.requested_model,
        "gen_ai.response.model": row.served_model,
        "gen_ai.response.id": row.provider_response_id,
        "gen_ai.response.finish_reasons": None if reason is None else (reason,),
    }


def _usage(row: AuditableCall) -> Mapping[str, AttributeValue | None]:
    if row.cache_hit:
        # The tokens were spent by the call that filled the cache, and are on its span.
        return {}
    usage = row.usage
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
    }


def _ours(row: AuditableCall) -> Mapping[str, AttributeValue | None]:
    return {
        "pleach.call_class": row.call.call_class,
        "pleach.call.id": row.call_id,
        "pleach.stage.id": row.call.stage_id,
        "pleach.family": row.call.family,
        "pleach.turn.id": row.turn_id,
        "pleach.turn_message.id": row.turn_message_id,
        "pleach.message.id": row.message_id,
        "pleach.attempt": row.attempt,
        "pleach.outcome": row.outcome,
        "pleach.fingerprint": row.fingerprint,
        "pleach.cache.hit": row.cache_hit,
        "pleach.cost.nano_usd": row.token_cost,
        "pleach.synthesis.terminal": None if row.synthesis_quality is None else row.is_terminal,
    }


def _nanoseconds(moment: datetime) -> int:
    # Through whole microseconds: a float of seconds would be off by some hundred nanoseconds.
    return int(moment.timestamp()) * 1_000_000_000 + moment.microsecond * 1000
