"""Running the program of a turn again, over its record. Nothing is called, paid or written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from pleach_runtime.audit import AuditableCall
from pleach_runtime.errors import PleachError, ReplayDivergence
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.price import unknown_price
from pleach_runtime.replaying.record import recorded_turn
from pleach_runtime.replaying.report import CallCounts, ReplayReport
from pleach_runtime.replaying.source import FromRecord
from pleach_runtime.routing import RoutingDecisionEngine
from pleach_runtime.runtime import Boot, Parts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.runtime import SessionRuntime
    from pleach_runtime.turn import Turn

Program: TypeAlias = "Callable[[SessionRuntime, Turn], Awaitable[object]]"
"""What a host does in a turn: it makes the calls. It is given the runtime and the open turn, and closes neither."""


async def replay(
    ledger: Ledger,
    turn_id: str,
    program: Program,
    *,
    config: SessionRuntimeConfig,
    hooks: RuntimeHooks | None = None,
) -> ReplayReport:
    """Run the program of a recorded turn again, each attempt answered as it was recorded.

    Attempts are matched by stage, fingerprint and occurrence, so it does not matter in which order concurrent ones
    end. No provider is called, the ledger is only read, hooks that price or observe rows are not asked.

    Source: the documentation of Pleach, "What changes downstream", "Replay".

    Args:
        ledger: where the turn is recorded.
        turn_id: the turn.
        program: makes the calls.
        config: the configuration to replay with; the cap is that of the record.
        hooks: judge, nudge and the like, as they were; `None` is the defaults.

    Returns:
        What came of it, also if the program ended with an error of the runtime.

    Raises:
        UnknownTurn: if the ledger has no attempt of the turn.
        ConfigurationError: if the configuration cannot be booted.
    """
    record = await recorded_turn(ledger, turn_id)
    first = record.first
    config = config.model_copy(update={"max_synthesize_per_turn": first.synthesize_cap})
    source = FromRecord(record, RoutingDecisionEngine(config, first.call.provider).cells)
    hooks = replace(hooks or RuntimeHooks(), price=unknown_price, on_row=None)
    parts = Parts(config, first.call.provider, source, MemoryLedger(), None, hooks)
    failure: PleachError | None = None
    async with (
        Boot(parts) as runtime,
        runtime.turn(chat_id=first.chat_id, turn_id=turn_id, turn_message_id=first.turn_message_id) as turn,
    ):
        try:
            await program(runtime, turn)
        except PleachError as error:
            failure = error
        await runtime.settle()
        rows = await turn.calls()
    return _report(turn_id, source, rows, failure)


def _report(
    turn_id: str, source: FromRecord, rows: Sequence[AuditableCall], failure: PleachError | None
) -> ReplayReport:
    return ReplayReport(
        turn_id,
        CallCounts.of(source.record.attempts.values()),
        CallCounts.of(rows),
        tuple(rows),
        (*source.divergences, *_otherwise(source, rows)),
        source.unconsumed,
        failure,
    )


def _otherwise(source: FromRecord, rows: Sequence[AuditableCall]) -> Iterator[ReplayDivergence]:
    """Find the attempts that were answered from the record and still ended otherwise."""
    diverged = {(each.stage_id, each.fingerprint, each.occurrence) for each in source.divergences}
    for row in rows:
        key = source.keys[row.call_id]
        recorded = source.record.attempts.get(key)
        if key in diverged or not isinstance(recorded, AuditableCall):
            continue
        if _end(recorded) != _end(row):
            yield ReplayDivergence(row.turn_id, *key, f"it ended as {_end(recorded)}, and now as {_end(row)}")
        elif recorded.draft != row.draft:
            yield ReplayDivergence(row.turn_id, *key, "the same answer is shown otherwise")


def _end(row: AuditableCall) -> str:
    return f"{row.outcome}{', terminal' if row.is_terminal else ''}, in attempt {row.attempt}"
