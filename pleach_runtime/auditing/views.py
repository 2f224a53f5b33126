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
    from collections.abc import Sequence

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
