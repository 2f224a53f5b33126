"""The audit rows: what was asked, what came back, what it cost. How rows are stored is the ledger's."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    model_validator,
)
from pydantic.alias_generators import to_camel

from pleach_runtime.caps import MaxPerTurn
from pleach_runtime.errors import InvariantViolation
from pleach_runtime.seams.classes import CallClass, is_synthesize
from pleach_runtime.text import mended

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self


def _to_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is timezone.utc else moment.astimezone(timezone.utc)


def utc_to_json(moment: datetime) -> str:
    """Return a UTC moment as ISO 8601 with microseconds, the one text form that rows and hashes use."""
    return moment.isoformat(timespec="microseconds")


UtcTime = Annotated[
    AwareDatetime, AfterValidator(_to_utc), PlainSerializer(utc_to_json, return_type=str, when_used="json")
]
"""An aware moment, kept in UTC; a naive one is refused."""
Id = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]*$")]
"""Text that keys and columns of every ledger can hold."""
Tokens = Annotated[int, Field(strict=True, ge=0, lt=2**63)]
NanoUsd = Annotated[int, Field(strict=True, ge=0, lt=2**63)]

Verdict: TypeAlias = Literal["ok", "thin", "empty", "refused"]
"""What a judge says about a draft that the provider returned."""
Outcome: TypeAlias = Literal["ok", "thin", "empty", "refused", "error", "aborted", "unknown"]
"""How an attempt ended: a verdict; `error` if the provider failed; `aborted` if the caller went away; `unknown` if the
process died before it could say."""


def _without_nul(text: str) -> str:
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


Said = Annotated[str, AfterValidator(mended)]
"""Text as a provider said it. Half a surrogate pair is replaced by U+FFFD: the call is paid, and must be recorded."""
SaidInColumn = Annotated[Said, AfterValidator(_without_nul)]
"""The same for a column of its own, which in PostgreSQL holds no NUL: it is replaced too."""


class AuditModel(BaseModel):
    """Base of recorded values: frozen, no unknown fields, camelCase in JSON, units in the schema."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
    )


class TokenUsage(AuditModel):
    """Token counts of one attempt. `None` is unknown; 0 is what the provider said."""

    input_tokens: Tokens | None = None
    """Tokens of the prompt, cached ones included."""
    output_tokens: Tokens | None = None
    """Tokens of the answer, reasoning included."""
    cache_read_tokens: Tokens | None = None
    """Part of `input_tokens` that was read from the provider's cache."""
    cache_write_tokens: Tokens | None = None
    """Part of `input_tokens` that was written to the provider's cache."""
    reasoning_tokens: Tokens | None = None
    """Part of `output_tokens` that was spent on hidden reasoning."""
    estimated: bool = False
    """Whether the counts were estimated here instead of reported by the provider."""


UNKNOWN_USAGE: Final = TokenUsage()
"""Nobody said how many tokens it was."""


class ToolCall(AuditModel):
    """A tool that the model asked for."""

    tool_call_id: Said
    """The provider's id, which the tool's result refers to."""
    name: Said
    arguments: Said = "{}"
    """Arguments as the model wrote them: JSON text, not checked."""


class Draft(AuditModel):
    """What the model answered."""

    text: Said = ""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tools that the model asked for, in order."""
    refused: bool = False
    """Whether the provider said that the model refuses."""
    finish_reason: Said | None = None
    """Why the model stopped, in the provider's words; `None` if it did not say."""


class CallSubject(AuditModel):
    """Which call this is, as routed."""

    call_class: CallClass
    """The class of the seam that carried the call."""
    stage_id: Id
    """The node, or other place in the program, that made the call."""
    family: Id
    """The model family that the runtime is locked to. Not the provider: one family is sold by several."""
    provider: Id
    """Who was called."""
    requested_model: Id
    """The model that was asked for."""


class _Attempt(AuditModel):
    call_id: Id
    """Minted here for each attempt, never the provider's id: the key of the row."""
    chat_id: Id
    turn_id: Id
    turn_message_id: Id
    """The user-visible message of the turn: the same on all rows of a turn."""
    message_id: Id
    """The message of this intended call: distinct per intended call, the same for its duplicates and retries."""
    attempt: Annotated[int, Field(strict=True, ge=1)]
    """Which try of this message it is, from 1."""
    call: CallSubject
    fingerprint: Id
    """Digest of everything that decides the answer: class, family, model, parameters, messages."""
    synthesize_cap: MaxPerTurn
    """Cap of the turn when the call was made; infinity is no cap (`"Infinity"` in JSON, NULL in SQL)."""
    started_at: UtcTime
    """Wall clock just before the provider was called."""


class CallIntent(_Attempt):
    """What is recorded before the provider is called, so that a crash cannot hide the call."""

    landing: bool = False
    """Whether this call means to land the answer of the turn."""


class SynthesisQuality(AuditModel):
    """What became of a synthesize attempt."""

    terminal_synthesis: bool
    """Whether this row landed the answer that the user sees: at most one row per turn."""
    landing: bool = False
    """Whether the call meant to land the answer."""
    reason: str | None = None
    """Why a landing attempt did not land, if the outcome does not say it: `superseded`."""


class AuditableCall(_Attempt):
    """One attempt to call a provider, recorded once and never changed.

    Source: the documentation of Pleach, "callClass on the audit row".
    """

    outcome: Outcome
    served_model: SaidInColumn | None = None
    """The model that answered, as the provider reports it; `None` if it did not say."""
    provider_response_id: SaidInColumn | None = None
    """The provider's own id of the answer; `None` if it gave none. Not unique."""
    usage: TokenUsage = UNKNOWN_USAGE
    token_cost: NanoUsd | None = None
    """Price of the attempt in nano-USD (1e-9 USD). `None` is unknown, never 0."""
    cache_hit: bool = False
    """Whether the answer came from the cache, without a provider."""
    synthesis_quality: SynthesisQuality | None = None
    """Present on rows of the answer class, `None` on all others."""
    draft: Draft | None = None
    """The answer as it was given to the caller; `None` if there was none, or none that may be read."""
    ended_at: UtcTime
    """Wall clock just after the provider answered or failed; at recovery for `unknown`."""

    @property
    def is_terminal(self) -> bool:
        """Whether this row landed the answer of its turn."""
        return self.synthesis_quality is not None and self.synthesis_quality.terminal_synthesis

    @model_validator(mode="after")
    def _check_quality(self) -> Self:
        if is_synthesize(self.call.call_class) != (self.synthesis_quality is not None):
            raise ValueError("synthesis_quality belongs to rows of the answer class, and to all of them")
        if self.is_terminal and self.outcome != "ok":
            raise ValueError(f"only an ok attempt can be terminal, not {self.outcome!r}")
        return self


def at_most_one_terminal_synthesis(rows: Iterable[AuditableCall]) -> None:
    """Check that no turn has two terminal rows; none is fine (a passthrough).

    Source: the documentation of Pleach, "Why exactly one terminal synthesis per turn".

    Raises:
        InvariantViolation: if a turn has more than one, with the ids of its terminal calls in the given order.
    """
    terminal: dict[str, list[str]] = {}
    for row in rows:
        if row.is_terminal:
            terminal.setdefault(row.turn_id, []).append(row.call_id)
    for turn_id, call_ids in terminal.items():
        if len(call_ids) > 1:
            raise InvariantViolation("at most one terminal synthesis", turn_id, tuple(call_ids))
