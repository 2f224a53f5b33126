"""Tests of the cache: what is kept, for whom, and what is recorded when it answers."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pleach_runtime.answers import Answer
from pleach_runtime.audit import Draft, TokenUsage
from pleach_runtime.cache import AnswerCache, FromCache
from pleach_runtime.errors import ProviderError, SynthesizeCapExceeded
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.judge import judge_by_visible_text
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.price import PriceTable, TokenPrice
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.seams import CALL_CLASSES, CachedClasses
from pleach_runtime.streams.verdicts import StreamVerdict
from tests.runtime.builders import CONVERSE, REASONING, SYNTHESIZE, UTILITY, intent
from tests.runtime.families import OAK, failing, forest
from tests.runtime.scenes import Setting, scene, setting
from tests.runtime.stubs import USAGE, Clock, GatedProvider, ScriptedProvider, ask, config

if TYPE_CHECKING:
    from pleach_runtime.answers import Tell
    from pleach_runtime.audit import CallIntent
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.provider import Provider
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams import CallClass, SeamResult
    from pleach_runtime.streams.verdicts import Seen
    from tests.runtime.scenes import Scene

NOTHING = TokenUsage(input_tokens=0, output_tokens=0)
YES = ProviderResponse(Draft(text="yes"), USAGE, model="stub-1-0301", response_id="r-9", token_cost=7)


def caching(provider: Provider, *, cap: float = 1, **fields: object) -> Setting:
    """Return a setting in memory with a cache."""
    hooks = RuntimeHooks(clock=Clock(), cache=AnswerCache())
    return Setting(provider, config(cap, **fields), MemoryLedger(), hooks=hooks)


async def call(of: Scene, call_class: CallClass = UTILITY, text: str = "Which?") -> SeamResult[CallClass]:
    """Make a call of a class, always with the same question."""
    runtime = of.runtime
    seams = (runtime.utility_seam, runtime.reasoning_seam, runtime.converse_seam, runtime.synthesize_seam)
    (seam,) = [seam for seam in seams if seam.call_class == call_class]
    return await seam.invoke(ask(text), turn=of.turn, stage_id="s")


class TestHit:
    """The second of two equal calls."""

    async def test_row(self, ledger: Ledger) -> None:
        """A hit is a row of its own, with the answer as it was given, no tokens and no cost."""
        async with scene(replace(caching(ScriptedProvider(YES)), ledger=ledger)) as of:
            paid, hit = (await call(of)).row, (await call(of)).row
            assert await of.turn.calls() == (paid, hit)
        assert (paid.cache_hit, paid.usage, paid.token_cost) == (False, USAGE, 7)
        assert (hit.cache_hit, hit.usage, hit.token_cost, hit.outcome) == (True, NOTHING, 0, "ok")
        assert (hit.draft, hit.served_model, hit.fingerprint) == (YES.draft, "stub-1-0301", paid.fingerprint)
        assert hit.call_id != paid.call_id

    async def test_no_second_call(self) -> None:
        """The provider is asked once, in the next turn too, and an event says that the attempt was made."""
        provider = ScriptedProvider()
        of_cache = caching(provider)
        for turn_id in ("t1", "t2"):
            async with scene(of_cache, turn_id=turn_id) as of:
                await call(of)
                assert [len(calls) for calls in (await of.activity()).invoked.values()] == [1]
        assert len(provider.calls) == 1

    async def test_costs_nothing_whatever_the_price(self) -> None:
        """The cost of a hit is 0 and known, also where the price of a call is not."""
        hooks = RuntimeHooks(cache=AnswerCache(), price=PriceTable({"other": TokenPrice(1, 1)}))
        async with scene(setting(hooks=hooks)) as of:
            assert [(await call(of)).row.token_cost for _ in range(2)] == [None, 0]
            (cost,) = await of.turn.rollup()
        assert (cost.calls, cost.token_cost, cost.unpriced_calls) == (2, 0, 1)

    async def test_another_request(self) -> None:
        """Another question is another call."""
        provider = ScriptedProvider()
        async with scene(caching(provider)) as of:
            texts = [(await call(of, text=text)).text for text in ("a", "b", "a")]
        assert texts == ["Answer 1.", "Answer 2.", "Answer 1."]

    async def test_without_a_cache(self) -> None:
        """Without a cache every call is made."""
        provider = ScriptedProvider()
        async with scene(setting(provider)) as of:
            assert [(await call(of)).row.cache_hit for _ in range(2)] == [False, False]
        assert len(provider.calls) == 2


class TestClasses:
    """Whose answers are kept."""

    async def test_default(self) -> None:
        """Internal calls are answered from the cache, what a user reads is not."""
        async with scene(caching(ScriptedProvider(), cap=9)) as of:
            hits = [(await call(of, name)).row.cache_hit for name in (UTILITY, REASONING, CONVERSE) for _ in range(2)]
            answers = [await of.answer(f"m{number}", landing=False) for number in range(2)]
        assert hits == [False, True, False, True, False, False]
        assert [answer.row.cache_hit for answer in answers] == [False, False]

    async def test_never_across_classes(self) -> None:
        """The same question in another class is another call, whatever is switched on."""
        every = CachedClasses.model_validate(dict.fromkeys(CALL_CLASSES, True))
        provider = ScriptedProvider()
        async with scene(caching(provider, cached_classes=every)) as of:
            assert [(await call(of, name)).row.cache_hit for name in CALL_CLASSES] == [False] * 4
        assert len(provider.calls) == 4

    async def test_hit_takes_its_slot(self, ledger: Ledger) -> None:
        """An answer from the cache is one of the turn's answers: it takes a slot, and at the cap it is refused."""
        switched = CachedClasses.model_validate({SYNTHESIZE: True})
        of_cache = replace(caching(ScriptedProvider(), cached_classes=switched), ledger=ledger)
        for turn_id in ("t1", "t2"):
            async with scene(of_cache, turn_id=turn_id) as of:
                result = await of.answer()
                with pytest.raises(SynthesizeCapExceeded):
                    await of.answer("m2")
        assert (result.row.cache_hit, result.landed, result.row.token_cost) == (True, True, 0)

    async def test_hit_counts_against_the_bound(self) -> None:
        """Short prose from the cache is short prose."""
        switched = CachedClasses.model_validate({CONVERSE: True})
        async with scene(caching(ScriptedProvider(), cached_classes=switched, max_converse_per_turn=2)) as of:
            answers = await asyncio.gather(*(call(of, CONVERSE) for _ in range(3)), return_exceptions=True)
        assert [type(answer).__name__ for answer in answers] == ["SeamResult", "SeamResult", "ConverseBoundExceeded"]

    def test_switches(self) -> None:
        """A switch is a bool, and of a class."""
        for wrong in ({UTILITY: 1}, {"other": True}):
            with pytest.raises(ValidationError):
                CachedClasses.model_validate(wrong)


