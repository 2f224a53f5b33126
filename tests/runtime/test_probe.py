"""Tests of the boot probe: what a counter may look like. The same on every Python, see the version test."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, cast
from unittest.mock import MagicMock

import pytest

from pleach_runtime.errors import CounterContractError
from pleach_runtime.probe import probe_counter
from tests.runtime import odd_counters as odd

if TYPE_CHECKING:
    from pleach_runtime.counter import HostCounter
    from pleach_runtime.probe import ProbedCounter


def probed(counter: object, cap: float = 5) -> ProbedCounter:
    """Probe a counter that no type checker would let through."""
    return probe_counter(cast("HostCounter", counter), cap)


@pytest.mark.parametrize(
    ("counter", "cap"),
    [
        pytest.param(odd.Full(), 5, id="takes the cap"),
        pytest.param(odd.Minimal(), 1, id="has no setter"),
        pytest.param(odd.NoneSetter(), 1, id="setter is None"),
        pytest.param(odd.AttributeErrorSetter(), 1, id="setter property raises AttributeError"),
        pytest.param(odd.ClosedProxy(odd.Minimal()), 1, id="proxy of one without setter"),
        pytest.param(odd.ClosedProxy(odd.Full()), 5, id="proxy of one with setter"),
        pytest.param(odd.OpenProxy(), 5, id="proxy that has everything"),
        pytest.param(MagicMock(), 5, id="a mock that has everything"),
        pytest.param(odd.Partial(), 5, id="setter is a partial"),
        pytest.param(odd.OptionalArgument(), 5, id="setter has a second optional argument"),
        pytest.param(odd.BuiltinSetter(), 5, id="setter is a builtin"),
        pytest.param(odd.UnsignedSetter(), 5, id="setter without a signature"),
        pytest.param(odd.StaticMethods(), 5, id="static methods"),
    ],
)
def test_cap_in_force(counter: object, cap: int) -> None:
    """A counter that can take the cap gets it; one that cannot stays at 1."""
    assert probed(counter).cap == cap
    assert probed(counter).honours_cap == (cap != 1)


@pytest.mark.parametrize(
    ("counter", "problem"),
    [
        pytest.param(odd.AsyncSetter(), "set_max_per_turn is async", id="async setter"),
        pytest.param(odd.AsyncCallableSetter(), "set_max_per_turn is async", id="setter object with async call"),
        pytest.param(odd.AwaitableSetter(), "returned an awaitable", id="setter returns an awaitable"),
        pytest.param(odd.GeneratorSetter(), "async or a generator", id="setter is a generator"),
        pytest.param(odd.NoArgumentSetter(), "does not take one number", id="setter takes nothing"),
        pytest.param(odd.TwoArgumentSetter(), "does not take one number", id="setter takes two"),
        pytest.param(odd.KeywordSetter(), "does not take one number", id="setter takes a keyword only"),
        pytest.param(odd.NumberSetter(), "set_max_per_turn is not callable", id="setter is a number"),
        pytest.param(odd.RaisingProperty(), "reading set_max_per_turn raised RuntimeError", id="property raises"),
        pytest.param(odd.RefusingSetter(), r"set_max_per_turn\(5\) raised ValueError", id="setter refuses"),
        pytest.param(object(), "has no should_allow_synthesize", id="not a counter"),
        pytest.param(odd.AsyncAllow(), "should_allow_synthesize is async", id="async counter"),
        pytest.param(partial(odd.Full), "has no should_allow_synthesize", id="a factory"),
        pytest.param(odd.PositionalTurn(), "takes neither", id="turn id by position"),
        pytest.param(odd.NothingAllow(), "takes neither", id="takes nothing"),
        pytest.param(odd.OddForget(), "forget_turn does not take", id="forget takes nothing"),
    ],
)
def test_refused(counter: object, problem: str) -> None:
    """A counter that would not count is refused at boot, and the error says what is wrong with whom."""
    with pytest.raises(CounterContractError, match=problem) as caught:
        probed(counter)
    assert type(counter).__qualname__ in str(caught.value)


def test_generators_do_count() -> None:
    """The generator that is refused as a setter is a real one."""
    assert list(odd.one_number(5)) == [5]


def test_set_once() -> None:
    """The setter is called once, with infinity as infinity."""
    counter = odd.Full()
    probed(counter, math.inf)
    assert counter.caps == [math.inf]


def test_one_argument_form() -> None:
    """A counter that takes the message id alone works, and is known for it."""
    found = probed(odd.OneArgument())
    assert not found.tells_turns_apart
    assert found.should_allow("t1", "m1")


def test_turn_id_is_passed() -> None:
    """A counter that takes the turn id gets it by name."""
    counter = odd.Full()
    assert probed(counter).should_allow("t1", "m1")
    assert counter.asked == [("m1", "t1")]


@pytest.mark.parametrize(
    ("counter", "answer"),
    [
        pytest.param(odd.LazyAllow(), "an awaitable", id="an awaitable"),
        pytest.param(odd.OneAllow(), "1", id="the number 1"),
        pytest.param(odd.NoneAllow(), "None", id="nothing"),
    ],
)
def test_answer_must_be_a_bool(counter: object, answer: str) -> None:
    """What is true without being True must not switch the cap off."""
    with pytest.raises(CounterContractError, match=f"returned {answer}, not a bool"):
        probed(counter).should_allow("t1", "m1")


def test_forget() -> None:
    """A counter that wants to know when a turn is over is told; another is not asked for more than it has."""
    counter = odd.Forgetful()
    probed(counter).forget_turn("t1")
    probed(odd.Minimal()).forget_turn("t1")
    assert counter.forgotten == ["t1"]
