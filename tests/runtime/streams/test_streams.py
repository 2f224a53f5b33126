"""Tests of streamed calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from pleach_runtime.audit import Draft, TokenUsage
from pleach_runtime.errors import (
    ObserverContractError,
    ProviderError,
    StreamAborted,
    SynthesizeCapExceeded,
)
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.provider import ProviderResponse, RetryableError
from pleach_runtime.streams.verdicts import Redaction, StreamVerdict
from tests.runtime.builders import CONVERSE, REASONING, SYNTHESIZE, UTILITY
from tests.runtime.scenes import scene, setting
from tests.runtime.streams.test_verdicts import late
from tests.runtime.stubs import USAGE, Clock, ScriptedProvider, StreamingStub, ask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.provider import StreamPart
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams import CallClass, ProviderSeam
    from pleach_runtime.seams.streaming import SeamStream
    from pleach_runtime.streams.verdicts import Seen, StreamObserver
    from tests.runtime.scenes import Scene

WHOLE = ProviderResponse(Draft(text="as the SDK has it", finish_reason="stop"), USAGE, model="stub-1-0301")


def streaming(*pieces: str) -> StreamingStub:
    """Return a provider that streams these pieces, every time."""
    return StreamingStub([*pieces, WHOLE])


def seam_of(of: Scene, call_class: CallClass) -> ProviderSeam[CallClass]:
    """Return the runtime's seam of a class."""
    runtime = of.runtime
    seams: tuple[ProviderSeam[CallClass], ...] = (
        runtime.utility_seam,
        runtime.reasoning_seam,
        runtime.converse_seam,
        runtime.synthesize_seam,
    )
    return next(seam for seam in seams if seam.call_class == call_class)


def stream(
    of: Scene,
    *observers: StreamObserver,
    message_id: str | None = "m1",
    call_class: CallClass = SYNTHESIZE,
    request: SeamRequest | None = None,
) -> AbstractAsyncContextManager[SeamStream[CallClass]]:
    """Stream a call."""
    seam = seam_of(of, call_class)
    return seam.stream(request or ask(), turn=of.turn, stage_id="answer", message_id=message_id, observers=observers)


async def pieces_of(opened: AbstractAsyncContextManager[SeamStream[CallClass]]) -> list[str]:
    """Read a stream to its end."""
    async with opened as opened_stream:
        return [piece async for piece in opened_stream]


async def outcomes(of: Scene) -> list[str]:
    """Return the outcomes of the turn's rows."""
    return [row.outcome for row in await of.turn.calls()]


def when(word: str, verdict: StreamVerdict) -> Callable[[Seen], StreamVerdict]:
    """Return an observer that says something when a word is about to be shown."""
    return lambda seen: verdict if word in seen.pending else StreamVerdict.CONTINUE


def hold(_seen: Seen) -> StreamVerdict:
    """Hold everything back."""
    return StreamVerdict.HOLD


@pytest.mark.parametrize("call_class", [UTILITY, REASONING, CONVERSE, SYNTHESIZE])
async def test_pieces_and_result(call_class: CallClass) -> None:
    """The pieces arrive as they come; the row has them as one text, and the rest as the provider said it at the end."""
    async with scene(setting(streaming("Be", "", "cause."))) as of:
        async with stream(of, call_class=call_class) as answer:
            assert [piece async for piece in answer] == ["Be", "cause."]
            assert [piece async for piece in answer] == []
            result = await answer.result()
        (row,) = await of.turn.calls()
    assert (result.row, result.text, result.call_class) == (row, "Because.", call_class)
    assert (row.outcome, row.usage, row.served_model) == ("ok", USAGE, "stub-1-0301")
    assert row.draft == Draft(text="Because.", finish_reason="stop")


async def test_landed() -> None:
    """A streamed answer lands, and reading its result reads what is left of it."""
    async with scene(setting(streaming(*"Because."))) as of, stream(of) as answer:
        assert await anext(aiter(answer)) == "B"
        result = await answer.result()
    assert (result.landed, result.text) == (True, "Because.")


async def test_provider_that_does_not_stream() -> None:
    """The answer of a provider without streams comes in one piece, past the observers."""
    async with scene(setting(ScriptedProvider("Because."))) as of:
        assert await pieces_of(stream(of)) == ["Because."]
    async with scene(setting(ScriptedProvider("Because."))) as of:
        with pytest.raises(StreamAborted):
            await pieces_of(stream(of, when("Because", StreamVerdict.ABORT)))


async def test_reserved_before_the_first_byte() -> None:
    """At the cap the provider is not asked for a stream either."""
    provider = streaming("Because.")
    async with scene(setting(provider)) as of:
        await pieces_of(stream(of, message_id="m1"))
        with pytest.raises(SynthesizeCapExceeded):
            await pieces_of(stream(of, message_id="m2"))
    assert len(provider.calls) == 1


