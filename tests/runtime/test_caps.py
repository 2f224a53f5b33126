"""Tests of caps."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from pleach_runtime.caps import LARGEST_SQL_CAP, MaxPerTurn, cap_from_sql, cap_to_json, cap_to_sql, checked_cap


class Capped(BaseModel):
    """A model with a cap."""

    cap: MaxPerTurn


@pytest.mark.parametrize(
    ("value", "cap"),
    [
        pytest.param(1, 1, id="one"),
        pytest.param(5, 5, id="five"),
        pytest.param(5.0, 5, id="a whole float"),
        pytest.param(math.inf, math.inf, id="infinity"),
        pytest.param("Infinity", math.inf, id="infinity as JSON says it"),
        pytest.param(10**30, 10**30, id="more than any database holds"),
    ],
)
def test_accepted(value: object, cap: float) -> None:
    """An int >= 1 and infinity are caps, and an int stays exact."""
    assert checked_cap(value) == cap
    assert isinstance(checked_cap(value), int) or cap == math.inf


ODD: tuple[object, ...] = (
    *(True, False, 0, -1, 5.5, math.nan, -math.inf, 0.0),
    *("5", "inf", "infinity", "-Infinity", None, []),
)


@pytest.mark.parametrize("value", [pytest.param(value, id=f"{type(value).__name__} {value}") for value in ODD])
def test_refused(value: object) -> None:
    """Everything else is refused, with the value in the message."""
    with pytest.raises(ValueError, match="a cap per turn is an int >= 1"):
        checked_cap(value)
    with pytest.raises(ValidationError):
        Capped.model_validate({"cap": value})


caps = st.integers(min_value=1, max_value=LARGEST_SQL_CAP) | st.just(math.inf)


@given(caps)
def test_json_round_trip(cap: float) -> None:
    """A cap survives JSON, and the JSON is one that every parser reads."""
    text = Capped(cap=cap).model_dump_json()
    assert Capped.model_validate_json(text).cap == cap
    assert json.loads(text, parse_constant=pytest.fail) == {"cap": cap_to_json(cap)}


@given(caps)
def test_sql_round_trip(cap: float) -> None:
    """A cap survives SQL, where no cap is NULL."""
    assert cap_from_sql(cap_to_sql(cap)) == cap
    assert (cap_to_sql(cap) is None) == (cap == math.inf)


def test_beyond_bigint() -> None:
    """A cap that a bigint cannot hold is stored as the largest one that it can."""
    assert cap_to_sql(10**30) == LARGEST_SQL_CAP


def test_json_schema() -> None:
    """The schema says what JSON may hold."""
    assert Capped.model_json_schema()["properties"]["cap"]["anyOf"] == [
        {"type": "integer", "minimum": 1},
        {"const": "Infinity"},
    ]
