"""Answers that are kept and given again. When two requests are the same is said in `fingerprint.py`."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_runtime.answers import Answer
from pleach_runtime.audit import TokenUsage
from pleach_runtime.hooks import calling_hook

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.answers import Answers, Tell
    from pleach_runtime.audit import CallIntent, Draft
    from pleach_runtime.judge import DraftJudge
    from pleach_runtime.provider import ProviderResponse
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams.classes import CallClass

_NO_USAGE: Final = TokenUsage(input_tokens=0, output_tokens=0)
_Flight: TypeAlias = "asyncio.Future[ProviderResponse | None]"
_FlightKey: TypeAlias = "tuple[asyncio.AbstractEventLoop, str]"


class AnswerCache:
    """Keeps answers in memory by fingerprint; the one that was not asked for longest goes first. Safe between threads.

    Several runtimes may share one, if their providers give the same answers for the same family and model. What one of
    them is asking, the others on its event loop wait for.
    """

    def __init__(
        self,
        *,
        max_entries: int = 1000,
        ttl_seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make an empty cache.

        Args:
            max_entries: answers that are kept at most; at least 1.
            ttl_seconds: how long an answer is kept, whether it is asked for or not; `None` is without end.
            clock: seconds that never go back.

        Raises:
            ValueError: if there is no room for an entry, or no time to keep it.
        """
        if max_entries < 1 or (ttl_seconds is not None and not ttl_seconds > 0):
            raise ValueError(f"a cache keeps answers: max_entries={max_entries}, ttl_seconds={ttl_seconds}")
        self._max_entries = max_entries
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[float, ProviderResponse]] = OrderedDict()
        self.flights: dict[_FlightKey, _Flight] = {}
        """Who asks now, for `FromCache`: what came of it, or `None` if there is nothing to keep."""

    def get(self, fingerprint: str) -> ProviderResponse | None:
        """Return the answer as it is given again: no tokens, no cost; `None` if there is none, or none any more."""
        with self._lock:
            kept_at, response = self._kept.get(fingerprint, (0.0, None))
            if response is None:
                return None
            if self._ttl_seconds is not None and self._clock() - kept_at >= self._ttl_seconds:
                del self._kept[fingerprint]
                return None
            self._kept.move_to_end(fingerprint)
            return response

    def put(self, fingerprint: str, response: ProviderResponse) -> None:
        """Keep an answer."""
        again = replace(response, usage=_NO_USAGE, token_cost=0)
        with self._lock:
            self._kept[fingerprint] = (self._clock(), again)
            self._kept.move_to_end(fingerprint)
            if len(self._kept) > self._max_entries:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        """Return how many answers are kept, those included that are too old to be given."""
        return len(self._kept)


@dataclass(frozen=True)
class FromCache:
    """Gives a kept answer if there is one. Of equal requests at once on an event loop, one asks and the others wait."""

    behind: Answers
    cache: AnswerCache
    classes: frozenset[CallClass]
    """The classes that may be answered from the cache."""
    judge: DraftJudge
    """Only what it calls `ok` is kept."""

    async def answer(self, intent: CallIntent, request: SeamRequest, tell: Tell | None = None, /) -> Answer:
        """See `Answers.answer`. A streamed answer is not kept: whether it may be read is only known when it was.

        A further attempt of a message is asked anew: the answer that is kept may be the one that was turned down.
        """
        if intent.call.call_class not in self.classes:
            return await self.behind.answer(intent, request, tell)
        kept = self.cache.get(intent.fingerprint) if intent.attempt == 1 else None
        if kept is not None:
            return Answer(kept, cached=True)
        if tell is not None:
            return await self.behind.answer(intent, request, tell)
        return await (self._together(intent, request) if intent.attempt == 1 else self._ask(intent, request))

    async def _together(self, intent: CallIntent, request: SeamRequest) -> Answer:
        """Ask, or wait for who does. If that call failed, or gave nothing to keep, one who waited asks next."""
        key = (asyncio.get_running_loop(), intent.fingerprint)
        while (flight := self.cache.flights.get(key)) is not None:
            kept = await asyncio.shield(flight)
            if kept is not None:
                return Answer(kept, cached=True)
        return await self._lead(key, intent, request)

    async def _lead(self, key: _FlightKey, intent: CallIntent, request: SeamRequest) -> Answer:
        flight: _Flight = key[0].create_future()
        self.cache.flights[key] = flight
        try:
            return await self._ask(intent, request)
        finally:
            del self.cache.flights[key]
            flight.set_result(self.cache.get(intent.fingerprint))

    async def _ask(self, intent: CallIntent, request: SeamRequest) -> Answer:
        answer = await self.behind.answer(intent, request)
        if answer.outcome is None and self._is_worth_keeping(intent, answer.response.draft):
            self.cache.put(intent.fingerprint, answer.response)
        return answer

    def _is_worth_keeping(self, intent: CallIntent, draft: Draft) -> bool:
        with calling_hook("judge", intent.turn_id, intent.message_id):
            return self.judge(draft) == "ok"
