"""How turns, events and calls are laid out in columns, and read back. No SQL."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError

from pleach_runtime.audit import AuditableCall, CallIntent, UtcTime, utc_to_json
from pleach_runtime.caps import cap_from_sql, cap_to_sql
from pleach_runtime.errors import ChainBroken, LedgerCorrupt
from pleach_runtime.events import INVOKED, Event, event_kind
from pleach_runtime.ledger.chain import ChainLink
from pleach_runtime.ledger.protocol import ClassCost, TurnRecord

if TYPE_CHECKING:
    from pleach_runtime.seams.classes import CallClass

SqlValue: TypeAlias = str | int | bytes | datetime | None
"""What a column takes or gives: text, numbers and flags, hashes; a moment goes in as ISO 8601 text."""
Columns: TypeAlias = dict[str, SqlValue]
Row: TypeAlias = tuple[SqlValue, ...]

CALL_COLUMNS: Final = (
    "call_id",
    "chat_id",
    "turn_id",
    "turn_message_id",
    "message_id",
    "attempt",
    "fingerprint",
    "started_at",
    "outcome",
    "served_model",
    "provider_response_id",
    "token_cost",
    "cache_hit",
    "ended_at",
)
"""Columns that hold a field of a call of the same name."""
SUBJECT_COLUMNS: Final = ("call_class", "stage_id", "family", "provider", "requested_model")
USAGE_COLUMNS: Final = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")
OTHER_COLUMNS: Final = (
    "max_synthesize_per_turn",
    "usage_estimated",
    "terminal_synthesis",
    "synthesis_quality",
    "draft",
)
LINK_COLUMNS: Final = ("chain_pos", "prev_hash", "row_hash")
READ_COLUMNS: Final = (*CALL_COLUMNS, *SUBJECT_COLUMNS, *USAGE_COLUMNS, *OTHER_COLUMNS, *LINK_COLUMNS)
"""What is read of a call, in this order."""

COST_BASE: Final = 2**32
"""Costs are added up in halves: their quotients and their remainders by this."""

_MOMENT: Final[TypeAdapter[datetime]] = TypeAdapter(UtcTime)


def moment_text(moment: datetime) -> str:
    """Return the one text form of a moment, which sorts as the moments do."""
    return utc_to_json(moment.astimezone(timezone.utc))


def turn_columns(turn: TurnRecord) -> Columns:
    """Lay out a turn."""
    return {
        "turn_id": turn.turn_id,
        "chat_id": turn.chat_id,
        "turn_message_id": turn.turn_message_id,
        "runtime_id": turn.runtime_id,
        "max_synthesize_per_turn": cap_to_sql(turn.synthesize_cap),
        "opened_at": moment_text(turn.opened_at),
    }


def turn_from(row: Row) -> TurnRecord:
    """Read a turn; the columns are in the order of its fields.

    Raises:
        LedgerCorrupt: if the columns are not those of a turn.
    """
    turn_id, chat_id, turn_message_id, runtime_id = cast("tuple[str, str, str, str]", row[:4])
    cap = cap_from_sql(cast("int | None", row[4]))
    try:
        opened_at = _MOMENT.validate_python(row[5])
    except ValidationError:
        # Here and below the cause is left out: it quotes the columns, and with them what the user was told.
        raise LedgerCorrupt(f"the record of turn {turn_id!r} cannot be read") from None
    return TurnRecord(turn_id, chat_id, turn_message_id, runtime_id, cap, opened_at)


def event_columns(event: Event, event_id: str) -> Columns:
    """Lay out an event under the id of the write that records it."""
    return {
        "event_id": event_id,
        "kind": event.kind,
        "turn_id": event.turn_id,
        "message_id": event.message_id,
        "call_id": event.call_id,
        "payload": json.dumps(event.payload, allow_nan=False),
        "at": utc_to_json(event.at),
    }


def invocation_columns(intent: CallIntent, event_id: str) -> Columns:
    """Lay out `invoked_event(intent)`, without making it: this is done before every call."""
    return {
        "event_id": event_id,
        "kind": event_kind(intent.call.call_class, INVOKED),
        "turn_id": intent.turn_id,
        "message_id": intent.message_id,
        "call_id": intent.call_id,
        "payload": intent.model_dump_json(),
        "at": utc_to_json(intent.started_at),
    }


def event_from(row: Row) -> Event:
    """Read an event from kind, turn, message, call, payload and moment.

    Raises:
        LedgerCorrupt: if the columns are not those of an event.
    """
    fields = dict(zip(("kind", "turn_id", "message_id", "call_id", "payload", "at"), row, strict=True))
    try:
        return Event.model_validate({**fields, "payload": _loaded(fields["payload"])})
    except ValueError:
        raise LedgerCorrupt(f"an event of turn {fields['turn_id']!r} cannot be read") from None


def intent_from(payload: SqlValue) -> CallIntent:
    """Read the intent that the payload of an `invoked` event holds.

    Raises:
        LedgerCorrupt: if it is none.
    """
    try:
        return CallIntent.model_validate_json(cast("str", payload))
    except ValidationError:
        raise LedgerCorrupt("the event of an attempt cannot be read") from None


def storable(call: AuditableCall) -> AuditableCall:
    """Return the call as it will be read back: a cap beyond bigint becomes the largest bigint."""
    cap = cap_from_sql(cap_to_sql(call.synthesize_cap))
    return call if cap == call.synthesize_cap else call.model_copy(update={"synthesize_cap": cap})


def call_columns(link: ChainLink) -> Columns:
    """Lay out a call at its place in the chain."""
    call, quality = link.row, link.row.synthesis_quality
    return {
        **{name: getattr(call, name) for name in CALL_COLUMNS},
        **{name: getattr(call.call, name) for name in SUBJECT_COLUMNS},
        **{name: getattr(call.usage, name) for name in USAGE_COLUMNS},
        "started_at": utc_to_json(call.started_at),
        "ended_at": utc_to_json(call.ended_at),
        "max_synthesize_per_turn": cap_to_sql(call.synthesize_cap),
        "usage_estimated": call.usage.estimated,
        "terminal_synthesis": call.is_terminal,
        "synthesis_quality": None if quality is None else quality.model_dump_json(),
        "draft": None if call.draft is None else call.draft.model_dump_json(),
        "chain_pos": link.position,
        "prev_hash": link.prev_hash,
        "row_hash": link.row_hash,
    }


def link_from(row: Row) -> ChainLink:
    """Read a call and its place in the chain from `READ_COLUMNS`.

    Raises:
        ChainBroken: if the columns are not those of a call: somebody changed them.
    """
    columns: Columns = dict(zip(READ_COLUMNS, row, strict=True))
    position = cast("int", columns["chain_pos"])
    broken = ChainBroken(cast("str", columns["turn_id"]), position)
    try:
        call = _call_from(columns)
    except ValueError:
        raise broken from None
    if call.is_terminal != columns["terminal_synthesis"]:
        raise broken
    return ChainLink(position, cast("bytes", columns["prev_hash"]), cast("bytes", columns["row_hash"]), call)


def cost_from(row: Row) -> ClassCost:
    """Read the cost of a class from its name, its rows, the two halves of their sum and those without a price."""
    call_class, rows, upper, lower, unpriced = row
    return ClassCost(cast("CallClass", call_class), cast("int", rows), cost_sum(upper, lower), cast("int", unpriced))


def cost_sum(upper: object, lower: object) -> int | None:
    """Return the sum of costs whose halves were added up apart, see `COST_HALVES`; `None` if no cost was known."""
    return None if upper is None else int(cast("int", upper)) * COST_BASE + int(cast("int", lower))


def _call_from(columns: Columns) -> AuditableCall:
    usage = {name: columns[name] for name in USAGE_COLUMNS}
    return AuditableCall.model_validate(
        {
            **{name: columns[name] for name in CALL_COLUMNS},
            "call": {name: columns[name] for name in SUBJECT_COLUMNS},
            "usage": {**usage, "estimated": columns["usage_estimated"]},
            "synthesize_cap": cap_from_sql(cast("int | None", columns["max_synthesize_per_turn"])),
            "synthesis_quality": _loaded(columns["synthesis_quality"]),
            "draft": _loaded(columns["draft"]),
        }
    )


def _loaded(text: SqlValue) -> object:
    return None if text is None else json.loads(cast("str", text))
