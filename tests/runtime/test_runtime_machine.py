"""A state machine against a model of whole deliveries: messages, failures, weak drafts, landings and restarts."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pleach_runtime.audit import at_most_one_terminal_synthesis
from pleach_runtime.errors import PleachError
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.runtime import SessionRuntime
from tests.runtime.scenes import Scene
from tests.runtime.stubs import ScriptedProvider, config

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.caps import Cap

MAX_ATTEMPTS = 3
LINES: dict[str, str | Exception] = {"good": "The answer.", "weak": " ", "failing": ConnectionError()}
scripts = st.lists(st.sampled_from(sorted(LINES)), min_size=MAX_ATTEMPTS, max_size=MAX_ATTEMPTS)


@dataclass
class Message:
    """What the model knows of a message."""

    attempts: int = 0
    last: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether it is answered from the record."""
        return self.last == "good" or (self.last == "weak" and self.attempts == MAX_ATTEMPTS)


class Model:
    """What the contract says, one delivery at a time and without concurrency."""

    def __init__(self, cap: Cap) -> None:
        self.cap = cap
        self.messages: dict[str, Message] = {}
        self.landed = False

    def deliver(self, message_id: str, script: Iterator[str], *, landing: bool) -> str:
        """Return the error that is due, or the kind of draft that is."""
        message = self.messages.get(message_id, Message())
        if message.is_settled:
            return message.last
        if message_id not in self.messages and len(self.messages) >= self.cap:
            return "SynthesizeCapExceeded"
        if landing and self.landed:
            return "TerminalAlreadyLanded"
        if message.attempts == MAX_ATTEMPTS:
            return "RecoveryExhausted"
        return self._attempt(self.messages.setdefault(message_id, message), script, landing=landing)

    def _attempt(self, message: Message, script: Iterator[str], *, landing: bool) -> str:
        while message.attempts < MAX_ATTEMPTS:
            message.attempts, message.last = message.attempts + 1, next(script)
            if message.last == "good":
                self.landed = self.landed or landing
            if message.last != "weak":
                break
        return "ProviderError" if message.last == "failing" else message.last


class DeliveryMachine(RuleBasedStateMachine):
    """Compares a runtime with the model."""

    @initialize(cap=st.sampled_from([1, 2, 3, math.inf]))
    def boot(self, cap: Cap) -> None:
        """Begin a session."""
        self.model = Model(cap)
        self.ledger = MemoryLedger()
        self.calls = 0

    @rule(message_id=st.sampled_from(["m1", "m2", "m3", "m4"]), script=scripts, landing=st.booleans())
    def deliver(self, message_id: str, script: list[str], landing: bool) -> None:  # noqa: FBT001 - hypothesis passes it
        """Deliver a message to a runtime that was booted for it, as after a restart."""
        expected = self.model.deliver(message_id, iter(script), landing=landing)
        assert asyncio.run(self._answer(message_id, script, landing=landing)) == expected

    @invariant()
    def rows_add_up(self) -> None:
        """Each provider call is one row, slots stay within the cap, one row lands, and the chain holds."""
        rows = asyncio.run(self.ledger.calls("t1"))
        assert len(rows) == self.calls == sum(message.attempts for message in self.model.messages.values())
        assert len({row.message_id for row in rows}) == len(self.model.messages) <= self.model.cap
        at_most_one_terminal_synthesis(rows)
        assert any(row.is_terminal for row in rows) == self.model.landed
        assert verify_chain("t1", asyncio.run(self.ledger.chain("t1"))) == len(rows)

    async def _answer(self, message_id: str, script: list[str], *, landing: bool) -> str:
        provider = ScriptedProvider(*(LINES[line] for line in script))
        settled = config(self.model.cap, max_recovery_attempts=MAX_ATTEMPTS - 1)
        boot = SessionRuntime.boot(settled, provider=provider, ledger=self.ledger)
        async with boot as runtime, runtime.turn(chat_id="c1", turn_id="t1") as turn:
            try:
                result = await Scene(runtime, turn).answer(message_id, landing=landing)
            except PleachError as error:
                return type(error).__name__
            finally:
                self.calls += len(provider.calls)
        return {"ok": "good", "empty": "weak"}[result.outcome]


TestDeliveries = DeliveryMachine.TestCase
TestDeliveries.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)
