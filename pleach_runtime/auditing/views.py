"""What the commands answer with, as text and as JSON. Where it comes from, and whether it is sound, is elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.auditing.text import amount, clock, table, usd
from pleach_runtime.caps import cap_to_json
from pleach_runtime.events import turn_activity
from pleach_runtime.ledger.archive import Cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import JsonValue

    from pleach_runtime.audit import AuditableCall, CallIntent
    from pleach_runtime.auditing.checks import Problem
    from pleach_runtime.ledger.archive import Grouping, RecordedTurn, TurnSummary


@dataclass(frozen=True)
class View:
    """An answer in both forms."""

    text: str
    json: JsonValue

    def shown(self, output_format: str) -> str:
        """Return the answer as `text` or `json`."""
        return self.text if output_format == "text" else json.dumps(self.json, indent=2)


def turns_view(turns: Sequence[tuple[TurnSummary, str]]) -> View:
    """Show turns, each with its state."""
    head = ("turn", "chat", "opened", "cap", "slots", "calls", "unpriced", "USD", "state")
    rows = [
        (
            turn.record.turn_id,
            turn.record.chat_id,
            clock(turn.record.opened_at),
            _cap(turn),
            str(turn.slots),
            *_cost_cells(turn.cost),
            state,
        )
        for turn, state in turns
    ]
    return View(table(head, rows) if rows else "no turns", [_turn_json(turn, state) for turn, state in turns])


def state_of(turn: RecordedTurn) -> str:
    """Return how far a turn has come, in a word."""
    activity = turn_activity(turn.events)
    if any(link.row.is_terminal for link in turn.chain):
        return "answered"
    if activity.passthrough:
        return "passthrough"
    return "closed" if activity.closed else "open"


def rollup_view(by: Grouping, costs: Sequence[Cost]) -> View:
    """Show costs and their sum."""
    known = [cost.token_cost for cost in costs if cost.token_cost is not None]
    total = Cost(
        "total",
        sum(cost.calls for cost in costs),
        sum(known) if known else None,
        sum(cost.unpriced_calls for cost in costs),
    )
    rows = [(cost.group, *_cost_cells(cost)) for cost in (*costs, total)]
    groups: list[JsonValue] = [{by: cost.group, **_cost_json(cost)} for cost in costs]
    text = table((by, "calls", "unpriced", "USD"), rows) if costs else "no calls"
    return View(text, {"by": by, "groups": groups, "total": _cost_json(total)})


@dataclass(frozen=True)
class Verification:
    """What came of checking turns."""

    turns: int
    calls: int
    problems: Sequence[Problem]
    unfinished: int
    """Attempts without a row: under way, or for `recover`."""


def verification_view(result: Verification) -> View:
    """Show what was checked, and what is wrong."""
    rows = [(problem.turn_id, problem.invariant, problem.found) for problem in result.problems]
    shown = [table(("turn", "should have", "but"), rows)] if rows else []
    counted = f"{amount(result.turns, 'turn')} with {amount(result.calls, 'call')}"
    shown.append(f"verified {counted}: {amount(len(rows), 'problem')}")
    if result.unfinished:
        shown.append(f"{amount(result.unfinished, 'attempt')} without a row: under way, or for `pleach-audit recover`")
    problems: list[JsonValue] = [
        {"turnId": problem.turn_id, "invariant": problem.invariant, "found": problem.found}
        for problem in result.problems
    ]
    counts: dict[str, JsonValue] = {"turns": result.turns, "calls": result.calls, "unfinished": result.unfinished}
    return View("\n".join(shown), {**counts, "problems": problems})


def unfinished_view(attempts: Sequence[CallIntent | AuditableCall], *, closed: bool) -> View:
    """Show attempts without a row, or those that were just closed as unknown."""
    head = ("call", "turn", "class", "stage", "model", "started")
    rows = [
        (
            attempt.call_id,
            attempt.turn_id,
            attempt.call.call_class,
            attempt.call.stage_id,
            attempt.call.requested_model,
            clock(attempt.started_at),
        )
        for attempt in attempts
    ]
    said = f"{amount(len(rows), 'attempt')} {'closed as unknown' if closed else 'would be closed as unknown'}"
    document: list[JsonValue] = [attempt.model_dump(mode="json") for attempt in attempts]
    return View(f"{table(head, rows)}\n{said}" if rows else said, {"closed": closed, "attempts": document})


def record_view(turn: RecordedTurn, problems: Sequence[Problem], *, drafts: bool) -> View:
    """Show the calls of a turn in order, and what is wrong with them."""
    head = ("#", "stage", "class", "fingerprint", "nth", "try", "outcome", "model", "ms", "USD")
    rows = [link.row for link in turn.chain]
    lines = [(str(at), *_call_cells(row, nth)) for at, (row, nth) in enumerate(_numbered(rows), start=1)]
    shown = [table(head, lines)] if lines else ["no calls"]
    if drafts:
        shown += [f"#{at}: {_answer(row)}" for at, row in enumerate(rows, start=1)]
    shown += [f"should have {problem.invariant}, but {problem.found}" for problem in problems]
    document: list[JsonValue] = [_call_json(row, nth, drafts=drafts) for row, nth in _numbered(rows)]
    found: list[JsonValue] = [{"invariant": problem.invariant, "found": problem.found} for problem in problems]
    return View(
        "\n".join(shown),
        {"turnId": turn.record.turn_id, "state": state_of(turn), "calls": document, "problems": found},
    )


def _numbered(rows: Iterable[AuditableCall]) -> Iterable[tuple[AuditableCall, int]]:
    """Give each call with its number among those of the same stage and fingerprint, from 1."""
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row.call.stage_id, row.fingerprint
        seen[key] = seen.get(key, 0) + 1
        yield row, seen[key]


def _call_cells(row: AuditableCall, nth: int) -> tuple[str, ...]:
    lasted = (row.ended_at - row.started_at).total_seconds() * 1000
    return (
        row.call.stage_id,
        row.call.call_class,
        row.fingerprint[:12],
        str(nth),
        str(row.attempt),
        f"{row.outcome}{', terminal' if row.is_terminal else ''}{', cached' if row.cache_hit else ''}",
        row.served_model or row.call.requested_model,
        f"{lasted:.0f}",
        usd(row.token_cost),
    )


def _call_json(row: AuditableCall, nth: int, *, drafts: bool) -> JsonValue:
    fields: dict[str, JsonValue] = row.model_dump(mode="json", exclude=None if drafts else {"draft"})
    return {**fields, "occurrence": nth}


def _answer(row: AuditableCall) -> str:
    return "no answer" if row.draft is None else json.dumps(row.draft.text, ensure_ascii=False)


def _cap(turn: TurnSummary) -> str:
    cap = cap_to_json(turn.record.synthesize_cap)
    return "none" if isinstance(cap, str) else str(cap)


def _cost_cells(cost: Cost) -> tuple[str, str, str]:
    return str(cost.calls), str(cost.unpriced_calls), usd(cost.token_cost)


def _cost_json(cost: Cost) -> dict[str, JsonValue]:
    return {"calls": cost.calls, "unpricedCalls": cost.unpriced_calls, "tokenCost": cost.token_cost}


def _turn_json(turn: TurnSummary, state: str) -> JsonValue:
    record = turn.record
    return {
        "turnId": record.turn_id,
        "chatId": record.chat_id,
        "turnMessageId": record.turn_message_id,
        "openedAt": record.opened_at.isoformat(),
        "synthesizeCap": cap_to_json(record.synthesize_cap),
        "slots": turn.slots,
        **_cost_json(turn.cost),
        "state": state,
    }
