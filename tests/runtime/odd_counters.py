"""Counters as hosts write them: right, odd, and wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator


def one_number(start: float) -> Iterator[float]:
    """Give one number, when somebody looks."""
    yield start


class Minimal:
    """Has what it must have."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    def should_allow_synthesize(self, message_id: str, /, *, turn_id: str | None = None) -> bool:
        """Allow."""
        self.asked.append((message_id, turn_id))
        return True


class Full(Minimal):
    """Has a setter too."""

    def __init__(self) -> None:
        super().__init__()
        self.caps: list[float] = []

    def set_max_per_turn(self, max_per_turn: float) -> None:
        """Take the cap."""
        self.caps.append(max_per_turn)


class NoneSetter(Minimal):
    """Says that it has no setter."""

    set_max_per_turn = None


class AttributeErrorSetter(Minimal):
    """Has a setter that is not there."""

    @property
    def set_max_per_turn(self) -> object:
        """Raise, as an attribute does that is not there."""
        raise AttributeError("not supported here")


class RaisingProperty(Minimal):
    """Cannot even be asked."""

    @property
    def set_max_per_turn(self) -> object:
        """Raise."""
        raise RuntimeError("no connection")


class ClosedProxy:
    """Passes on what the other has."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> object:
        """Look it up in the other."""
        return getattr(self._inner, name)


class OpenProxy:
    """Has everything."""

    def __getattr__(self, name: str) -> object:
        """Return something that takes anything."""
        return lambda *_args, **_kwargs: True


class Partial(Minimal):
    """Has a setter made of another function."""

    def __init__(self) -> None:
        super().__init__()
        self.set_max_per_turn = partial(setattr, self, "cap")


class OptionalArgument(Minimal):
    """Has a setter that can take more."""

    def set_max_per_turn(self, max_per_turn: float, _note: str = "") -> None:
        """Take the cap."""
        self.cap = max_per_turn


class BuiltinSetter(Minimal):
    """Has a setter that is a builtin method."""

    def __init__(self) -> None:
        super().__init__()
        self.set_max_per_turn = [0.0].append


class UnsignedSetter(Minimal):
    """Has a setter that does not say what it takes."""

    set_max_per_turn = type


class StaticMethods:
    """Needs no instance."""

    should_allow_synthesize = staticmethod(Minimal().should_allow_synthesize)

    @staticmethod
    def set_max_per_turn(max_per_turn: float) -> None:
        """Take the cap."""


class AsyncSetter(Minimal):
    """Sets the cap later."""

    async def set_max_per_turn(self, max_per_turn: float) -> None:
        """Take the cap."""


class _AsyncCallable:
    async def __call__(self, max_per_turn: float) -> None:
        """Take the cap."""


class AsyncCallableSetter(Minimal):
    """Sets the cap later, through an object."""

    set_max_per_turn = _AsyncCallable()


class AwaitableSetter(Minimal):
    """Sets the cap later, and hides it."""

    def set_max_per_turn(self, max_per_turn: float) -> Awaitable[None]:
        """Return what would take the cap."""
        return AsyncSetter().set_max_per_turn(max_per_turn)


class GeneratorSetter(Minimal):
    """Does nothing when it is called."""

    set_max_per_turn = staticmethod(one_number)


class NoArgumentSetter(Minimal):
    """Takes no cap."""

    def set_max_per_turn(self) -> None:
        """Do nothing."""


class TwoArgumentSetter(Minimal):
    """Wants more than a cap."""

    def set_max_per_turn(self, max_per_turn: float, turn_id: str) -> None:
        """Do nothing."""


class KeywordSetter(Minimal):
    """Wants the cap by name."""

    def set_max_per_turn(self, *, max_per_turn: float) -> None:
        """Do nothing."""


class NumberSetter(Minimal):
    """Has a number where the setter should be."""

    set_max_per_turn = 5


class RefusingSetter(Minimal):
    """Does not like the cap."""

    def set_max_per_turn(self, max_per_turn: float) -> None:
        """Refuse."""
        raise ValueError(max_per_turn)


class AsyncAllow:
    """Is async: its answer is always true."""

    async def should_allow_synthesize(self, message_id: str, *, turn_id: str | None = None) -> None:
        """Do nothing, even if somebody waits for it."""


class LazyAllow:
    """Answers with what would answer."""

    def should_allow_synthesize(self, message_id: str, *, turn_id: str | None = None) -> Awaitable[None]:
        """Return what would refuse."""
        return AsyncAllow().should_allow_synthesize(message_id, turn_id=turn_id)


class OneAllow:
    """Answers with a number."""

    def should_allow_synthesize(self, _message_id: str) -> int:
        """Return 1."""
        return 1


class NoneAllow:
    """Answers with nothing."""

    def should_allow_synthesize(self, message_id: str) -> None:
        """Forget to return."""


class OneArgument:
    """Takes the message id alone, as Pleach has it."""

    def should_allow_synthesize(self, message_id: str) -> bool:
        """Allow."""
        return bool(message_id)


class PositionalTurn:
    """Takes the turn id by position."""

    def should_allow_synthesize(self, message_id: str, turn: str) -> None:
        """Do nothing."""


class NothingAllow:
    """Takes nothing."""

    def should_allow_synthesize(self) -> None:
        """Do nothing."""


class OddForget(Minimal):
    """Forgets, but not a turn."""

    def forget_turn(self) -> None:
        """Forget."""


class Forgetful(Minimal):
    """Wants to know when a turn is over."""

    def __init__(self) -> None:
        super().__init__()
        self.forgotten: list[str] = []

    def forget_turn(self, turn_id: str) -> None:
        """Forget."""
        self.forgotten.append(turn_id)
