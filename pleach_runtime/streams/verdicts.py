"""The ladder of verdicts: what observers say of a stream, and what follows. Pure rules, without tasks or providers."""

from __future__ import annotations

import inspect
import logging
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from typing_extensions import final

from pleach_runtime.errors import ObserverContractError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from pleach_runtime.audit import Draft

REDACTED: Final = "[redacted]"
"""What stands in place of text that an observer redacts without saying what to show instead."""
_LOG: Final = logging.getLogger("pleach_runtime")


class StreamVerdict(IntEnum):
    """What an observer says of the pending text, from the mildest to the strictest. Of several the strictest holds."""

    CONTINUE = 0
    """Show it."""
    HOLD = 1
    """Keep it back until more has come. What is still held at the end of the answer is shown."""
    REDACT = 2
    """Show `REDACTED` in its place, or the text of a `Redaction`. If another observer holds, that is held."""
    RETRY = 3
    """Show nothing, and ask for another answer. `ABORT` if something was shown before."""
    ABORT = 4
    """Show nothing more, and forget the answer."""


class Redaction(NamedTuple):
    """The verdict `REDACT`, with what to show in place of the pending text."""

    text: str


@final
class Seen:
    """What an observer is shown. It is not to be kept: its text goes when the stream is aborted."""

    __slots__ = ("_parts", "draft", "pending")

    def __init__(self, pending: str, parts: list[str], draft: Draft | None) -> None:
        self.pending = pending
        """The text that the verdict is about: what was held back, then what has just come. May be empty at the end."""
        self.draft = draft
        """The whole answer as the provider gave it, tool calls included, at the end; `None` before."""
        self._parts = parts

    @property
    def shown(self) -> str:
        """The text that was shown before, with its redactions."""
        if len(self._parts) > 1:
            self._parts[:] = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""


class StreamObserver(Protocol):
    """Looks at a stream: a sync function, or an object that is called like one.

    One that remembers is made anew for each stream, and may see several attempts: `seen.shown` and what it is given
    begin anew with each.
    """

    def __call__(self, seen: Seen, /) -> StreamVerdict | Redaction:
        """Say what is to become of `seen.pending`. Called for each piece before it is shown, and once at the end.

        Whatever it raises, and whatever it returns that is no verdict, counts as `ABORT` where a user reads along and
        as `CONTINUE` elsewhere.
        """
        ...


class Ruling(NamedTuple):
    """What follows from the verdicts on a piece."""

    verdict: StreamVerdict
    text: str
    """What is shown now; with `RETRY` the text that is turned down."""
    reason: str = ""
    """Who stopped the answer; empty if nobody did."""


def check_observers(observers: Iterable[StreamObserver]) -> tuple[StreamObserver, ...]:
    """Return the observers.

    Raises:
        ObserverContractError: if one cannot be called, or is async, so that its verdict would come too late.
    """
    checked = tuple(observers)
    for observer in checked:
        if not callable(observer):
            raise ObserverContractError(_name(observer), "it cannot be called")
        if inspect.iscoroutinefunction(observer) or inspect.iscoroutinefunction(type(observer).__call__):
            raise ObserverContractError(_name(observer), "it is async")
    return checked


class Watch:
    """Decides what of one answer is shown."""

    def __init__(self, observers: tuple[StreamObserver, ...], *, fail_closed: bool) -> None:
        self._observers = observers
        self._fail_closed = fail_closed
        self._parts: list[str] = []
        self._pending = ""

    @property
    def shown(self) -> str:
        """Everything that was shown, with its redactions."""
        return "".join(self._parts)

    def take(self, piece: str) -> Ruling:
        """Rule on the next piece of the answer."""
        return self._rule(self._pending + piece, None)

    def end(self, draft: Draft) -> Ruling:
        """Rule on what is left when the answer is complete. Not to be called after a ruling that stops it."""
        return self._rule(self._pending, draft)

    def forget(self) -> None:
        """Drop all text."""
        self._parts.clear()
        self._pending = ""

    def _rule(self, pending: str, draft: Draft | None) -> Ruling:
        strictest, held, reason = StreamVerdict.CONTINUE, False, ""
        for observer in self._observers:
            said, why = self._ask(observer, Seen(pending, self._parts, draft))
            if isinstance(said, Redaction):
                pending, said = said.text, StreamVerdict.REDACT
            held = held or said is StreamVerdict.HOLD
            if said > strictest:
                strictest, reason = said, why
        if strictest >= StreamVerdict.RETRY:
            return self._stop(strictest, pending, reason)
        if held and draft is None:
            self._pending = pending
            return Ruling(strictest, "")
        self._pending = ""
        if pending:
            self._parts.append(pending)
        return Ruling(strictest, pending)

    def _stop(self, verdict: StreamVerdict, pending: str, reason: str) -> Ruling:
        again = verdict is StreamVerdict.RETRY and not self._parts
        self.forget()
        return Ruling(StreamVerdict.RETRY, pending, reason) if again else Ruling(StreamVerdict.ABORT, "", reason)

    def _ask(self, observer: StreamObserver, seen: Seen) -> tuple[StreamVerdict | Redaction, str]:
        try:
            said = cast("object", observer(seen))
        except Exception as error:  # noqa: BLE001 - whatever a host's code raises
            return self._failed(observer, f"raised {type(error).__name__}{_place(error.__traceback__)}")
        if isinstance(said, Redaction):
            return said, ""
        if not isinstance(said, StreamVerdict):
            return self._failed(observer, f"returned {type(said).__name__}, which is no verdict")
        if said is StreamVerdict.REDACT:
            return Redaction(REDACTED), ""
        return said, _name(observer) if said >= StreamVerdict.RETRY else ""

    def _failed(self, observer: StreamObserver, problem: str) -> tuple[StreamVerdict, str]:
        # Not the exception itself: its message and its frames may hold the text.
        reason = f"{_name(observer)} {problem}"
        _LOG.warning("stream observer %s", reason)
        return (StreamVerdict.ABORT if self._fail_closed else StreamVerdict.CONTINUE), reason


def _name(observer: object) -> str:
    return str(getattr(observer, "__qualname__", type(observer).__qualname__))


def _place(traceback: TracebackType | None) -> str:
    frames = inspect.getinnerframes(traceback, context=0) if traceback else []
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