async def test_duplicates() -> None:
    """A duplicate that comes later gets the recorded text in one piece; its own observers see it."""
    async with scene(setting(streaming("Be", "cause."))) as of:
        assert await pieces_of(stream(of)) == ["Be", "cause."]
        assert await pieces_of(stream(of)) == ["Because."]
        assert await pieces_of(stream(of, when("cause", StreamVerdict.RETRY))) == []
        with pytest.raises(StreamAborted, match="when"):
            await pieces_of(stream(of, when("cause", StreamVerdict.ABORT)))
        assert await outcomes(of) == ["ok"]


async def test_answered_at_the_cap_without_a_draft() -> None:
    """When a host answers a refused message with a call that gave no text, nothing is shown."""
    hooks = RuntimeHooks(clock=Clock(), on_cap=lambda error: error.last_call)
    async with scene(setting(StreamingStub([ValueError("no")]), hooks=hooks)) as of:
        with pytest.raises(ProviderError):
            await pieces_of(stream(of, message_id="m1"))
        assert await pieces_of(stream(of, message_id="m2")) == []


async def test_redaction_is_what_is_audited() -> None:
    """The text on the row is the text that was shown."""

    def mask(seen: Seen) -> StreamVerdict | Redaction:
        return Redaction(seen.pending.replace("42", "**"))

    async with scene(setting(streaming("It is ", "42", "."))) as of:
        assert await pieces_of(stream(of, mask)) == ["It is ", "**", "."]
        assert (await of.answer()).text == "It is **."


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        pytest.param(["a\ud83d", "\ude00b"], ["a", "\U0001f600b"], id="a pair in two pieces"),
        pytest.param(["a\ud800", "b"], ["a", "\ufffdb"], id="half a pair"),
        pytest.param(["a", "\ud83d"], ["a", "\ufffd"], id="half a pair at the end"),
        pytest.param(["\ude00"], ["\ufffd"], id="the other half"),
    ],
)
async def test_halves_of_surrogate_pairs(pieces: list[str], shown: list[str]) -> None:
    """What no encoding can store is put together or replaced, for the reader and on the row alike."""
    async with scene(setting(streaming(*pieces))) as of:
        assert await pieces_of(stream(of)) == shown
        (row,) = await of.turn.calls()
    assert row.draft == Draft(text="".join(shown), finish_reason="stop")
    assert row.model_dump_json()


async def test_a_redaction_that_no_encoding_can_store() -> None:
    """What an observer puts in place is mended like what a provider says."""

    def mask(seen: Seen) -> StreamVerdict | Redaction:
        return Redaction("*\ud800") if seen.pending else StreamVerdict.CONTINUE

    async with scene(setting(streaming("42"))) as of:
        assert await pieces_of(stream(of, mask)) == ["*\ufffd"]
        assert (await of.answer()).text == "*\ufffd"


async def test_held_to_the_end() -> None:
    """An observer that holds everything back gets the whole answer shown at once."""
    async with scene(setting(streaming("Be", "cause."))) as of:
        assert await pieces_of(stream(of, hold)) == ["Because."]


@pytest.mark.parametrize("call_class", [UTILITY, CONVERSE, SYNTHESIZE])
async def test_aborted(call_class: CallClass) -> None:
    """An aborted stream ends with an error and is one row, with the tokens so far and without text."""
    provider = StreamingStub([TokenUsage(input_tokens=10), "It is ", "secret", ".", WHOLE])
    async with scene(setting(provider)) as of:
        with pytest.raises(StreamAborted) as caught:
            await pieces_of(stream(of, when("secret", StreamVerdict.ABORT), call_class=call_class))
        (row,) = await of.turn.calls()
    assert (row.outcome, row.draft, row.usage, row.token_cost) == ("aborted", None, TokenUsage(input_tokens=10), None)
    assert (caught.value.call_id, caught.value.message_id) == (row.call_id, "m1")
    assert (provider.streamed[-1], provider.closed) == ("secret", 1)


async def test_aborted_at_the_end() -> None:
    """An answer that is aborted when it was complete has the tokens of all of it on its row."""
    async with scene(setting(streaming("Be", "cause."))) as of:
        with pytest.raises(StreamAborted):
            await pieces_of(
                stream(of, hold, lambda seen: StreamVerdict.ABORT if seen.draft else StreamVerdict.CONTINUE)
            )
        (row,) = await of.turn.calls()
    assert (row.outcome, row.draft, row.usage, row.is_terminal) == ("aborted", None, USAGE, False)


async def test_unread_pieces_are_dropped() -> None:
    """Pieces that were released but not read yet are gone when the stream is aborted."""
    async with (
        scene(setting(streaming("It is ", "secret"))) as of,
        stream(of, when("secret", StreamVerdict.ABORT)) as answer,
    ):
        await asyncio.sleep(0.05)
        with pytest.raises(StreamAborted):
            await anext(aiter(answer))


