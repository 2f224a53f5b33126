"""Code of the host that fails: its name reaches the caller, and nothing is left under way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.cache import AnswerCache
from pleach_runtime.errors import CounterContractError, HookError, PleachError, ProviderError, SynthesizeCapExceeded
from pleach_runtime.graphs.compiling import compile_graph
from pleach_runtime.graphs.metadata import node
from pleach_runtime.hooks import RuntimeHooks, ask_again, random_id, utc_now
from pleach_runtime.judge import judge_by_visible_text
from pleach_runtime.price import unknown_price
from pleach_runtime.request import SeamRequest
from pleach_runtime.streams.verdicts import StreamVerdict
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.provider import ProviderCall, ProviderResponse
    from pleach_runtime.seams import UtilitySeam


class Faulty:
    """A hook that fails while it is told to."""

    def __init__(self, otherwise: Callable[..., object], error: Exception | None = None) -> None:
        self.fails = False
        self.error = error or ZeroDivisionError("oh")
        self._otherwise = otherwise

    def __call__(self, *given: object) -> object:
        """Fail, or do what is to be done otherwise."""
        if self.fails:
            raise self.error
        return self._otherwise(*given)


def hooks_with(**hooks: object) -> RuntimeHooks:
    """Return hooks of whatever kind."""
    return RuntimeHooks(**hooks)  # type: ignore[arg-type]  # the names are those of the parameters below


@pytest.mark.parametrize(
    ("hook", "otherwise", "kind", "outcomes"),
    [
        pytest.param("judge", judge_by_visible_text, ProviderError, ["error"], id="judge"),
        pytest.param("price", unknown_price, ProviderError, ["error"], id="price"),
        pytest.param("nudge", ask_again, HookError, ["empty"], id="nudge"),
        pytest.param("mint_id", random_id, HookError, [], id="ids"),
        pytest.param("clock", utc_now, HookError, [], id="clock"),
    ],
)
async def test_failing_hook(
    hook: str, otherwise: Callable[..., object], kind: type[PleachError], outcomes: list[str]
) -> None:
    """The error names the hook, the row is closed, and the next delivery is answered at once in the same slot."""
    faulty = Faulty(otherwise)
    provider = ScriptedProvider("" if hook == "nudge" else "Well.", "Yes.")
    async with scene(setting(provider, hooks=hooks_with(**{hook: faulty}))) as at:
        faulty.fails = True
        with pytest.raises(kind, match=f"the hook '{hook}' raised ZeroDivisionError") as caught:
            await at.answer()
        assert [row.outcome for row in await at.turn.calls()] == outcomes
        faulty.fails = False
        assert (await at.answer()).row.attempt == len(outcomes) + 1
    assert root_of(caught.value) is faulty.error


def root_of(error: BaseException) -> BaseException:
    """Return the first cause of an error."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


async def test_clock_that_fails_meanwhile() -> None:
    """A clock that fails while the provider is asked does not keep the row from being written."""
    clock = Faulty(utc_now)

    class Breaking(ScriptedProvider):
        async def complete(self, call: ProviderCall, /) -> ProviderResponse:
            clock.fails = True
            return await super().complete(call)

    async with scene(setting(Breaking("Yes."), hooks=hooks_with(clock=clock))) as at:
        with pytest.raises(ProviderError, match="the hook 'clock' raised ZeroDivisionError"):
            await at.answer()
        clock.fails = False
        assert [row.outcome for row in await at.turn.calls()] == ["error"]


async def test_clock_of_a_turn() -> None:
    """A clock that fails is named where turns begin and end, too."""
    clock = Faulty(utc_now)
    async with scene(setting(hooks=hooks_with(clock=clock))) as at:
        turn = await at.runtime.open_turn(chat_id="c1", turn_id="t2")
        clock.fails = True
        for ended in (turn.close(), at.runtime.open_turn(chat_id="c1", turn_id="t3")):
            with pytest.raises(HookError, match=r"the hook 'clock' raised ZeroDivisionError, about turn 't[23]'"):
                await ended
        clock.fails = False


async def test_judge_of_a_cached_class() -> None:
    """A judge that fails as a provider might is not taken for one: no other rung is paid for the same answer."""
    judge, provider = Faulty(judge_by_visible_text, ConnectionError()), ScriptedProvider()
    async with scene(setting(provider, hooks=hooks_with(judge=judge, cache=AnswerCache()))) as at:
        judge.fails = True
        with pytest.raises(ProviderError, match="the hook 'judge' raised ConnectionError") as caught:
            await at.runtime.utility_seam.invoke(ask(), turn=at.turn, stage_id="s")
    assert not caught.value.retryable
    assert len(provider.calls) == 1


