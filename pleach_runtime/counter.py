"""Counters of synthesize messages: what a host may supply, and the bundled one. Boot looks at them in `probe.py`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, TypeAlias

from pleach_runtime.caps import checked_cap
from pleach_runtime.errors import CapLockedError

if TYPE_CHECKING:
    from pleach_runtime.caps import Cap


class TurnSynthesizeCounter(Protocol):
    """Says whether a new synthesize message may take a slot of its turn.

    A runtime works without one: the ledger's slots are exact on their own. A counter can only be stricter. It is asked
    once per new slot, from any thread, and must be quick and must not touch the ledger.

    Source: the documentation of Pleach, "Multi-synthesize per turn", "The contract" (D-37).
    """

    def should_allow_synthesize(self, message_id: str, /, *, turn_id: str | None = None) -> bool:
        """Take a slot for the message and return True, or return False.

        Idempotent: a message that was allowed is allowed for ever and takes no second slot, at any cap; a refusal is
        not remembered.
        """
        ...


class TurnlessSynthesizeCounter(Protocol):
    """The older form, which takes the message id alone. It cannot tell turns apart, so one turn may be open at a time.

    It is the host's task to begin its count anew with each turn; `SupportsForgetTurn` tells it when.
    """

    def should_allow_synthesize(self, message_id: str, /) -> bool:
        """See `TurnSynthesizeCounter.should_allow_synthesize`."""
        ...


HostCounter: TypeAlias = TurnSynthesizeCounter | TurnlessSynthesizeCounter
"""What a host may supply."""


class SupportsSetMaxPerTurn(Protocol):
    """A counter whose cap can be set. One without this keeps the cap of 1, whatever the configuration says."""

    def set_max_per_turn(self, max_per_turn: float, /) -> None:
        """Set the cap: an int >= 1 or `math.inf`. Called once, at boot."""
        ...


class SupportsForgetTurn(Protocol):
    """A counter that wants to know when a turn is over."""

    def forget_turn(self, turn_id: str, /) -> None:
        """Free what is kept for the turn. It may be opened again; the ledger remembers its slots."""
        ...


class InMemoryTurnSynthesizeCounter:
    """Counts the messages of each turn in memory: exact among the threads of one process.

    The cap is 1 until it is set; it is set at most once, and not after the first message.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._max_per_turn: Cap = 1
        self._locked = False
        self._messages: dict[str | None, set[str]] = {}

    def set_max_per_turn(self, max_per_turn: float, /) -> None:
        """See `SupportsSetMaxPerTurn.set_max_per_turn`.

        Raises:
            CapLockedError: if the cap was set before, or a message was counted.
            ValueError: if it is not a cap.
        """
        cap = checked_cap(max_per_turn)
        with self._lock:
            if self._locked:
                raise CapLockedError(self._max_per_turn, cap)
            self._locked = True
            self._max_per_turn = cap

    def should_allow_synthesize(self, message_id: str, /, *, turn_id: str | None = None) -> bool:
        """See `TurnSynthesizeCounter.should_allow_synthesize`. `None` is a turn of its own."""
        with self._lock:
            self._locked = True
            messages = self._messages.setdefault(turn_id, set())
            if message_id in messages:
                return True
            if len(messages) >= self._max_per_turn:
                return False
            messages.add(message_id)
            return True

    def forget_turn(self, turn_id: str | None, /) -> None:
        """See `SupportsForgetTurn.forget_turn`."""
        with self._lock:
            self._messages.pop(turn_id, None)

    def used(self, turn_id: str | None, /) -> int:
        """Return how many messages of the turn were allowed."""
        with self._lock:
            return len(self._messages.get(turn_id, ()))
