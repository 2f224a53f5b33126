"""The tables of a SQL ledger, one schema for SQLite and PostgreSQL. What guards them is in `guards.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSON
from sqlalchemy.schema import CreateIndex, CreateTable, SetColumnComment

from pleach_runtime.audit import Outcome
from pleach_runtime.events import INVOKED, event_kind
from pleach_runtime.seams.classes import CALL_CLASSES, is_synthesize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Dialect

SCHEMA_VERSION: Final = 1
"""Recorded in every ledger. It grows by one when a table, an index or a guard changes."""


def one_of(column: str, words: Iterable[str]) -> str:
    """Return the SQL condition that a column holds one of some plain words."""
    return f"{column} IN ({', '.join(repr(word) for word in words)})"


IS_ANSWER: Final = one_of("call_class", filter(is_synthesize, CALL_CLASSES))
"""Condition on a call: it is of the class that is counted."""
IS_INVOCATION: Final = one_of("kind", (event_kind(call_class, INVOKED) for call_class in CALL_CLASSES))
"""Condition on an event: it was written before a provider was called."""

# STRICT tables of SQLite know only its own type names, and only a column named INTEGER counts up by itself.
_NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
_FLAG: Final = Boolean().with_variant(Integer(), "sqlite")
_MOMENT: Final = DateTime(timezone=True).with_variant(Text(), "sqlite")
# Not JSONB: a model may answer with NUL characters, which JSONB refuses, and the hash needs every one of them.
_JSON: Final = Text().with_variant(JSON(), "postgresql")

METADATA: Final = MetaData()

schema_versions: Final = Table(
    "harness_ledger_schema",
    METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False),
    sqlite_strict=True,
)

# Without rowid where the key is text: a hidden row number would be one more key to replace a row by.
turns: Final = Table(
    "harness_turns",
    METADATA,
    Column("turn_id", Text, primary_key=True),
    Column("chat_id", Text, nullable=False),
    Column("turn_message_id", Text, nullable=False),
    Column("runtime_id", Text, nullable=False),
    Column("max_synthesize_per_turn", _NUMBER, comment="cap of the turn; NULL is no cap"),
    Column("opened_at", _MOMENT, nullable=False),
    CheckConstraint("max_synthesize_per_turn >= 1"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

slots: Final = Table(
    "harness_turn_slots",
    METADATA,
    Column("turn_id", Text, ForeignKey(turns.c.turn_id), primary_key=True),
    Column("slot_no", Integer, primary_key=True, autoincrement=False, comment="from 1, without gaps"),
    Column("message_id", Text, nullable=False),
    Column("request_digest", Text, nullable=False),
    Column("max_synthesize_per_turn", _NUMBER, comment="cap of the turn; NULL is no cap"),
    UniqueConstraint("turn_id", "message_id"),
    CheckConstraint("slot_no >= 1"),
    # A row that says NULL here lets every slot pass, as it should: there is no cap.
    CheckConstraint("max_synthesize_per_turn IS NULL OR slot_no <= max_synthesize_per_turn"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

events: Final = Table(
    "harness_events",
    METADATA,
    Column("seq", _NUMBER, Identity(always=True), primary_key=True, comment="order of recording"),
    Column("event_id", Text, nullable=False, unique=True, comment="minted for each write, so that it can be repeated"),
    Column("kind", Text, nullable=False),
    Column("turn_id", Text),
    Column("message_id", Text),
    Column("call_id", Text),
    Column("payload", _JSON, nullable=False),
    Column("at", _MOMENT, nullable=False),
    CheckConstraint("json_valid(payload)").ddl_if(dialect="sqlite"),
    sqlite_strict=True,
)

calls: Final = Table(
    "harness_auditable_calls",
    METADATA,
    Column("turn_id", Text, ForeignKey(turns.c.turn_id), primary_key=True),
    Column("chain_pos", Integer, primary_key=True, autoincrement=False, comment="place in the turn's chain, from 1"),
    Column("call_id", Text, nullable=False, unique=True),
    Column("chat_id", Text, nullable=False),
    Column("turn_message_id", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    Column("attempt", Integer, nullable=False, comment="which try of the message, from 1"),
    Column("call_class", Text, nullable=False),
    Column("stage_id", Text, nullable=False),
    Column("family", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("requested_model", Text, nullable=False),
    Column("served_model", Text),
    Column("provider_response_id", Text),
    Column("fingerprint", Text, nullable=False),
    Column("max_synthesize_per_turn", _NUMBER, comment="cap in force; NULL is no cap"),
    Column("outcome", Text, nullable=False),
    Column("input_tokens", _NUMBER, comment="NULL is unknown, as for every count"),
    Column("output_tokens", _NUMBER),
    Column("cache_read_tokens", _NUMBER, comment="part of input_tokens"),
    Column("cache_write_tokens", _NUMBER, comment="part of input_tokens"),
    Column("reasoning_tokens", _NUMBER, comment="part of output_tokens"),
    Column("usage_estimated", _FLAG, nullable=False),
    Column("token_cost", _NUMBER, comment="nano-USD (1e-9 USD); NULL is unknown, never 0"),
    Column("cache_hit", _FLAG, nullable=False),
    Column("terminal_synthesis", _FLAG, nullable=False, comment="this row landed the answer of its turn"),
    Column("synthesis_quality", _JSON),
    Column("draft", _JSON),
    Column("started_at", _MOMENT, nullable=False),
    Column("ended_at", _MOMENT, nullable=False),
    Column("prev_hash", LargeBinary, nullable=False),
    Column("row_hash", LargeBinary, nullable=False),
    CheckConstraint("attempt >= 1"),
    CheckConstraint("chain_pos >= 1"),
    CheckConstraint("max_synthesize_per_turn >= 1"),
    CheckConstraint("token_cost >= 0"),
    CheckConstraint(one_of("call_class", CALL_CLASSES)),
    CheckConstraint(one_of("outcome", get_args(Outcome))),
    CheckConstraint(f"NOT terminal_synthesis OR ({IS_ANSWER} AND outcome = 'ok')"),
    CheckConstraint(f"({IS_ANSWER}) = (synthesis_quality IS NOT NULL)"),
    CheckConstraint("COALESCE((synthesis_quality->>'terminalSynthesis')::boolean, false) = terminal_synthesis").ddl_if(
        dialect="postgresql"
    ),
    CheckConstraint("COALESCE(json_extract(synthesis_quality, '$.terminalSynthesis'), 0) = terminal_synthesis").ddl_if(
        dialect="sqlite"
    ),
    CheckConstraint("usage_estimated IN (0, 1) AND cache_hit IN (0, 1) AND terminal_synthesis IN (0, 1)").ddl_if(
        dialect="sqlite"
    ),
    CheckConstraint("draft IS NULL OR json_valid(draft)").ddl_if(dialect="sqlite"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)


def _partial(name: str, table: Table, columns: tuple[str, ...], condition: str) -> Index:
    where = text(condition)
    return Index(
        name, *(table.c[column] for column in columns), unique=True, sqlite_where=where, postgresql_where=where
    )


INDEXES: Final = (
    Index("ix_hac_rollup", calls.c.turn_id, calls.c.call_class, calls.c.token_cost),
    _partial("uq_hac_terminal", calls, ("turn_id",), "terminal_synthesis"),
    _partial("uq_hac_attempt", calls, ("turn_id", "message_id", "attempt"), IS_ANSWER),
    Index("ix_he_turn", events.c.turn_id, events.c.seq),
    _partial("uq_he_invocation", events, ("call_id",), IS_INVOCATION),
)


def ddl(dialect: Dialect) -> Iterator[str]:
    """Give the statements that make the tables and their indexes, in an order that works."""
    for table in METADATA.sorted_tables:
        yield str(CreateTable(table).compile(dialect=dialect))
        if dialect.supports_comments:
            for column in table.columns:
                if column.comment is not None:
                    yield str(SetColumnComment(column).compile(dialect=dialect))
    for index in INDEXES:
        yield str(CreateIndex(index).compile(dialect=dialect))
