"""Tests of policies."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.policy import (
    SessionRuntimeConfigPolicy,
    compose,
    create_coding_agent_policy,
    create_per_call_class_routing,
)
from pleach_runtime.seams import CALL_CLASSES, CallClassRoutes

caps = st.integers(min_value=1, max_value=9) | st.just(math.inf)
routes = st.builds(CallClassRoutes.of, st.dictionaries(st.sampled_from(CALL_CLASSES), st.sampled_from(["a/1", "b/2"])))
policies = st.builds(lambda cap: create_coding_agent_policy(max_synthesize_per_turn=cap), caps) | st.builds(
    lambda table: create_per_call_class_routing(routes=table), routes
)
bases = st.builds(
    lambda cap, table, extra: SessionRuntimeConfig.model_validate(
        {"max_synthesize_per_turn": cap, "per_call_class_model_routing": table, **extra}
    ),
    caps,
    routes,
    st.dictionaries(st.sampled_from(["tenant", "region"]), st.text(max_size=3)),
)


def test_coding_agent_default() -> None:
    """A coding agent gets five, from nothing or from an empty mapping."""
    assert create_coding_agent_policy().apply({}).max_synthesize_per_turn == 5
    assert create_coding_agent_policy().apply(SessionRuntimeConfig()).max_synthesize_per_turn == 5


def test_layered() -> None:
    """Routing lies over the coding-agent policy and keeps its cap."""
    base = create_coding_agent_policy(max_synthesize_per_turn=5).apply({})
    table = CallClassRoutes(synthesize="anthropic/claude-sonnet-4-5", utility="anthropic/claude-haiku-4-5")
    routed = create_per_call_class_routing(routes=table).apply(base)
    assert routed.max_synthesize_per_turn == 5
    assert routed.per_call_class_model_routing == table


def test_camel_case_base() -> None:
    """A base may be spelled in camelCase."""
    assert create_per_call_class_routing(routes={}).apply({"maxSynthesizePerTurn": 7}).max_synthesize_per_turn == 7


@pytest.mark.parametrize("cap", [0, True, 5.5, math.nan])
def test_odd_cap(cap: float) -> None:
    """A policy with a cap that is none is never made."""
    with pytest.raises(ValueError, match="int >= 1"):
        create_coding_agent_policy(max_synthesize_per_turn=cap)


def test_unknown_class() -> None:
    """A route of no class is refused when the policy is made."""
    with pytest.raises(ValidationError):
        create_per_call_class_routing(routes={"synthesise": "m"})


def test_broken_base() -> None:
    """A base that is no configuration is refused."""
    with pytest.raises(ValidationError):
        create_coding_agent_policy().apply({"max_converse_per_turn": 0})


def test_subclass_stays_one() -> None:
    """A host's own configuration class survives, with its fields."""

    class HostConfig(SessionRuntimeConfig):
        tenant: str = "acme"

    applied = create_coding_agent_policy().apply(HostConfig(tenant="x"))
    assert isinstance(applied, HostConfig)
    assert applied.tenant == "x"


@given(policies, bases)
def test_pure(policy: SessionRuntimeConfigPolicy, base: SessionRuntimeConfig) -> None:
    """The base is what it was."""
    before = base.model_dump()
    compose(policy).apply(base)
    assert base.model_dump() == before


@given(st.lists(policies, max_size=4), bases)
def test_idempotent(stack: list[SessionRuntimeConfigPolicy], base: SessionRuntimeConfig) -> None:
    """Applying twice is applying once, however many are stacked."""
    policy = compose(*stack)
    assert policy.apply(policy.apply(base)) == policy.apply(base)


@given(st.lists(policies, max_size=4), bases)
def test_extras_are_kept(stack: list[SessionRuntimeConfigPolicy], base: SessionRuntimeConfig) -> None:
    """What a policy knows nothing of is kept."""
    assert compose(*stack).apply(base).model_extra == base.model_extra


@given(caps, caps, bases)
def test_later_wins(first: float, second: float, base: SessionRuntimeConfig) -> None:
    """Of two policies on one field the later one wins."""
    stack = [create_coding_agent_policy(max_synthesize_per_turn=cap) for cap in (first, second)]
    assert compose(*stack).apply(base).max_synthesize_per_turn == second


@given(routes, routes, bases)
def test_later_wins_class_by_class(first: CallClassRoutes, second: CallClassRoutes, base: SessionRuntimeConfig) -> None:
    """Of two routings the later one wins for its classes, and leaves the others."""
    stack = [create_per_call_class_routing(routes=table) for table in (first, second)]
    merged = compose(*stack).apply(base).per_call_class_model_routing
    assert merged == second.over(first).over(base.per_call_class_model_routing)


@given(caps, routes, bases)
def test_disjoint_policies_commute(cap: float, table: CallClassRoutes, base: SessionRuntimeConfig) -> None:
    """Policies on different fields may be applied in any order."""
    one, other = create_coding_agent_policy(max_synthesize_per_turn=cap), create_per_call_class_routing(routes=table)
    assert compose(one, other).apply(base) == compose(other, one).apply(base)
