"""`SessionRuntime`: boot, turns, end. What a call does is in `lanes/`, what a seam is in `seams/`."""

from __future__ import annotations

import asyncio
import warnings
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pleach_runtime.answers import FromProvider
from pleach_runtime.cache import FromCache
from pleach_runtime.caps import cap_to_json
from pleach_runtime.errors import CounterContractError, RuntimeClosed
from pleach_runtime.events import CAP_IGNORED, Event
from pleach_runtime.flights import FlightBoard
from pleach_runtime.hooks import RuntimeHooks, calling_hook
from pleach_runtime.ids import check_id
from pleach_runtime.lanes.attempts import Attempts
from pleach_runtime.lanes.counted import CountedLane
from pleach_runtime.lanes.unbounded import BoundedLane, UnboundedLane
from pleach_runtime.ledger import TurnRecord, open_ledger
from pleach_runtime.matrix import check_cheapest
from pleach_runtime.probe import probe_counter
from pleach_runtime.routing import RoutingDecisionEngine
from pleach_runtime.seams import (
    SeamDeps,
    SynthesizeSeamHolder,
    converse_seam,
    reasoning_seam,
    synthesize_seam,
    utility_seam,
)
from pleach_runtime.sync import BackgroundLoop, SyncRuntime
from pleach_runtime.turn import OpenTurns, Turn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from datetime import datetime

    from pleach_runtime.answers import Answers
    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.caps import Cap
    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.counter import HostCounter
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.probe import ProbedCounter
    from pleach_runtime.provider import Provider
    from pleach_runtime.seams import SynthesizeSeam


class CapIgnoredWarning(UserWarning):
    """The counter cannot take the configured cap, so the cap is 1."""


@dataclass(frozen=True)
class Parts:
    """What a runtime is made of, see `SessionRuntime.boot`."""

    config: SessionRuntimeConfig
    provider_name: str
    answers: Answers
    ledger: Ledger | str
    counter: HostCounter | None
    hooks: RuntimeHooks


