"""The ladder of verdicts: what observers say of a stream, and what follows. Pure rules, without tasks or providers."""

from __future__ import annotations

import asyncio
import inspect
import logging
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from typing_extensions import final

from pleach_runtime.errors import ObserverContractError
from pleach_runtime.text import mended

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
    """What an observer is shown. It is not to be kept: it changes with the next piece."""

    __slots__ = ("_parts", "draft", "pending")

    def __init__(self, parts: list[str]) -> None:
        self.pending = ""
        """The text that the verdict is about: what was held back, then what has just come. May be empty at the end."""
        self.draft: Draft | None = None
        """The whole answer as the provider gave it, tool calls included, at the end; `None` before."""
        self._parts = parts

    @property
    def shown(self) -> str:
        """The text that was shown before, with its redactions."""
        if len(self._parts) > 1:
            self._parts[:] = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""


_CONTINUE: Final = StreamVerdict.CONTINUE


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
        self.verdict = StreamVerdict.CONTINUE
        """The strictest verdict of the latest ruling. From `RETRY` on the answer is stopped, and no more is taken."""
        self.reason = ""
        """Who stopped the answer; empty if nobody did."""
        self._observers = observers
        self._fail_closed = fail_closed
        self._parts: list[str] = []
        self._pending = ""
        self._seen = Seen(self._parts)

    @property
    def shown(self) -> str:
        """Everything that was shown, with its redactions."""
        return "".join(self._parts)

    def take(self, piece: str) -> str:
        """Rule on the next piece of the answer, and return what is shown now: with `RETRY` what is turned down."""
        seen, strictest, held, reason = self._seen, _CONTINUE, False, ""
        seen.pending = self._pending + piece
        for observer in self._observers:
            try:
                said = observer(seen)
            except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - whatever a host's code raises
                verdict, why = self._failed(observer, f"raised {type(error).__name__}{_place(error.__traceback__)}")
            else:
                if said is _CONTINUE:
                    continue
                verdict, why = self._weigh(observer, said)
            held = held or verdict is StreamVerdict.HOLD
            if verdict > strictest:
                strictest, reason = verdict, why
        self.verdict = strictest
        if strictest is not _CONTINUE:
            return self._settle(reason, held=held)
        self._pending = ""
        self._parts.append(seen.pending)
        return seen.pending

    def end(self, draft: Draft) -> str:
        """Rule on what is left when the answer is complete, as `take` does."""
        self._seen.draft = draft
        return self.take("")

    def forget(self) -> None:
        """Drop all text."""
        self._parts.clear()
        self._pending = self._seen.pending = ""
        self._seen.draft = None

    def _settle(self, reason: str, *, held: bool) -> str:
        pending, ends = self._seen.pending, self._seen.draft is not None
        if self.verdict >= StreamVerdict.RETRY:
            again = self.verdict is StreamVerdict.RETRY and not any(self._parts)
            self.verdict, self.reason = StreamVerdict.RETRY if again else StreamVerdict.ABORT, reason
            self.forget()
            return pending if again else ""
        self._pending = pending if held and not ends else ""
        if self._pending:
            return ""
        self._parts.append(pending)
        return pending

    def _weigh(self, observer: StreamObserver, said: object) -> tuple[StreamVerdict, str]:
        text: object = said.text if isinstance(said, Redaction) else REDACTED if said is StreamVerdict.REDACT else None
        if isinstance(text, str):
            self._seen.pending = mended(text)
            return StreamVerdict.REDACT, ""
        if isinstance(said, StreamVerdict):
            return said, _name(observer)
        return self._failed(observer, f"returned {type(said).__name__}, which is no verdict")

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
