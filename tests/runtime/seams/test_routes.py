"""Tests of the table that is keyed by class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pleach_runtime.seams import CALL_CLASSES, CallClassRoutes

routes = st.builds(
    CallClassRoutes.of, st.dictionaries(st.sampled_from(CALL_CLASSES), st.none() | st.sampled_from(["small", "big"]))
)


def test_uniform() -> None:
    """One model for all."""
    assert set(CallClassRoutes.uniform("m").by_class().items()) == {(call_class, "m") for call_class in CALL_CLASSES}


def test_order() -> None:
    """The table as a mapping is in the order of the classes."""
    assert tuple(CallClassRoutes().by_class()) == CALL_CLASSES


@pytest.mark.parametrize(
    "table", [pytest.param({"synthesise": "m"}, id="a slip"), pytest.param({CALL_CLASSES[0]: ""}, id="no model")]
)
def test_refused(table: dict[str, str]) -> None:
    """A key that is no class, or an empty model, is refused."""
    with pytest.raises(ValidationError):
        CallClassRoutes.model_validate(table)


@given(routes, routes)
def test_over(upper: CallClassRoutes, lower: CallClassRoutes) -> None:
    """Class by class, the upper table wins where it decides."""
    merged = upper.over(lower)
    for call_class in CALL_CLASSES:
        assert merged.model_for(call_class) == (upper.model_for(call_class) or lower.model_for(call_class))


@given(routes)
def test_json_round_trip(table: CallClassRoutes) -> None:
    """The table survives JSON."""
    assert CallClassRoutes.model_validate_json(table.model_dump_json()) == table
