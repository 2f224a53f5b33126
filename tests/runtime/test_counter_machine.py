"""A state machine against a model of the contract: counters must pass it, and four near misses must not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.runtime.counters import in_memory

if TYPE_CHECKING:
    from pleach_runtime.caps import Cap
    from tests.runtime.counters import Allow, MakeCounter

QUICK = settings(max_examples=30, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
messages = st.sampled_from(["m1", "m2", "m3", "m4"])
turns = st.sampled_from(["t1", "t2"])


def machine_for(make: MakeCounter) -> type[RuleBasedStateMachine]:
    """Return a machine that compares a counter with the model, one delivery at a time."""

    class CounterMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.cap: Cap = 1
            self.allow: Allow = in_memory(1)
            self.allowed: dict[str, set[str]] = {}

        @initialize(cap=st.sampled_from([1, 2, 3, math.inf]))
        def boot(self, cap: Cap) -> None:
            self.cap, self.allow = cap, make(cap)

        @rule(message_id=messages, turn_id=turns)
        def deliver(self, message_id: str, turn_id: str) -> None:
            known = self.allowed.setdefault(turn_id, set())
            expected = message_id in known or len(known) < self.cap
            assert self.allow(message_id, turn_id) == expected
            if expected:
                known.add(message_id)

    return CounterMachine


def duplicate_consumes(cap: Cap) -> Allow:
    """Count deliveries instead of messages."""
    used: dict[str, int] = {}

    def allow(_message_id: str, turn_id: str) -> bool:
        used[turn_id] = used.get(turn_id, 0) + 1
        return used[turn_id] <= cap

    return allow


def global_ids(cap: Cap) -> Allow:
    """Remember message ids over all turns."""
    seen: set[str] = set()
    used: dict[str, set[str]] = {}

    def allow(message_id: str, turn_id: str) -> bool:
        known = used.setdefault(turn_id, set())
        allowed = message_id in seen or len(known) < cap
        if allowed and message_id not in seen:
            known.add(message_id)
            seen.add(message_id)
        return allowed

    return allow


def sticky_rejection(cap: Cap) -> Allow:
    """Remember every message, the refused too: its next delivery passes for a duplicate."""
    seen: dict[str, set[str]] = {}

    def allow(message_id: str, turn_id: str) -> bool:
        known = seen.setdefault(turn_id, set())
        if message_id in known:
            return True
        known.add(message_id)
        return len(known) <= cap

    return allow


def off_by_one(cap: Cap) -> Allow:
    """Allow one more than the cap."""
    return in_memory(cap + 1)


def test_counter_keeps_the_contract(make_counter: MakeCounter) -> None:
    """A counter agrees with the model after any sequence of deliveries."""
    run_state_machine_as_test(machine_for(make_counter), settings=QUICK)


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(duplicate_consumes, id="a duplicate consumes a slot"),
        pytest.param(global_ids, id="message ids are global"),
        pytest.param(sticky_rejection, id="a rejection is remembered"),
        pytest.param(off_by_one, id="one more than the cap"),
    ],
)
def test_mutant_is_killed(mutant: MakeCounter) -> None:
    """The machine is sharp enough to see each of the four classic mistakes."""
    search = settings(QUICK, max_examples=300, database=None, phases=[Phase.generate])
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine_for(mutant), settings=search)
