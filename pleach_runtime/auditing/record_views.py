"""What `replay` answers with: the record of a turn, and what came of running its program again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pleach_runtime.audit import AuditableCall, CallIntent
from pleach_runtime.auditing.text import amount, table, usd
from pleach_runtime.auditing.views import View, state_of
from pleach_runtime.events import INVOKED
from pleach_runtime.ledger.columns import intent_from
from pleach_runtime.replaying.record import keyed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from pleach_runtime.auditing.checks import Problem
    from pleach_runtime.ledger.archive import RecordedTurn
    from pleach_runtime.replaying.record import AttemptKey
    from pleach_runtime.replaying.report import CallCounts, ReplayReport


def record_view(turn: RecordedTurn, problems: Sequence[Problem], *, drafts: bool) -> View:
    """Show the attempts of a turn in the order of their starts, and what is wrong with them.

    Raises:
        LedgerCorrupt: if the event of an attempt without a row was changed so that it is no longer one.
    """
    head = ("#", "stage", "class", "fingerprint", "nth", "try", "outcome", "model", "ms", "USD")
    attempts = _attempts(turn)
    lines = [(str(at), *_cells(key, attempts[key])) for at, key in enumerate(attempts, start=1)]
    shown = [table(head, lines)] if lines else ["no calls"]
    if drafts:
        shown += [f"#{at}: {_answer(attempt)}" for at, attempt in enumerate(attempts.values(), start=1)]
    shown += [f"should have {problem.invariant}, but {problem.found}" for problem in problems]
    calls: list[JsonValue] = [_fields(key, attempts[key], drafts=drafts) for key in attempts]
    found: list[JsonValue] = [{"invariant": problem.invariant, "found": problem.found} for problem in problems]
    document: JsonValue = {
        "turnId": turn.record.turn_id,
        "state": state_of(turn),
        "calls": calls,
        "problems": found,
    }
    return View("\n".join(shown), document)


def replay_view(report: ReplayReport) -> View:
    """Show whether a replay did what the record says, and where it did not."""
    told = [str(divergence) for divergence in report.divergences]
    shown = [*told]
    shown += [f"recorded, and not made again: {_place(attempt)}" for attempt in report.unconsumed]
    if report.failure is not None:
        shown.append(f"the program ended with {type(report.failure).__name__}: {report.failure}")
    made = f"replayed {_counted(report.replayed)}; recorded {_counted(report.recorded)}"
    shown.append(f"{made}: {'identical' if report.is_identical else 'not the same'}")
    unconsumed: list[JsonValue] = [attempt.call_id for attempt in report.unconsumed]
    document: JsonValue = {
        "turnId": report.turn_id,
        "identical": report.is_identical,
        "recorded": _counts(report.recorded),
        "replayed": _counts(report.replayed),
        "divergences": [*told],
        "unconsumed": unconsumed,
        "failure": None if report.failure is None else type(report.failure).__name__,
    }
    return View("\n".join(shown), document)


def _attempts(turn: RecordedTurn) -> Mapping[AttemptKey, CallIntent | AuditableCall]:
    rows = [link.row for link in turn.chain]
    ended = {row.call_id for row in rows}
    begun = [
        json.dumps(event.payload)
        for event in turn.events
        if event.kind.endswith(f".{INVOKED}") and event.call_id not in ended
    ]
    return keyed([*rows, *map(intent_from, begun)])


def _cells(key: AttemptKey, attempt: CallIntent | AuditableCall) -> tuple[str, ...]:
    call = attempt.call
    place = (call.stage_id, call.call_class, key.fingerprint[:12], str(key.occurrence), str(attempt.attempt))
    if not isinstance(attempt, AuditableCall):
        return (*place, "no row yet", call.requested_model, "", "unknown")
    lasted = (attempt.ended_at - attempt.started_at).total_seconds() * 1000
    outcome = f"{attempt.outcome}{', terminal' if attempt.is_terminal else ''}{', cached' if attempt.cache_hit else ''}"
    model = attempt.served_model or call.requested_model
    return (*place, outcome, model, f"{lasted:.0f}", usd(attempt.token_cost))


def _fields(key: AttemptKey, attempt: CallIntent | AuditableCall, *, drafts: bool) -> JsonValue:
    fields: dict[str, JsonValue] = attempt.model_dump(mode="json", exclude=None if drafts else {"draft"})
    return {**fields, "occurrence": key.occurrence}


def _answer(attempt: CallIntent | AuditableCall) -> str:
    draft = attempt.draft if isinstance(attempt, AuditableCall) else None
    return "no answer" if draft is None else json.dumps(draft.text, ensure_ascii=False)


def _place(attempt: CallIntent | AuditableCall) -> str:
    return f"call {attempt.call_id} at stage {attempt.call.stage_id!r}"


def _counted(counts: CallCounts) -> str:
    return f"{amount(sum(counts.by_class.values()), 'call')} and {amount(counts.tool_calls, 'tool call')}"


def _counts(counts: CallCounts) -> JsonValue:
    by_class: dict[str, JsonValue] = dict(counts.by_class.items())
    return {"byClass": by_class, "toolCalls": counts.tool_calls}