class TestNotKept:
    """What is never given again."""

    @pytest.mark.parametrize(
        "response",
        [
            pytest.param(ProviderResponse.of_text("  "), id="nothing to see"),
            pytest.param(ProviderResponse(Draft(text="no", refused=True)), id="a refusal"),
        ],
    )
    async def test_no_answer(self, response: ProviderResponse) -> None:
        """What the judge does not call an answer is asked for again."""
        async with scene(caching(ScriptedProvider(response, "better"))) as of:
            await call(of)
            assert (await call(of)).text == "better"

    async def test_failure(self) -> None:
        """A failure is not kept."""
        async with scene(caching(ScriptedProvider(ValueError("no")))) as of:
            with pytest.raises(ProviderError):
                await call(of)
            assert not (await call(of)).row.cache_hit

    async def test_answer_of_a_lower_rung(self) -> None:
        """The answer of a lower rung is never given for the model above it."""
        provider, cache = failing("oak-1"), AnswerCache()
        hooks = RuntimeHooks(cache=cache)
        async with scene(replace(forest(provider, MemoryLedger()), hooks=hooks)) as of:
            await call(of)
            provider.says.clear()
            texts = [(await call(of)).text for _ in range(2)]
        assert texts == ["I am oak-1", "I am oak-1"]
        assert provider.asked == [*OAK[:2], "oak-1"]


async def test_an_answer_that_is_turned_down_is_not_given_again() -> None:
    """A stream that asks for another answer gets one from the provider, not the cached one that it turned down."""
    provider = ScriptedProvider()
    turned_down: list[str] = []

    def once(seen: Seen) -> StreamVerdict:
        is_first = bool(seen.pending) and not turned_down
        turned_down.extend([seen.pending] if is_first else [])
        return StreamVerdict.RETRY if is_first else StreamVerdict.CONTINUE

    async with scene(caching(provider)) as of:
        await call(of)
        seam = of.runtime.utility_seam
        async with seam.stream(ask("Which?"), turn=of.turn, stage_id="s", observers=[once]) as answer:
            pieces = [piece async for piece in answer]
    assert (turned_down, pieces) == (["Answer 1."], ["Answer 2."])