async def test_nudge_of_a_stream() -> None:
    """A nudge that fails ends a stream with its name, and the attempt before it keeps its row."""
    nudge = Faulty(ask_again)
    async with scene(setting(hooks=hooks_with(nudge=nudge))) as at:
        nudge.fails = True
        again = [lambda _seen: StreamVerdict.RETRY]
        with pytest.raises(HookError, match="'nudge' raised ZeroDivisionError"):
            async with at.runtime.utility_seam.stream(ask(), turn=at.turn, stage_id="s", observers=again) as stream:
                await stream.result()
        assert [row.outcome for row in await at.turn.calls()] == ["thin"]


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(None, id="nothing"),
        pytest.param(
            SeamRequest.from_text("Why?").model_copy(update={"params": {"x": {1}}}), id="what JSON cannot say"
        ),
    ],
)
async def test_nudge_that_gives_back(given: object) -> None:
    """What a nudge gives back and nobody can be asked is the nudge's fault."""
    hooks = hooks_with(nudge=lambda _request, _draft: given)
    async with scene(setting(ScriptedProvider(""), hooks=hooks)) as at:
        with pytest.raises(HookError, match="the hook 'nudge' raised"):
            await at.answer()
        assert [row.outcome for row in await at.turn.calls()] == ["empty"]


@pytest.mark.parametrize(
    ("on_cap", "kind", "said"),
    [
        pytest.param(lambda _error: 1 // 0, HookError, "the hook 'on_cap' raised ZeroDivisionError", id="fails"),
        pytest.param(lambda error: error.last_draft, HookError, "'on_cap' raised TypeError", id="gives back a draft"),
    ],
)
async def test_cap_handler(
    on_cap: Callable[[SynthesizeCapExceeded], AuditableCall], kind: type[PleachError], said: str
) -> None:
    """A handler of the cap that fails is named; the message is refused all the same, and the turn goes on."""
    async with scene(setting(hooks=RuntimeHooks(on_cap=on_cap))) as at:
        await at.answer()
        with pytest.raises(kind, match=said):
            await at.answer("m2")
        assert len(await at.turn.calls()) == 1
        assert (await at.answer()).recorded


async def test_cap_handler_that_raises_what_it_was_given() -> None:
    """A handler of the cap may raise the refusal again."""

    def on_cap(error: SynthesizeCapExceeded) -> None:
        raise error

    async with scene(setting(hooks=RuntimeHooks(on_cap=on_cap))) as at:
        await at.answer()
        with pytest.raises(SynthesizeCapExceeded):
            await at.answer("m2")


class FailingCounter:
    """A counter that fails at both of its methods while it is told to."""

    def __init__(self) -> None:
        self.fails = True

    def should_allow_synthesize(self, message_id: str, /, *, turn_id: str | None = None) -> bool:
        """Fail."""
        if self.fails:
            raise ConnectionError(message_id, turn_id)
        return True

    def forget_turn(self, turn_id: str) -> None:
        """Fail."""
        raise ConnectionError(turn_id)


async def test_failing_counter(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    """A counter that fails is named, takes no slot, and keeps no turn from being closed."""
    counter = FailingCounter()
    async with scene(replace(setting(ledger=ledger), counter=counter)) as at:
        with pytest.raises(CounterContractError, match=r"FailingCounter .* should_allow_synthesize raised ConnectionE"):
            await at.answer()
        assert await at.turn.calls() == ()
        counter.fails = False
        assert (await at.answer()).row.attempt == 1
    assert "FailingCounter: forget_turn failed for turn t1" in caplog.text


async def test_failing_node() -> None:
    """A node's own exception is its caller's, as it was raised; the calls before it keep their rows."""

    @node(stage_id="look", accepts_seam="utility", subscribes=("q",), writes=("a",))
    async def look(_: object, seam: UtilitySeam, stage: Stage) -> dict[str, object]:
        await stage.invoke(seam, ask())
        raise ZeroDivisionError

    async with scene(setting()) as at:
        graph = compile_graph(at.runtime, (look,), inputs=("q",), outputs=("a",))
        with pytest.raises(ZeroDivisionError):
            await graph.run(at.turn, q=1)
        assert [row.outcome for row in await at.turn.calls()] == ["ok"]
