"""Spans, as an SDK exports them: one per row, with the names that backends know, and nobody's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from pleach_runtime.audit import Draft, TokenUsage
from pleach_runtime.errors import ProviderError
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.price import PriceTable, TokenPrice
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.telemetry import AttemptSpans
from tests.runtime.builders import UTILITY, intent, row
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import Clock, ScriptedProvider, ask

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

USAGE = TokenUsage(
    input_tokens=10, output_tokens=5, cache_read_tokens=4, cache_write_tokens=2, reasoning_tokens=3, estimated=False
)
ANSWER = ProviderResponse(Draft(text="Secret.", finish_reason="stop"), USAGE, model="stub-1-0301", response_id="r-1")


class Tracing:
    """An SDK that keeps its spans in memory."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    @property
    def hooks(self) -> RuntimeHooks:
        """Hooks that make spans, and know a price."""
        prices = PriceTable({"stub-1-0301": TokenPrice(1, 2)})
        return RuntimeHooks(clock=Clock(), price=prices, on_row=AttemptSpans(self.provider))

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        """The spans that have ended, in that order."""
        return self._exporter.get_finished_spans()


@pytest.fixture
def tracing() -> Tracing:
    """An SDK of our own: the global one can be set only once."""
    return Tracing()


async def test_attributes(tracing: Tracing) -> None:
    """A span says what the row says, by the names of the conventions, and not a word of what was said."""
    async with scene(setting(ScriptedProvider(ANSWER), hooks=tracing.hooks)) as at:
        recorded = (await at.answer(text="Secret?")).row
    (span,) = tracing.spans
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "stub",
        "gen_ai.conversation.id": "c1",
        "gen_ai.request.model": "stub-1",
        "gen_ai.response.model": "stub-1-0301",
        "gen_ai.response.id": "r-1",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read.input_tokens": 4,
        "gen_ai.usage.cache_creation.input_tokens": 2,
        "gen_ai.usage.reasoning.output_tokens": 3,
        "pleach.call_class": "synthesize",
        "pleach.call.id": recorded.call_id,
        "pleach.stage.id": "answer",
        "pleach.family": "stub",
        "pleach.turn.id": "t1",
        "pleach.turn_message.id": "t1:answer",
        "pleach.message.id": "m1",
        "pleach.attempt": 1,
        "pleach.outcome": "ok",
        "pleach.fingerprint": recorded.fingerprint,
        "pleach.cache.hit": False,
        "pleach.cost.nano_usd": 20,
        "pleach.synthesis.terminal": True,
    }
    assert "Secret" not in span.to_json()


async def test_shape(tracing: Tracing) -> None:
    """A span is a client's, named after operation and model, with the times of its row to the microsecond."""
    async with scene(setting(hooks=tracing.hooks)) as at:
        recorded = (await at.answer()).row
    (span,) = tracing.spans
    assert (span.name, span.kind, span.status.status_code) == ("chat stub-1", SpanKind.CLIENT, StatusCode.UNSET)
    assert span.start_time == int(recorded.started_at.timestamp() * 1000) * 1_000_000
    assert (span.end_time or 0) - span.start_time == 1_000_000


async def test_five_calls(tracing: Tracing) -> None:
    """A turn of five calls is five rows and five spans with the same chat and user-visible message."""
    async with scene(setting(hooks=tracing.hooks, cap=5)) as at:
        for number in range(5):
            await at.answer(f"m{number}", landing=number == 4)
        rows = await at.turn.calls()
    shared = {(span.attributes or {})["gen_ai.conversation.id"] for span in tracing.spans}
    shown = {(span.attributes or {})["pleach.turn_message.id"] for span in tracing.spans}
    ids = [(span.attributes or {})["pleach.call.id"] for span in tracing.spans]
    assert (shared, shown, ids) == ({"c1"}, {"t1:answer"}, [row.call_id for row in rows])


async def test_parent(tracing: Tracing) -> None:
    """Spans belong to the span in which the calls are made, and only they carry token counts."""
    tracer = tracing.provider.get_tracer("app")
    async with scene(setting(hooks=tracing.hooks)) as at:
        with tracer.start_as_current_span("turn") as turn:
            await at.runtime.utility_seam.invoke(ask(), turn=at.turn, stage_id="plan")
            await at.answer()
    first, second, around = tracing.spans
    assert {span.parent.span_id for span in (first, second) if span.parent} == {turn.get_span_context().span_id}
    assert "pleach.synthesis.terminal" not in (first.attributes or {})
    assert [name for name in around.attributes or {} if "usage" in name] == []


async def test_failure(tracing: Tracing) -> None:
    """A failed attempt is an error of its exception's type, without the exception's message."""
    provider = ScriptedProvider(OSError("Secret."))
    async with scene(setting(provider, hooks=tracing.hooks)) as at:
        with pytest.raises(ProviderError):
            await at.answer()
    (span,) = tracing.spans
    assert span.status.status_code == StatusCode.ERROR
    assert (span.attributes or {})["error.type"] == "OSError"
    assert "Secret" not in span.to_json()


def test_failure_without_exception(tracing: Tracing) -> None:
    """Where nobody raised anything, the outcome is the type of the error."""
    AttemptSpans(tracing.provider)(row(intent(), "aborted"), None)
    assert (tracing.spans[0].attributes or {})["error.type"] == "aborted"


def test_cache_hit(tracing: Tracing) -> None:
    """An answer out of the cache calls nobody and spends no token; it is a span of its own kind all the same."""
    hit = row(intent(call_class=UTILITY)).model_copy(update={"cache_hit": True, "usage": USAGE})
    AttemptSpans(tracing.provider)(hit, None)
    (span,) = tracing.spans
    assert (span.kind, (span.attributes or {})["pleach.cache.hit"]) == (SpanKind.INTERNAL, True)
    assert [name for name in span.attributes or {} if "usage" in name] == []
