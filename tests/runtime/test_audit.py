"""Tests of audit rows."""

from __future__ import annotations

import json
import pickle
from datetime import datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from pleach_runtime.audit import AuditableCall, Draft, TokenUsage, at_most_one_terminal_synthesis
from pleach_runtime.errors import InvariantViolation
from pleach_runtime.seams.rows import Ending, row_of, superseded, unknown_row
from tests.runtime.builders import T0, UTILITY, intent, moment, row


def test_json_is_camel_case() -> None:
    """JSON spells the names of Pleach, and reads them back."""
    landed = row(intent(landing=True))
    recorded = json.loads(landed.model_dump_json())
    assert recorded["synthesisQuality"]["terminalSynthesis"] is True
    assert recorded["call"]["callClass"] == landed.call.call_class
    assert AuditableCall.model_validate_json(landed.model_dump_json()) == landed


def test_frozen() -> None:
    """A row cannot be changed."""
    with pytest.raises(ValidationError, match="frozen"):
        setattr(row(intent()), "attempt", 2)  # noqa: B010 - checkers refuse the plain form


def test_no_unknown_fields() -> None:
    """A field that nobody knows is refused, not dropped."""
    with pytest.raises(ValidationError, match="extra"):
        AuditableCall.model_validate({**row(intent()).model_dump(), "surprise": 1})


def test_units_are_in_the_schema() -> None:
    """Whoever reads the schema learns the units."""
    described = AuditableCall.model_json_schema()["properties"]["tokenCost"]["description"]
    assert "nano-USD" in described


def test_times_are_utc() -> None:
    """A moment in another zone is the same moment in UTC, with microseconds in JSON."""
    elsewhere = datetime(2025, 3, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    shifted = row_of(intent(), Ending("ok", elsewhere))
    assert shifted.ended_at == T0
    assert json.loads(shifted.model_dump_json())["endedAt"] == "2025-03-01T12:00:00.000000+00:00"


def test_naive_time_is_refused() -> None:
    """A moment without a zone could be any of 38."""
    with pytest.raises(ValidationError, match="timezone"):
        row_of(intent(), Ending("ok", T0.replace(tzinfo=None)))


@pytest.mark.parametrize("count", [pytest.param(value, id=repr(value)) for value in (-1, 1.5, "7", True)])
def test_odd_token_counts(count: object) -> None:
    """A token count is an int >= 0 or unknown."""
    with pytest.raises(ValidationError):
        TokenUsage.model_validate({"input_tokens": count})


def test_zero_and_unknown_differ() -> None:
    """0 tokens and no idea are two facts, in JSON too."""
    assert json.loads(TokenUsage(input_tokens=0).model_dump_json())["inputTokens"] == 0
    assert json.loads(TokenUsage().model_dump_json())["inputTokens"] is None


@pytest.mark.parametrize("outcome", ["thin", "empty", "refused", "error", "aborted", "unknown"])
def test_only_ok_is_terminal(outcome: str) -> None:
    """No other outcome can be marked terminal, not even by hand."""
    landed = row(intent(landing=True))
    with pytest.raises(ValidationError, match="only an ok attempt"):
        AuditableCall.model_validate({**landed.model_dump(), "outcome": outcome})


def test_quality_belongs_to_the_answer_class() -> None:
    """A row of another class has no quality, and a row of the answer class has one."""
    quality = row(intent()).synthesis_quality
    for of, given in ((intent(call_class=UTILITY), quality), (intent(), None)):
        with pytest.raises(ValidationError, match="belongs to rows of the answer class"):
            AuditableCall.model_validate({**row(of).model_dump(by_alias=False), "synthesis_quality": given})


def test_row_of_keeps_the_intent() -> None:
    """A row says what its intent said."""
    of = intent(landing=True)
    kept, shared = row(of).model_dump(), of.model_dump(exclude={"landing"})
    assert {name: kept[name] for name in shared} == shared


def test_landing_means_terminal_only_when_ok() -> None:
    """A landing attempt lands if it is ok and nobody was faster."""
    of = intent(landing=True)
    assert row(of).is_terminal
    assert not row(of, "empty").is_terminal
    assert not row(intent()).is_terminal
    assert not superseded(row(of)).is_terminal


def test_superseded_says_so() -> None:
    """A landing attempt that came second says why it did not land."""
    quality = superseded(row(intent(landing=True))).synthesis_quality
    assert quality is not None
    assert (quality.landing, quality.reason) == (True, "superseded")


def test_unknown_row_claims_nothing() -> None:
    """A row of recovery has no tokens, no cost and no draft."""
    lost = unknown_row(intent(landing=True), moment(60))
    assert (lost.outcome, lost.usage, lost.token_cost, lost.draft) == ("unknown", TokenUsage(), None, None)


def test_rows_can_be_pickled() -> None:
    """A row crosses a process as itself."""
    landed = row(intent(landing=True))
    assert pickle.loads(pickle.dumps(landed)) == landed  # noqa: S301 - our own bytes


class TestAtMostOneTerminal:
    """The invariant of Pleach."""

    def test_passthrough_and_one(self) -> None:
        """No terminal row is fine, and one per turn is."""
        at_most_one_terminal_synthesis([])
        at_most_one_terminal_synthesis([row(intent()), row(intent(call_class=UTILITY))])
        at_most_one_terminal_synthesis([row(intent(turn_id=turn_id, landing=True)) for turn_id in ("t1", "t2")])

    def test_two(self) -> None:
        """Two in one turn are named, in order."""
        first, second = row(intent("m1", landing=True)), row(intent("m2", landing=True))
        with pytest.raises(InvariantViolation, match=f"{first.call_id}, {second.call_id}") as caught:
            at_most_one_terminal_synthesis([first, row(intent("m3")), second])
        assert caught.value.call_ids == (first.call_id, second.call_id)


def test_draft_keeps_text_as_it_is() -> None:
    """A draft is not stripped: what was rendered is what is audited."""
    assert Draft(text="  two spaces \n").text == "  two spaces \n"