class SessionRuntime:
    """Everything that is fixed for a session: configuration, provider, ledger, one seam per class.

    Made by `SessionRuntime.boot`. It may be used from many threads; a turn belongs to one event loop.
    """

    def __init__(self, parts: Parts, ledger: Ledger) -> None:
        config, hooks = parts.config, parts.hooks
        self.config = config
        self.ledger = ledger
        self.runtime_id = hooks.mint_id()
        self.router = RoutingDecisionEngine(config, parts.provider_name)
        check_cheapest(self.router.cells, hooks.price)
        # After all that can fail for another reason: a counter takes its cap once.
        counter = None if parts.counter is None else probe_counter(parts.counter, config.max_synthesize_per_turn)
        self.holder = SynthesizeSeamHolder()
        self.effective_max_synthesize_per_turn: Cap = counter.cap if counter else config.max_synthesize_per_turn
        """The cap in force for the turns that this runtime opens first."""
        self._counter_name = counter.name if counter else ""
        self._owns_ledger = ledger is not parts.ledger
        self._hooks = hooks
        self._turns = OpenTurns(counter)
        self._flights = FlightBoard()
        self._sync: SyncRuntime | None = None
        self._closed = False
        self.seam_deps = self._lanes(parts.answers, counter)
        self.utility_seam = utility_seam(self.seam_deps)
        self.reasoning_seam = reasoning_seam(self.seam_deps)
        self.converse_seam = converse_seam(self.seam_deps)
        synthesize_seam(self.seam_deps, holder=self.holder)

    @classmethod
    def boot(
        cls,
        config: SessionRuntimeConfig,
        *,
        provider: Provider,
        ledger: Ledger | str,
        counter: HostCounter | None = None,
        hooks: RuntimeHooks | None = None,
    ) -> Boot:
        """Boot a runtime: `async with SessionRuntime.boot(...) as runtime`, or await it and close it yourself.

        Attempts that an earlier process left without a row are closed as `unknown` once they are old enough.

        Args:
            config: what holds for the runtime's lifetime.
            provider: who answers.
            ledger: where calls are recorded, or its URL; a ledger that is opened from a URL is closed with the runtime.
            counter: the host's counter of synthesize messages; `None` leaves counting to the ledger's slots.
            hooks: judgement, prices, time; `None` is the defaults.

        Raises:
            ConfigurationError: if a class has no model, the matrix and the rest do not fit, the counter cannot be used,
                or it cannot take the cap and `on_unsupported_cap` is `raise`.
            LedgerError: if the ledger cannot be opened.
        """
        hooks = hooks or RuntimeHooks()
        answers: Answers = FromProvider(provider)
        if hooks.cache is not None:
            answers = FromCache(answers, hooks.cache, config.cached_classes.chosen(), hooks.judge)
        return Boot(Parts(config, provider.name, answers, ledger, counter, hooks))

    @property
    def synthesize_seam(self) -> SynthesizeSeam:
        """The one seam of the final answer."""
        return self.holder.get()

    @property
    def sync(self) -> SyncRuntime:
        """The same runtime for code without an event loop, on a background loop of its own."""
        if self._sync is None:
            self._sync = SyncRuntime(self, BackgroundLoop())
        return self._sync

    @asynccontextmanager
    async def turn(
        self, *, chat_id: str, turn_id: str | None = None, turn_message_id: str | None = None
    ) -> AsyncGenerator[Turn]:
        """Open a turn, and close it at the end. See `open_turn`."""
        turn = await self.open_turn(chat_id=chat_id, turn_id=turn_id, turn_message_id=turn_message_id)
        try:
            yield turn
        finally:
            await turn.close()

    async def open_turn(self, *, chat_id: str, turn_id: str | None = None, turn_message_id: str | None = None) -> Turn:
        """Open a turn, or another handle on one that is open or was closed: here or in another process.

        Args:
            chat_id: the chat that the turn belongs to.
            turn_id: the turn; `None` begins a new one.
            turn_message_id: the message that the user will see; `None` is one of the turn's own.

        Raises:
            InvalidId: if an id is none that every ledger can keep: 1 to 300 characters, no NUL, no half surrogate pair.
            LedgerConflict: if the turn was opened before for another chat or user-visible message.
            TurnBusy: if another turn is open and the counter cannot tell turns apart.
            HookError: if the clock fails.
            RuntimeClosed: if the runtime is closed.
        """
        if self._closed:
            raise RuntimeClosed("the runtime is closed")
        check_id("chat_id", chat_id)
        name = check_id("turn_id", self._hooks.mint_id() if turn_id is None else turn_id)
        shown = f"{name}:answer" if turn_message_id is None else check_id("turn_message_id", turn_message_id)
        cap = self.effective_max_synthesize_per_turn
        with calling_hook("clock", name, None):
            opened_at = self._hooks.clock()
        state = self._turns.enter(name)
        try:
            opened = await self.ledger.open_turn(TurnRecord(name, chat_id, shown, self.runtime_id, cap, opened_at))
            state.resume(await self.ledger.calls(name) if opened.resumed else ())
        except BaseException:
            self._turns.leave(name)
            raise
        return Turn(opened.record, state, self.ledger, self._leave)

    async def recover(self, *, older_than_seconds: float | None = None) -> tuple[AuditableCall, ...]:
        """Close attempts that have no row, and return the `unknown` rows that close them.

        Args:
            older_than_seconds: age at which an attempt is taken for dead; `None` is `orphan_after_seconds` of the
                configuration. 0 is right only where no other process uses the ledger.
        """
        age = self.config.orphan_after_seconds if older_than_seconds is None else older_than_seconds
        now = self._hooks.clock()
        return await self.ledger.recover(started_before=now - timedelta(seconds=age), ended_at=now)

    async def aclose(self) -> None:
        """Wait for what is under way, and release what this runtime opened. A second call does nothing.

        An answer that is streamed to somebody who has stopped reading is taken to its end, and can be read later.
        """
        if self._closed:
            return
        self._closed = True
        self._flights.close()
        if self._sync is not None:
            await asyncio.to_thread(self._sync.stop)
        await self.settle()
        if self._owns_ledger:
            await self.ledger.aclose()

    async def settle(self) -> None:
        """Wait until no call is under way on the running event loop."""
        await self._flights.all_landed()

    async def start(self) -> None:
        """Do what boot does once the ledger is open. Called by `boot`."""
        requested, effective = self.config.max_synthesize_per_turn, self.effective_max_synthesize_per_turn
        if requested != effective:
            await self._report_ignored_cap(requested, effective)
        await self.recover()

    async def _report_ignored_cap(self, requested: Cap, effective: Cap) -> None:
        payload = {
            "requested": cap_to_json(requested),
            "effective": cap_to_json(effective),
            "runtimeId": self.runtime_id,
        }
        await self.ledger.append_event(Event(kind=CAP_IGNORED, payload=payload, at=self._hooks.clock()))
        problem = f"it has no set_max_per_turn: the cap is {effective}, not {requested}"
        if self.config.on_unsupported_cap == "raise":
            raise CounterContractError(self._counter_name, problem)
        if self.config.on_unsupported_cap == "warn":
            warnings.warn(f"{self._counter_name}: {problem}", CapIgnoredWarning, stacklevel=2)

    def _lanes(self, answers: Answers, counter: ProbedCounter | None) -> SeamDeps:
        attempts = Attempts(answers, self.ledger, self.router, self._hooks)
        unbounded = UnboundedLane(attempts, self._flights, self.config.max_recovery_attempts)
        return SeamDeps(
            unbounded=unbounded,
            bounded=BoundedLane(unbounded, self.config.max_converse_per_turn),
            counted=CountedLane(attempts, self._flights, self.config, counter),
        )

    def _leave(self, turn_id: str) -> datetime:
        self._turns.leave(turn_id)
        with calling_hook("clock", turn_id, None):
            return self._hooks.clock()


class Boot:
    """A runtime that is about to be booted: await it, enter it with `async with`, or take it `sync`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._runtime: SessionRuntime | None = None

    def __await__(self) -> Generator[object, None, SessionRuntime]:
        """Boot."""
        return self._boot().__await__()

    async def __aenter__(self) -> SessionRuntime:
        """Boot; leaving the block closes the runtime."""
        self._runtime = await self._boot()
        return self._runtime

    async def __aexit__(self, *_: object) -> None:
        """Close the runtime."""
        if self._runtime is not None:
            await self._runtime.aclose()

    def sync(self) -> SyncRuntime:
        """Boot for code without an event loop: `with SessionRuntime.boot(...).sync() as runtime`.

        Raises:
            SyncFromAsyncError: if an event loop is running in this thread.
        """
        background = BackgroundLoop()
        try:
            return SyncRuntime(background.run(self._boot), background, owns_runtime=True)
        except BaseException:
            background.stop()
            raise

    async def _boot(self) -> SessionRuntime:
        given = self._parts.ledger
        ledger = await open_ledger(given) if isinstance(given, str) else given
        try:
            runtime = SessionRuntime(self._parts, ledger)
            await runtime.start()
        except BaseException:
            if ledger is not given:
                await ledger.aclose()
            raise
        return runtime
