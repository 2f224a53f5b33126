"""The way of a streamed call's text: from the attempt, past the observers, to the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pleach_runtime.streams.channel import Channel
from pleach_runtime.streams.verdicts import StreamVerdict, Watch
from pleach_runtime.text import mended

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from pleach_runtime.audit import Draft, TokenUsage
    from pleach_runtime.streams.verdicts import StreamObserver

_CONTINUE: Final = StreamVerdict.CONTINUE


class Stopped(Exception):  # noqa: N818 - a way out of the attempt, which no caller sees
    """An observer has stopped the answer."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        """The text that was turned down by `RETRY`; empty after `ABORT`."""


class StreamSink:
    """Takes the text of a call's attempts, one attempt after the other."""

    def __init__(self, observers: tuple[StreamObserver, ...], *, fail_closed: bool) -> None:
        self.channel = Channel()
        self.usage: TokenUsage | None = None
        """Tokens of the attempt that is under way, as far as the provider has said."""
        self.shown = False
        """Whether anything was shown, of whatever attempt."""
        self._observers = observers
        self._fail_closed = fail_closed
        self._told = False
        self.begin()

    def begin(self) -> None:
        """Begin with another attempt."""
        self._watch = Watch(self._observers, fail_closed=self._fail_closed)
        self._told = False
        self._half = ""
        self.usage = None

    @property
    def verdict(self) -> StreamVerdict:
        """The strictest verdict of the latest ruling."""
        return self._watch.verdict

    @property
    def reason(self) -> str:
        """Who stopped the latest attempt; empty if nobody did."""
        return self._watch.reason

    def tell(self, part: str | TokenUsage) -> Awaitable[None] | None:
        """Take a part of the answer. See `Tell`.

        Raises:
            Stopped: if an observer stops the answer, here or in what is returned.
        """
        if not isinstance(part, str):
            self.usage = part
            return None
        if self._half or not part.isascii():
            return self._take(self._whole(part)) if part else None
        if not part:
            return None
        self._told = True
        watch = self._watch
        text = watch.take(part)
        # Nearly every piece goes this way, without a coroutine of its own.
        if watch.verdict is _CONTINUE and self.channel.offer(text):
            self.shown = True
            return None
        return self._show(text)

    async def end(self, draft: Draft) -> str:
        """Take the whole answer, and return its text as it was shown. An answer without parts is shown as one.

        Raises:
            Stopped: if an observer stops the answer.
        """
        if not self._told and draft.text:
            await self._take(self._whole(draft.text))
        if self._half:
            half, self._half = self._half, ""
            await self._take(mended(half))
        await self._show(self._watch.end(draft))
        return self._watch.shown

    def forget(self) -> None:
        """Drop all text that was not read yet, and that of the observers."""
        self._watch.forget()
        self.channel.drop()

    async def _take(self, piece: str) -> None:
        self._told = True
        if piece:
            await self._show(self._watch.take(piece))

    def _whole(self, part: str) -> str:
        """The text of a piece, put together with the half of a surrogate pair at the end of the piece before it."""
        text, self._half = self._half + part, ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return mended(text)

    async def _show(self, text: str) -> None:
        if self._watch.verdict >= StreamVerdict.RETRY:
            self.forget()
            raise Stopped(text)
        if text:
            self.shown = True
            await self.channel.put(text)
