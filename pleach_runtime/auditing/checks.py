"""What must hold of the record of a turn, and where it does not. Pure: reading the record is the archive's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from pleach_runtime.audit import CallIntent, at_most_one_terminal_synthesis
from pleach_runtime.errors import ChainBroken, InvariantViolation
from pleach_runtime.events import INVOKED
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.seams.classes import is_synthesize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.events import Event
    from pleach_runtime.ledger.archive import RecordedTurn

_AS_INTENDED: Final = sorted({*CallIntent.model_fields} - {"landing", "synthesize_cap"})
"""What a call repeats of its intent word for word. A very large cap may be stored as a smaller one."""


@dataclass(frozen=True)
class Problem:
    """Something in the record that cannot be, unless somebody wrote past the guards."""

    turn_id: str
    invariant: str
    """What should hold, in a few words."""
    found: str
    """What is there instead."""


def problems_of(turn: RecordedTurn) -> tuple[Problem, ...]:
    """Return everything that is wrong with the record of a turn; nothing if it is sound."""
    turn_id = turn.record.turn_id
    return tuple(Problem(turn_id, invariant, found) for invariant, check in _CHECKS.items() for found in check(turn))


def _chain(turn: RecordedTurn) -> Iterator[str]:
    try:
        verify_chain(turn.record.turn_id, turn.chain)
    except ChainBroken as error:
        yield f"it breaks at position {error.position}"


def _terminal(turn: RecordedTurn) -> Iterator[str]:
    try:
        at_most_one_terminal_synthesis(link.row for link in turn.chain)
    except InvariantViolation as error:
        yield f"calls {', '.join(error.call_ids)} are terminal"


def _slots(turn: RecordedTurn) -> Iterator[str]:
    numbers = [number for number, _ in turn.slots]
    if len(numbers) > turn.record.synthesize_cap:
        yield f"{len(numbers)} slots at cap {turn.record.synthesize_cap}"
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"slots are numbered {', '.join(map(str, numbers))}"


def _messages(turn: RecordedTurn) -> Iterator[str]:
    held = {message_id for _, message_id in turn.slots}
    for link in turn.chain:
        if is_synthesize(link.row.call.call_class) and link.row.message_id not in held:
            yield f"call {link.row.call_id} answers message {link.row.message_id!r}, which has none"


def _events(turn: RecordedTurn) -> Iterator[str]:
    intents = {event.call_id: event for event in turn.events if event.kind.endswith(f".{INVOKED}")}
    for row in (link.row for link in turn.chain):
        event = intents.get(row.call_id)
        if event is None:
            if not row.cache_hit:
                yield f"call {row.call_id} has none"
        elif differing := _differing(row, event):
            yield f"call {row.call_id} has another {', '.join(differing)}"


def _differing(row: AuditableCall, event: Event) -> list[str]:
    try:
        intent = CallIntent.model_validate(event.payload)
    except ValidationError:
        return ["intent, which cannot be read"]
    return [name for name in _AS_INTENDED if getattr(row, name) != getattr(intent, name)]


def _belongs(turn: RecordedTurn) -> Iterator[str]:
    record = turn.record
    facts = (record.chat_id, record.turn_message_id, record.synthesize_cap)
    for row in (link.row for link in turn.chain):
        if (row.chat_id, row.turn_message_id, row.synthesize_cap) != facts:
            yield f"call {row.call_id} names another chat, user-visible message or cap than its turn"


_CHECKS: Final[dict[str, Callable[[RecordedTurn], Iterator[str]]]] = {
    "an unbroken chain": _chain,
    "at most one terminal synthesis": _terminal,
    "slots from 1 up to the cap": _slots,
    "a slot for each synthesize message": _messages,
    "an event before each call": _events,
    "calls of their turn": _belongs,
}
