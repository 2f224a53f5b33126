"""Errors of calls: refused by a budget or as a duplicate, unable to land, failed at the provider."""

# ruff: noqa: N818 - the names state the fact that stopped the call
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pleach_runtime.errors.base import PleachError

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall, Draft
    from pleach_runtime.caps import Cap
    from pleach_runtime.matrix import FamilyPick


class BudgetError(PleachError):
    """A call was refused before the provider was reached: nothing was spent."""


@dataclass(eq=False)
class SynthesizeCapExceeded(BudgetError):
    """A new synthesize message was refused because every slot of the turn is taken."""

    turn_id: str
    message_id: str
    """The message that was refused."""
    cap: Cap
    """The cap in force."""
    used: int
    """Slots taken so far."""
    last_call: AuditableCall | None = field(repr=False)
    """The latest recorded synthesize call of the turn, or `None` if none is recorded yet."""

    @property
    def last_draft(self) -> Draft | None:
        """The latest draft of the turn, so that partial work is not lost; `None` if there is none."""
        return None if self.last_call is None else self.last_call.draft

    def _message(self) -> str:
        refused_by = "the cap" if self.used >= self.cap else "the counter"
        return (
            f"message {self.message_id!r} was refused by {refused_by} of turn {self.turn_id!r}: "
            f"{self.used} of {self.cap} used"
        )


@dataclass(eq=False)
class ConverseBoundExceeded(BudgetError):
    """One short user-facing message too many in a turn."""

    turn_id: str
    bound: Cap
    """Messages allowed per turn."""

    def _message(self) -> str:
        return f"turn {self.turn_id!r} has used its {self.bound} converse calls"


@dataclass(eq=False)
class RecoveryExhausted(BudgetError):
    """A message failed as often as it may be tried; another try needs another message id, which takes a slot."""

    turn_id: str
    message_id: str
    attempts: int
    """Attempts that were made."""

    def _message(self) -> str:
        return f"message {self.message_id!r} of turn {self.turn_id!r} failed in all of its {self.attempts} attempts"


class IdempotencyError(PleachError):
    """A message id was used in a way that cannot be answered from the record."""


@dataclass(eq=False)
class MessageIdConflict(IdempotencyError):
    """A message id came back with another request; the provider was not called."""

    turn_id: str
    message_id: str
    recorded_digest: str
    """Digest of the request that took the slot."""
    given_digest: str
    """Digest of the request that was given now."""

    def _message(self) -> str:
        return (
            f"message {self.message_id!r} of turn {self.turn_id!r} was first sent with request "
            f"{self.recorded_digest[:12]} and now with {self.given_digest[:12]}"
        )


@dataclass(eq=False)
class DuplicateInFlight(IdempotencyError):
    """The same message is still being answered by another process, and did not finish in time."""

    turn_id: str
    message_id: str
    waited_seconds: float

    def _message(self) -> str:
        return (
            f"message {self.message_id!r} of turn {self.turn_id!r} is still being answered elsewhere "
            f"after {self.waited_seconds:g} s"
        )


class LandingError(PleachError):
    """It is unclear, or impossible, that this call lands the answer of its turn."""


@dataclass(eq=False)
class LandingUnspecified(LandingError):
    """Above cap 1 each synthesize call says whether it lands the answer."""

    turn_id: str
    cap: Cap

    def _message(self) -> str:
        return f"turn {self.turn_id!r} has cap {self.cap}: say landing=True or landing=False for each synthesize call"


@dataclass(eq=False)
class TerminalAlreadyLanded(LandingError):
    """A landing call was refused, before any spend, because the turn has its answer."""

    turn_id: str
    message_id: str
    """The message that was refused."""
    terminal_call_id: str
    """The call that landed the answer."""

    def _message(self) -> str:
        return f"message {self.message_id!r} cannot land: turn {self.turn_id!r} was answered by {self.terminal_call_id}"


@dataclass(eq=False)
class ProviderError(PleachError):
    """The provider failed. Its own exception is `__cause__`; the attempt is recorded with outcome `error`."""

    turn_id: str
    message_id: str
    call_id: str
    attempt: int
    reason: str
    """Name of the provider's exception class, or which hook raised what."""
    retryable: bool = False
    """Whether another model may answer the same request, see `is_retryable`."""

    def _message(self) -> str:
        return (
            f"attempt {self.attempt} of message {self.message_id!r} in turn {self.turn_id!r} "
            f"(call {self.call_id}) failed: {self.reason}"
        )


@dataclass(eq=False, kw_only=True)
class FamilyExhausted(ProviderError):
    """Every rung of the locked family has failed; no other family was tried. The ids are those of the last attempt."""

    call_class: str
    models: tuple[str, ...]
    """The models that were tried, in order."""
    affordance: FamilyPick
    """The families that the user may pick instead: boot a runtime with one of them, and send the message again."""

    def _message(self) -> str:
        choices = ", ".join(self.affordance.choices) or "no other"
        return (
            f"{super()._message()}; no {self.call_class} model of family {self.affordance.exhausted!r} answered "
            f"({', '.join(self.models)}); there is {choices}"
        )


@dataclass(eq=False)
class HookError(PleachError):
    """Code that the host plugged in has failed. Its own exception is `__cause__`; what was recorded before stands."""

    hook: str
    """Which of `RuntimeHooks` it was."""
    turn_id: str
    message_id: str | None
    """The message that it was about; `None` if that has no id yet."""
    reason: str
    """Name of the exception's class."""

    @property
    def problem(self) -> str:
        """What happened, without the ids."""
        return f"the hook {self.hook!r} raised {self.reason}"

    def _message(self) -> str:
        message = "" if self.message_id is None else f"message {self.message_id!r} of "
        return f"{self.problem}, about {message}turn {self.turn_id!r}"


@dataclass(eq=False)
class StreamAborted(PleachError):
    """An observer has aborted a streamed answer. Its text is gone; the attempt is recorded with outcome `aborted`."""

    turn_id: str
    message_id: str
    call_id: str
    reason: str
    """Name of the observer, and what it did if it failed."""

    def _message(self) -> str:
        return (
            f"the stream of message {self.message_id!r} in turn {self.turn_id!r} (call {self.call_id}) "
            f"was aborted by {self.reason}"
        )
