"""Every error that the runtime raises. Each carries its facts as attributes; none holds the text of a prompt.

PleachError
├── ConfigurationError          wrong before any call was made
│   ├── CounterContractError    a host's counter cannot be used
│   ├── CapLockedError          a cap was changed after boot
│   ├── HolderError             the synthesize seam was set twice, or read before it was set
│   └── SyncFromAsyncError      the sync facade was called inside a running event loop
├── SeamClassMismatch           a seam of another class was given (also a TypeError)
├── RuntimeClosed
├── InvalidId                   an id that not every ledger can keep (also a ValueError)
├── InvalidRequest              a request that JSON cannot say, so that it has no fingerprint (also a ValueError)
├── TurnError
│   ├── TurnClosed              a call on a turn that is over
│   └── TurnBusy                a second open turn beside a counter that cannot tell turns apart
├── BudgetError                 refused before any spend
│   ├── SynthesizeCapExceeded
│   ├── ConverseBoundExceeded
│   └── RecoveryExhausted
├── IdempotencyError
│   ├── MessageIdConflict       the same message id with another request
│   └── DuplicateInFlight       the same message is still being answered elsewhere
├── LandingError
│   ├── LandingUnspecified      above cap 1 a call must say whether it lands the answer
│   └── TerminalAlreadyLanded   the turn already has its answer
├── ProviderError               the provider failed; its own exception is the cause
├── InvariantViolation          recorded rows contradict what must always hold
└── LedgerError
    ├── UnknownTurn             a call of a turn that was never opened
    ├── LedgerConflict          the same key was recorded with other content
    ├── TerminalConflict        a second terminal row of one turn
    ├── AppendOnlyViolation     a recorded row was about to be changed
    ├── ChainBroken             recorded rows were changed, lost or reordered
    ├── LedgerSchemaMismatch    the ledger was written by another version of this package
    └── LedgerUnavailable       the ledger cannot be opened or written now
        ├── LedgerLocked
        ├── LedgerUnreadable    no permission, or the path is not a file
        └── LedgerCorrupt
"""

# ruff: noqa: N818 - the names state the fact that stopped the call
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall, Draft
    from pleach_runtime.caps import Cap


def _restore(cls: type[PleachError], args: tuple[object, ...], state: dict[str, object]) -> PleachError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(state)
    return error


class PleachError(Exception):
    """Base of every error of the runtime."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by attributes: `Exception` alone would call the constructor without its keywords."""
        return _restore, (type(self), self.args, self.__dict__.copy())

    def __str__(self) -> str:
        """Name the facts: the ids, and both values where two disagree."""
        return self._message()

    def _message(self) -> str:
        return super().__str__()


class ConfigurationError(PleachError):
    """Something is wrong before any call was made."""


@dataclass(eq=False)
class CounterContractError(ConfigurationError):
    """A counter given by the host does not keep the contract of `TurnSynthesizeCounter`."""

    counter: str
    """Qualified name of the counter's class."""
    problem: str

    def _message(self) -> str:
        return f"{self.counter} cannot count synthesize calls: {self.problem}"


@dataclass(eq=False)
class CapLockedError(ConfigurationError):
    """The cap of a counter was set a second time; it never changes for the lifetime of a runtime."""

    cap: Cap
    """The cap in force."""
    refused: Cap
    """The cap that was asked for."""

    def _message(self) -> str:
        return f"the cap per turn is {self.cap} for the runtime's lifetime; it cannot become {self.refused}"


class HolderError(ConfigurationError):
    """The holder of the synthesize seam was set twice, or read before it was set."""


class SyncFromAsyncError(ConfigurationError):
    """The sync facade was called inside a running event loop, which it would block."""


@dataclass(eq=False)
class SeamClassMismatch(PleachError, TypeError):
    """A seam of another class, or no seam at all, was given to code that needs one class."""

    expected: str
    """The class that is needed."""
    given: str
    """The class of the given seam, or the type of what was given instead of a seam."""

    def _message(self) -> str:
        return f"this code needs a {self.expected} seam, not {self.given}"


