"""A recorded turn as a replay looks at it: attempts by where, what and how often. Reading ledgers is theirs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pleach_runtime.audit import AuditableCall, CallIntent
from pleach_runtime.errors import UnknownTurn
from pleach_runtime.events import FAMILY_EXHAUSTED, INVOKED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pleach_runtime.events import Event
    from pleach_runtime.ledger import Ledger


class AttemptKey(NamedTuple):
    """What tells an attempt of a turn from the others, whatever the order in which they ended."""

    stage_id: str
    fingerprint: str
    occurrence: int
    """Which of the attempts at this stage with this fingerprint it was, from 1, in the order of their starts."""


@dataclass(frozen=True)
class RecordedTurn:
    """What a ledger holds of a turn."""

    attempts: Mapping[AttemptKey, CallIntent | AuditableCall]
    """The attempts, in the order of their starts. One whose process died before its row was written is an intent."""
    exhausted: frozenset[str]
    """Call ids of the attempts that exhausted their family."""

    @property
    def first(self) -> CallIntent | AuditableCall:
        """The attempt that was started first."""
        return next(iter(self.attempts.values()))

    def was_passed_on(self, row: AuditableCall, rungs: Sequence[str]) -> bool:
        """Whether a failed attempt was one that another model could have answered.

        The record does not say it, but what came next does: the next rung, or that there was none.
        """
        steps = set(pairwise(rungs))
        return row.call_id in self.exhausted or any(
            (other.message_id, other.attempt) == (row.message_id, row.attempt + 1)
            and (row.call.requested_model, other.call.requested_model) in steps
            for other in self.attempts.values()
        )


async def recorded_turn(ledger: Ledger, turn_id: str) -> RecordedTurn:
    """Read a turn.

    Raises:
        UnknownTurn: if the ledger has no attempt of it.
    """
    rows, events = await ledger.calls(turn_id), await ledger.events(turn_id)
    if not rows and not any(map(_is_intent, events)):
        raise UnknownTurn(turn_id)
    return RecordedTurn(
        keyed(_attempts(rows, events)),
        frozenset(event.call_id for event in events if event.kind == FAMILY_EXHAUSTED and event.call_id is not None),
    )


def keyed(attempts: Iterable[CallIntent | AuditableCall]) -> dict[AttemptKey, CallIntent | AuditableCall]:
    """Return attempts of one turn by their keys, in the order of their starts."""
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[AttemptKey, CallIntent | AuditableCall] = {}
    for attempt in sorted(attempts, key=lambda attempt: attempt.started_at):
        place = attempt.call.stage_id, attempt.fingerprint
        seen[place] += 1
        found[AttemptKey(*place, seen[place])] = attempt
    return found


def _attempts(rows: Sequence[AuditableCall], events: Sequence[Event]) -> list[CallIntent | AuditableCall]:
    """Return the attempts in the order of their events, with their rows where they have one."""
    ended: dict[str, CallIntent | AuditableCall] = {row.call_id: row for row in rows}
    begun = [CallIntent.model_validate(event.payload) for event in events if _is_intent(event)]
    found = [ended.pop(intent.call_id, intent) for intent in begun]
    return [*found, *ended.values()]


def _is_intent(event: Event) -> bool:
    return event.kind.endswith(f".{INVOKED}")
