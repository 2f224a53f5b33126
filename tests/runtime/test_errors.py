"""Tests of errors."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import TYPE_CHECKING

import pytest

from pleach_runtime import errors
from pleach_runtime.errors import PleachError, SynthesizeCapExceeded
from pleach_runtime.matrix import FamilyPick
from tests.runtime.builders import intent, row

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES: list[PleachError] = [
    errors.PleachError("plain"),
    errors.ConfigurationError("no model"),
    errors.CounterContractError("app.Counter", "it is async"),
    errors.CapLockedError(5, 6),
    errors.FamilyLockViolation("fam", ("one class to m9",)),
    errors.ObserverContractError("app.watch", "it is async"),
    errors.GraphCompileError(("2 nodes are called 'answer'",)),
    errors.GraphRunError("t1", "nodes are still due"),
    errors.HolderError("set"),
    errors.SyncFromAsyncError("running"),
    errors.SeamClassMismatch("one class", "another"),
    errors.RuntimeClosed("closed"),
    errors.InvalidId("empty"),
    errors.InvalidRequest("NaN"),
    errors.TurnError("foreign"),
    errors.TurnClosed("t1"),
    errors.TurnBusy("t2", "t1"),
    errors.BudgetError("spent"),
    SynthesizeCapExceeded("t1", "m2", 1, 1, row(intent())),
    errors.ConverseBoundExceeded("t1", 3),
    errors.RecoveryExhausted("t1", "m1", 2),
    errors.IdempotencyError("seen"),
    errors.MessageIdConflict("t1", "m1", "a" * 64, "b" * 64),
    errors.DuplicateInFlight("t1", "m1", 60.0),
    errors.LandingError("no"),
    errors.LandingUnspecified("t1", 5),
    errors.TerminalAlreadyLanded("t1", "m2", "call-1"),
    errors.ProviderError("t1", "m1", "call-1", 1, "TimeoutError"),
    errors.FamilyExhausted(
        turn_id="t1",
        message_id="m1",
        call_id="call-2",
        attempt=2,
        reason="TimeoutError",
        retryable=True,
        call_class="one class",
        models=("m1", "m2"),
        affordance=FamilyPick("fam", ("other",)),
    ),
    errors.HookError("nudge", "t1", "m1", "KeyError"),
    errors.StreamAborted("t1", "m1", "call-1", "app.watch"),
    errors.InvariantViolation("at most one", "t1", ("call-1", "call-2")),
    errors.ReplayDivergence("t1", "answer", "f" * 64, 2, "it is not recorded"),
    errors.LedgerError("no"),
    errors.UnknownTurn("t1"),
    errors.LedgerConflict("call_id", "call-1"),
    errors.TerminalConflict("t1", "call-2"),
    errors.AppendOnlyViolation("update"),
    errors.ChainBroken("t1", 3),
    errors.LedgerSchemaMismatch(2, 1),
    errors.LedgerUnavailable("away"),
    errors.LedgerLocked("locked"),
    errors.LedgerMissing("no such file"),
    errors.LedgerUnreadable("a folder"),
    errors.LedgerCorrupt("not a database"),
]
each_error = pytest.mark.parametrize("error", [pytest.param(error, id=type(error).__name__) for error in EXAMPLES])


def test_examples_are_all() -> None:
    """Every error class has an example here."""
    defined = {item for _, item in inspect.getmembers(errors, inspect.isclass) if issubclass(item, PleachError)}
    assert {type(error) for error in EXAMPLES} == defined


@each_error
@pytest.mark.parametrize(
    "again_of",
    [
        pytest.param(copy.copy, id="copied"),
        pytest.param(lambda error: pickle.loads(pickle.dumps(error)), id="pickled"),  # noqa: S301 - our own bytes
    ],
)
def test_survives(error: PleachError, again_of: Callable[[PleachError], PleachError]) -> None:
    """An error that crosses a process or is copied keeps its facts and its message."""
    again = again_of(error)
    assert type(again) is type(error)
    assert (again.__dict__, str(again)) == (error.__dict__, str(error))


@each_error
def test_message_names_the_facts(error: PleachError) -> None:
    """The message of an error holds its ids and both values."""
    facts = [value for value in vars(error).values() if type(value) in (str, int) and len(str(value)) < 20]
    assert all(str(fact) in str(error) for fact in facts)
    assert str(error)


def test_no_draft_in_the_text() -> None:
    """The last draft is an attribute, and neither in the message nor in the repr."""
    error = SynthesizeCapExceeded("t1", "m2", 1, 1, row(intent()))
    assert error.last_draft is not None
    assert error.last_draft.text not in f"{error} {error!r}"


def test_nothing_recorded_yet() -> None:
    """Without a recorded call there is no last draft."""
    assert SynthesizeCapExceeded("t1", "m2", 1, 1, None).last_draft is None


def test_refused_by_the_counter() -> None:
    """A refusal below the cap says that it was the counter."""
    assert "by the counter of turn 't1': 0 of 5" in str(SynthesizeCapExceeded("t1", "m1", 5, 0, None))


def test_the_drawing_is_true() -> None:
    """The tree in the module's docstring names every class, below its base."""
    lines = (errors.__doc__ or "").splitlines()
    drawn = {line.lstrip("├└│─ ").split()[0]: line.find("─") for line in lines if "──" in line}
    classes = {type(error).__name__: type(error) for error in EXAMPLES}
    assert set(drawn) == set(classes) - {"PleachError"}
    assert all(
        (drawn[name] == 1) == (item.__bases__[0] is PleachError) for name, item in classes.items() if name in drawn
    )