class RuntimeClosed(PleachError):
    """The runtime was used after it was closed."""


class InvalidId(PleachError, ValueError):
    """An id that not every ledger can keep; nothing was recorded."""


class InvalidRequest(PleachError, ValueError):
    """A request that has no fingerprint, because JSON cannot say it; nothing was recorded."""


class TurnError(PleachError):
    """A turn was used in a way that its state does not allow."""


@dataclass(eq=False)
class TurnClosed(TurnError):
    """A call was made on a turn that is over."""

    turn_id: str

    def _message(self) -> str:
        return f"turn {self.turn_id!r} is closed"


@dataclass(eq=False)
class TurnBusy(TurnError):
    """A second turn was opened although the counter takes no turn id and so cannot tell two turns apart."""

    turn_id: str
    """The turn that was refused."""
    open_turn_id: str
    """The turn that is open."""

    def _message(self) -> str:
        return (
            f"turn {self.turn_id!r} cannot open while {self.open_turn_id!r} is open: "
            "the counter takes no turn_id, so one turn at a time"
        )


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
    """Name of the provider's exception class."""
    retryable: bool = False
    """Whether another model may answer the same request, see `is_retryable`."""

    def _message(self) -> str:
        return (
            f"attempt {self.attempt} of message {self.message_id!r} in turn {self.turn_id!r} "
            f"(call {self.call_id}) failed: {self.reason}"
        )


@dataclass(eq=False)
class InvariantViolation(PleachError):
    """Recorded rows contradict an invariant."""

    invariant: str
    turn_id: str
    call_ids: tuple[str, ...]
    """The calls that together break it."""

    def _message(self) -> str:
        return f"turn {self.turn_id!r} breaks {self.invariant}: calls {', '.join(self.call_ids)}"


class LedgerError(PleachError):
    """The ledger refused, or could not do, what it was asked."""


@dataclass(eq=False)
class UnknownTurn(LedgerError):
    """A call of a turn that was never opened in this ledger."""

    turn_id: str

    def _message(self) -> str:
        return f"turn {self.turn_id!r} was never opened in this ledger"


@dataclass(eq=False)
class LedgerConflict(LedgerError):
    """A key that must be unique was recorded before, with other content."""

    key: str
    """Name of the key: `call_id`, `turn_id` or `attempt`."""
    value: str

    def _message(self) -> str:
        return f"{self.key} {self.value!r} is already recorded with other content"


@dataclass(eq=False)
class TerminalConflict(LedgerError):
    """A second terminal row of a turn was refused."""

    turn_id: str
    call_id: str
    """The call that came second."""

    def _message(self) -> str:
        return f"call {self.call_id} cannot be terminal: turn {self.turn_id!r} has a terminal row"


class AppendOnlyViolation(LedgerError):
    """A recorded row was about to be changed or removed."""


@dataclass(eq=False)
class ChainBroken(LedgerError):
    """The rows of a turn do not form the chain that was written."""

    turn_id: str
    position: int
    """First position that does not fit, from 1."""

    def _message(self) -> str:
        return f"the chain of turn {self.turn_id!r} is broken at position {self.position}"


@dataclass(eq=False)
class LedgerSchemaMismatch(LedgerError):
    """The ledger holds a schema that this version of the package cannot use."""

    found: int
    """Schema version of the ledger."""
    supported: int
    """Schema version of this package."""

    def _message(self) -> str:
        return f"the ledger has schema version {self.found}; this package supports {self.supported}"


class LedgerUnavailable(LedgerError):
    """The ledger cannot be opened, read or written now. Calls are refused: nothing runs unrecorded."""


class LedgerLocked(LedgerUnavailable):
    """Another process holds the ledger for too long."""


class LedgerUnreadable(LedgerUnavailable):
    """The ledger cannot be opened: no permission, no such folder, or not a file."""


class LedgerCorrupt(LedgerUnavailable):
    """The file is not a database, or a damaged one."""