class TestSingleFlight:
    """Equal calls at the same time."""

    async def test_one_call(self) -> None:
        """Fifty at once: one is asked, all are answered, each is a row."""
        provider = GatedProvider("yes")
        async with scene(caching(provider)) as of:
            calls = asyncio.gather(*(call(of) for _ in range(50)))
            await provider.waiting.wait()
            provider.gate.set()
            results = await calls
            assert len(await of.turn.calls()) == 50
        assert {result.text for result in results} == {"yes"}
        assert sum(result.row.cache_hit for result in results) == 49
        assert len(provider.calls) == 1

    async def test_one_call_of_two_runtimes(self) -> None:
        """Runtimes that share a cache share who asks, too."""
        cache, provider, other = AnswerCache(), GatedProvider("yes"), ScriptedProvider("no")
        hooks = RuntimeHooks(clock=Clock(), cache=cache)
        async with scene(setting(provider, hooks=hooks)) as of, scene(setting(other, hooks=hooks)) as second:
            calls = asyncio.gather(call(of), call(second))
            await provider.waiting.wait()
            provider.gate.set()
            assert [result.text for result in await calls] == ["yes", "yes"]
        assert (len(provider.calls), other.calls, cache.flights) == (1, [], {})

    async def test_first_fails(self) -> None:
        """If the one that asks fails, one who waits asks next: a failure is nobody else's, and no reason for a rush."""
        provider = GatedProvider(ValueError("no"))
        async with scene(caching(provider)) as of:
            calls = asyncio.gather(*(call(of) for _ in range(3)), return_exceptions=True)
            await provider.waiting.wait()
            provider.gate.set()
            failed, *answered = await calls
            assert (await call(of)).row.cache_hit
        assert isinstance(failed, ProviderError)
        assert not any(isinstance(answer, BaseException) for answer in answered)
        assert len(provider.calls) == 2

    async def test_first_is_cancelled(self) -> None:
        """If the one that asks goes away, those who wait still get their answer."""
        provider = GatedProvider()
        async with scene(caching(provider)) as of:
            first, second = (asyncio.create_task(call(of)) for _ in range(2))
            await provider.waiting.wait()
            first.cancel()
            provider.gate.set()
            assert (await second).outcome == "ok"
            assert sorted(row.outcome for row in await of.turn.calls()) == ["aborted", "ok"]
        assert first.cancelled()

    async def test_waiter_is_cancelled(self) -> None:
        """If one that waits goes away, the call goes on for the others."""
        provider = GatedProvider("yes")
        async with scene(caching(provider)) as of:
            first, second, third = (asyncio.create_task(call(of)) for _ in range(3))
            await provider.waiting.wait()
            second.cancel()
            await asyncio.wait([second])
            provider.gate.set()
            assert [(await task).row.cache_hit for task in (first, third)] == [False, True]
        assert (second.cancelled(), len(provider.calls)) == (True, 1)


class Streaming:
    """A source of answers that streams two pieces."""

    async def answer(self, _intent: CallIntent, _request: SeamRequest, tell: Tell | None = None, /) -> Answer:
        """Tell the pieces, then give the whole."""
        if tell is not None:
            tell("ye")
            tell("s")
        return Answer(YES)


async def test_streamed_answer_is_not_kept() -> None:
    """What an observer may yet stop is not kept; what was kept answers a stream, in one piece."""
    source = FromCache(Streaming(), AnswerCache(), CachedClasses().chosen(), judge_by_visible_text)
    told: list[object] = []
    tell = told.append
    of = intent(call_class=UTILITY)
    answers = [await source.answer(of, ask(), each) for each in (tell, tell, None, tell)]
    assert [answer.cached for answer in answers] == [False, False, False, True]
    assert told == ["ye", "s"] * 2


class TestBounds:
    """How much is kept, and how long."""

    def test_least_recently_asked_goes_first(self) -> None:
        """A full cache drops what was not asked for longest."""
        cache = AnswerCache(max_entries=2)
        for key in ("a", "b"):
            cache.put(key, YES)
        cache.get("a")
        cache.put("c", YES)
        assert [cache.get(key) is not None for key in "abc"] == [True, False, True]

    def test_age(self) -> None:
        """An answer is kept for its time and no longer, however often it is asked for."""
        now = iter([0.0, 9.9, 10.0, 10.0])
        cache = AnswerCache(ttl_seconds=10, clock=lambda: next(now))
        cache.put("a", YES)
        assert [cache.get("a") is not None for _ in range(2)] == [True, False]
        assert len(cache) == 0

    def test_clear(self) -> None:
        """A cache can be emptied."""
        cache = AnswerCache()
        cache.put("a", YES)
        cache.clear()
        assert cache.get("a") is None

    @pytest.mark.parametrize(("entries", "seconds"), [(0, None), (1, 0.0), (1, math.nan)])
    def test_no_room(self, entries: int, seconds: float | None) -> None:
        """A cache that could keep nothing is refused."""
        with pytest.raises(ValueError, match="a cache keeps answers"):
            AnswerCache(max_entries=entries, ttl_seconds=seconds)

    @given(st.lists(st.tuples(st.sampled_from("abcde"), st.booleans()), max_size=40))
    def test_like_a_list(self, steps: list[tuple[str, bool]]) -> None:
        """Whatever is put and asked for, the cache is the list of the last three that were touched."""
        cache, touched = AnswerCache(max_entries=3), list[str]()
        for key, puts in steps:
            if puts or key in touched:
                touched = [*(other for other in touched if other != key), key][-3:]
            if puts:
                cache.put(key, YES)
            assert (cache.get(key) is not None) == (key in touched)
        assert len(cache) == len(touched)
