"""What every counter must do, and what is the bundled one's own."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.counter import InMemoryTurnSynthesizeCounter
from pleach_runtime.errors import CapLockedError

if TYPE_CHECKING:
    from pleach_runtime.caps import Cap
    from tests.runtime.counters import MakeCounter


@pytest.mark.parametrize("cap", [1, 5])
def test_cap(make_counter: MakeCounter, cap: int) -> None:
    """So many messages of a turn are allowed, and no more."""
    allow = make_counter(cap)
    assert [allow(f"m{number}", "t1") for number in range(cap + 2)] == [True] * cap + [False] * 2


def test_infinity(make_counter: MakeCounter) -> None:
    """Without a cap nothing is refused."""
    allow = make_counter(math.inf)
    assert all(allow(f"m{number}", "t1") for number in range(50))


def test_duplicate_takes_no_slot(make_counter: MakeCounter) -> None:
    """A message that was allowed is allowed again, at the cap too, and takes no second slot."""
    allow = make_counter(2)
    assert [allow(message, "t1") for message in ("m1", "m1", "m2", "m1", "m2", "m3")] == [True] * 5 + [False]


def test_turns_count_apart(make_counter: MakeCounter) -> None:
    """The same message id in another turn is another message."""
    allow = make_counter(1)
    assert [allow("m1", "t1"), allow("m2", "t1"), allow("m1", "t2"), allow("m2", "t2")] == [True, False, True, False]


def test_threads_fill_exactly(make_counter: MakeCounter) -> None:
    """Eight threads on one turn: as many as the cap are allowed."""
    allow = make_counter(5)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: allow(f"m{number}", "t1"), range(40)))
    assert sum(answers) == 5


class TestInMemory:
    """The bundled counter."""

    def test_one_by_default(self) -> None:
        """The cap is 1 until it is set."""
        counter = InMemoryTurnSynthesizeCounter()
        assert [counter.should_allow_synthesize(message) for message in ("m1", "m2")] == [True, False]

    def test_set_once(self) -> None:
        """The cap never changes once it is set."""
        counter = InMemoryTurnSynthesizeCounter()
        counter.set_max_per_turn(5)
        with pytest.raises(CapLockedError, match="is 5 for the runtime's lifetime; it cannot become 6"):
            counter.set_max_per_turn(6)

    def test_not_after_the_first_message(self) -> None:
        """A cap cannot be raised in the middle of a turn."""
        counter = InMemoryTurnSynthesizeCounter()
        counter.should_allow_synthesize("m1", turn_id="t1")
        with pytest.raises(CapLockedError, match="is 1"):
            counter.set_max_per_turn(5)

    @pytest.mark.parametrize("cap", [0, -1, 5.5, math.nan, True])
    def test_odd_caps(self, cap: Cap) -> None:
        """What is not a cap is refused, and the counter can still be given one."""
        counter = InMemoryTurnSynthesizeCounter()
        with pytest.raises(ValueError, match="int >= 1"):
            counter.set_max_per_turn(cap)
        counter.set_max_per_turn(2)

    def test_forgets(self) -> None:
        """Memory of a turn is freed when it is over; of a turn that was never counted there is none."""
        counter = InMemoryTurnSynthesizeCounter()
        counter.should_allow_synthesize("m1", turn_id="t1")
        assert counter.used("t1") == 1
        counter.forget_turn("t1")
        counter.forget_turn("t2")
        assert counter.used("t1") == 0