@pytest.mark.parametrize("call_class", [UTILITY, REASONING, CONVERSE, SYNTHESIZE])
async def test_retry(call_class: CallClass) -> None:
    """An answer that is turned down before anything was shown is asked for again, after a nudge, as another attempt."""
    provider = StreamingStub(["As an AI, ", WHOLE], ["Because.", WHOLE])
    hooks = RuntimeHooks(clock=Clock(), nudge=lambda _, draft: ask(f"Not so: {draft.text}"))
    async with scene(setting(provider, hooks=hooks)) as of:
        assert await pieces_of(stream(of, when("As an AI", StreamVerdict.RETRY), call_class=call_class)) == ["Because."]
        rows = await of.turn.calls()
    assert [(row.outcome, row.attempt, row.message_id) for row in rows] == [("thin", 1, "m1"), ("ok", 2, "m1")]
    assert provider.calls[1].request == ask("Not so: As an AI, ")


@pytest.mark.parametrize("call_class", [UTILITY, SYNTHESIZE])
async def test_retries_end(call_class: CallClass) -> None:
    """When no attempt is left, the last one is the result, as thin, and nothing of it was shown."""
    async with (
        scene(setting(streaming("As an AI, "))) as of,
        stream(of, when("As an AI", StreamVerdict.RETRY), call_class=call_class) as answer,
    ):
        assert [piece async for piece in answer] == []
        assert (await answer.result()).outcome == "thin"
        assert await outcomes(of) == ["thin", "thin"]


async def test_shown_text_is_not_answered_anew() -> None:
    """A draft that its judge finds thin stands, once the user has read it."""
    hooks = RuntimeHooks(clock=Clock(), judge=lambda _draft: "thin")
    async with scene(setting(streaming("Hm."), hooks=hooks)) as of:
        assert await pieces_of(stream(of)) == ["Hm."]
        assert await outcomes(of) == ["thin"]


async def test_empty_answer_is_recovered() -> None:
    """An answer without text is asked for again as it would be without a stream."""
    provider = StreamingStub([ProviderResponse(Draft())], ["Because.", WHOLE])
    async with scene(setting(provider)) as of:
        assert await pieces_of(stream(of)) == ["Because."]
        assert await outcomes(of) == ["empty", "ok"]


@pytest.mark.parametrize(
    ("script", "retryable"),
    [
        pytest.param([TokenUsage(input_tokens=1), RetryableError()], True, id="before the first byte"),
        pytest.param([TokenUsage(input_tokens=1), "Be", RetryableError()], False, id="after it"),
        pytest.param([TokenUsage(input_tokens=1), "Be"], False, id="cut off"),
    ],
)
async def test_provider_fails(script: Sequence[TokenUsage | str | Exception], retryable: bool) -> None:  # noqa: FBT001 - a case
    """A stream that breaks is one row with what it cost so far; another model may try only if nothing was shown."""
    async with scene(setting(StreamingStub(script))) as of:
        with pytest.raises(ProviderError) as caught:
            await pieces_of(stream(of))
        (row,) = await of.turn.calls()
    assert caught.value.retryable is retryable
    assert (row.outcome, row.draft, row.usage) == ("error", None, TokenUsage(input_tokens=1))


async def test_strange_part() -> None:
    """A provider that yields something else has failed, and the attempt has its row."""
    parts: list[StreamPart] = [TokenUsage(input_tokens=1), cast("str", {"delta": "Be"})]
    async with scene(setting(StreamingStub(parts))) as of:
        with pytest.raises(ProviderError, match="TypeError"):
            await pieces_of(stream(of))
        assert [(row.outcome, row.usage.input_tokens) for row in await of.turn.calls()] == [("error", 1)]


def fail(_seen: Seen) -> StreamVerdict:
    """Fail."""
    raise ValueError("a bug")


@pytest.mark.parametrize("call_class", [UTILITY, REASONING])
async def test_failing_observer_where_nobody_reads(call_class: CallClass) -> None:
    """A failing observer is passed over where the text is internal."""
    async with scene(setting(streaming("Because."))) as of:
        assert await pieces_of(stream(of, fail, call_class=call_class)) == ["Because."]


@pytest.mark.parametrize("call_class", [CONVERSE, SYNTHESIZE])
async def test_failing_observer_where_a_user_reads(call_class: CallClass) -> None:
    """A failing observer aborts where a user reads along, and the error says who failed and where."""
    async with scene(setting(streaming("Because."))) as of:
        with pytest.raises(StreamAborted, match=r"fail raised ValueError \(.*test_streams.py:\d+\)"):
            await pieces_of(stream(of, fail, call_class=call_class))


async def test_async_observer() -> None:
    """An async observer is refused before anything is opened."""
    async with scene(setting()) as of:
        with pytest.raises(ObserverContractError, match="late cannot observe a stream: it is async"):
            stream(of, cast("StreamObserver", late))


async def test_rows_are_in_the_ledger_when_the_stream_ends() -> None:
    """Whoever has read to the end finds the row."""
    rows: list[AuditableCall] = []
    async with scene(setting(streaming("Because."))) as of, stream(of) as answer:
        async for _ in answer:
            pass
        rows += await of.turn.calls()
    assert [row.outcome for row in rows] == ["ok"]
