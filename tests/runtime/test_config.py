"""Tests of the configuration."""

from __future__ import annotations

import json
import math

import pytest
from pydantic import ValidationError

from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.seams import CallClassRoutes


def test_defaults() -> None:
    """Out of the box: one answer per turn, three short messages, one recovery."""
    config = SessionRuntimeConfig()
    assert (config.max_synthesize_per_turn, config.max_converse_per_turn, config.max_recovery_attempts) == (1, 3, 1)


@pytest.mark.parametrize(
    "value", [pytest.param(value, id=repr(value)) for value in (True, 0, -1, 5.5, math.nan, -math.inf, "5", None)]
)
@pytest.mark.parametrize("field", ["max_synthesize_per_turn", "max_converse_per_turn"])
def test_odd_caps(field: str, value: object) -> None:
    """A cap that is none is refused with the value in the message."""
    with pytest.raises(ValidationError, match="a cap per turn is an int >= 1"):
        SessionRuntimeConfig.model_validate({field: value})


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"max_recovery_attempts": -1}, id="negative recovery"),
        pytest.param({"max_recovery_attempts": True}, id="recovery as a bool"),
        pytest.param({"on_unsupported_cap": "shout"}, id="an unknown reaction"),
        pytest.param({"join_timeout_seconds": 0.0}, id="no time to join"),
        pytest.param({"orphan_after_seconds": math.inf}, id="orphans live for ever"),
        pytest.param({"per_call_class_model_routing": {"synthesise": "m"}}, id="a route of no class"),
    ],
)
def test_refused(fields: dict[str, object]) -> None:
    """Other odd values are refused too."""
    with pytest.raises(ValidationError):
        SessionRuntimeConfig.model_validate(fields)


def test_frozen() -> None:
    """A configuration cannot be changed."""
    with pytest.raises(ValidationError, match="frozen"):
        setattr(SessionRuntimeConfig(), "max_synthesize_per_turn", 5)  # noqa: B010 - checkers refuse the plain form


def test_json_round_trip() -> None:
    """JSON is camelCase, with infinity as a string, and reads back."""
    config = SessionRuntimeConfig(max_synthesize_per_turn=math.inf, models=CallClassRoutes.uniform("m"))
    text = config.model_dump_json()
    assert json.loads(text)["maxSynthesizePerTurn"] == "Infinity"
    assert SessionRuntimeConfig.model_validate_json(text) == config


def test_fields_of_the_host_are_kept() -> None:
    """A field that is the host's own is kept."""
    config = SessionRuntimeConfig.model_validate({"tenant": "acme"})
    assert config.model_extra == {"tenant": "acme"}


@pytest.mark.parametrize("slip", ["max_synthesise_per_turn", "maxSynthesizesPerTurn", "familly", "model"])
def test_slips(slip: str) -> None:
    """A field that is nearly one of ours is a slip, not the host's own."""
    with pytest.raises(ValidationError, match="did you mean"):
        SessionRuntimeConfig.model_validate({slip: 5})
