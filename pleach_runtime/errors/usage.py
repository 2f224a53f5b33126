"""Errors of whoever uses the runtime: configuration, seams, ids, requests, turns. Nothing was spent."""

# ruff: noqa: N818 - the names state the fact that stopped the call
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.errors.base import PleachError

if TYPE_CHECKING:
    from pleach_runtime.caps import Cap


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


@dataclass(eq=False)
class FamilyLockViolation(ConfigurationError):
    """Classes are routed to models outside the locked family."""

    family: str
    """The locked family."""
    routes: tuple[str, ...]
    """The routes that lead out of it, as "class to model"."""

    def _message(self) -> str:
        return f"the family is locked to {self.family!r}, and these routes leave it: {', '.join(self.routes)}"


class HolderError(ConfigurationError):
    """The holder of the synthesize seam was set twice, or read before it was set."""


class SyncFromAsyncError(ConfigurationError):
    """The sync facade was called inside a running event loop, which it would block."""


@dataclass(eq=False)
class ObserverContractError(ConfigurationError):
    """An observer of a stream does not keep the contract of `StreamObserver`."""

    observer: str
    """Qualified name of the observer."""
    problem: str

    def _message(self) -> str:
        return f"{self.observer} cannot observe a stream: {self.problem}"


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
    """The runtime was used after it was closed, or its sync side in a process that was forked from its own."""


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
