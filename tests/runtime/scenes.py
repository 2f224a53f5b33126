"""A booted runtime with one open turn: what most tests of calls begin with."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.events import turn_activity
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.runtime import SessionRuntime
from tests.runtime.stubs import Clock, ScriptedProvider, ask, config

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.counter import HostCounter
    from pleach_runtime.events import TurnActivity
    from pleach_runtime.ledger import Ledger
    from pleach_runtime.provider import Provider
    from pleach_runtime.seams import CallClass, SeamResult
    from pleach_runtime.turn import Turn


@dataclass(frozen=True)
class Setting:
    """What a scene is made of; a test names only what it is about."""

    provider: Provider
    config: SessionRuntimeConfig
    ledger: Ledger
    counter: HostCounter | None = None
    hooks: RuntimeHooks | None = None


@dataclass(frozen=True)
class Scene:
    """A runtime and an open turn `t1`."""

    runtime: SessionRuntime
    turn: Turn

    async def answer(
        self, message_id: str | None = "m1", *, text: str = "Why?", landing: bool | None = None
    ) -> SeamResult[CallClass]:
        """Make a call on the seam of the answer."""
        return await self.runtime.synthesize_seam.invoke(
            ask(text), turn=self.turn, stage_id="answer", message_id=message_id, landing=landing
        )

    async def activity(self) -> TurnActivity:
        """Return what the events of the turn add up to."""
        return turn_activity(await self.runtime.ledger.events(self.turn.turn_id))


def setting(
    provider: Provider | None = None,
    *,
    cap: float = 1,
    ledger: Ledger | None = None,
    hooks: RuntimeHooks | None = None,
    **fields: object,
) -> Setting:
    """Return a setting in memory, with a clock that does not stand still."""
    return Setting(
        provider or ScriptedProvider(),
        config(cap, **fields),
        MemoryLedger() if ledger is None else ledger,
        hooks=hooks or RuntimeHooks(clock=Clock()),
    )


@asynccontextmanager
async def scene(of: Setting, *, turn_id: str = "t1") -> AsyncGenerator[Scene, None]:
    """Boot a runtime and open a turn, and close both."""
    boot = SessionRuntime.boot(of.config, provider=of.provider, ledger=of.ledger, counter=of.counter, hooks=of.hooks)
    async with boot as runtime, runtime.turn(chat_id="c1", turn_id=turn_id) as turn:
        yield Scene(runtime, turn)
