"""What a host's counter can do, found out once at boot, with the same answer on every Python version."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_runtime.errors import CounterContractError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.caps import Cap
    from pleach_runtime.counter import HostCounter

_LOG: Final = logging.getLogger("pleach_runtime")
_LAZY: Final = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
"""Kinds of functions that do nothing when they are called."""
_Method: TypeAlias = "Callable[..., object]"


@dataclass(frozen=True)
class ProbedCounter:
    """A counter that boot has accepted."""

    name: str
    """Qualified name of the counter's class."""
    cap: Cap
    """The cap in force: the configured one, or 1 if the counter cannot take it."""
    honours_cap: bool
    """Whether the counter has taken the configured cap."""
    tells_turns_apart: bool
    """Whether the counter takes the turn id."""
    allow: _Method
    forget: _Method | None

    def should_allow(self, turn_id: str, message_id: str) -> bool:
        """Ask the counter.

        Raises:
            CounterContractError: if it fails, or its answer is not a bool. An awaitable is true, and would switch the
                cap off.
        """
        try:
            answer = self.allow(message_id, turn_id=turn_id) if self.tells_turns_apart else self.allow(message_id)
        except Exception as error:
            raise _broken(self.name, f"should_allow_synthesize raised {type(error).__name__}") from error
        if isinstance(answer, bool):
            return answer
        raise _broken(self.name, f"should_allow_synthesize returned {_described(answer)}, not a bool")

    def forget_turn(self, turn_id: str) -> None:
        """Tell the counter that the turn is over, if it wants to know. What it raises is logged: the turn is over."""
        if self.forget is not None:
            try:
                self.forget(turn_id)
            except Exception:  # noqa: BLE001 - code of the host, after all is done
                _LOG.exception("%s: forget_turn failed for turn %s", self.name, turn_id)


def probe_counter(counter: HostCounter, cap: Cap) -> ProbedCounter:
    """Find out what the counter can do, and give it the cap if it can take one.

    Optional methods are looked up by name: `isinstance` with a runtime-checkable Protocol answers differently on 3.10
    and 3.12, and accepts wrong signatures.

    Raises:
        CounterContractError: if a method is async, takes the wrong arguments, cannot be looked up, or refuses the cap.
    """
    name = f"{type(counter).__module__}.{type(counter).__qualname__}"
    allow = _method(name, counter, "should_allow_synthesize")
    if allow is None:
        raise _broken(name, "it has no should_allow_synthesize")
    tells_turns_apart = _takes(allow, "message", turn_id="turn")
    if not tells_turns_apart and not _takes(allow, "message"):
        raise _broken(name, "should_allow_synthesize takes neither (message_id) nor (message_id, *, turn_id)")
    honours_cap = _set_cap(name, counter, cap)
    forget = _method(name, counter, "forget_turn")
    if forget is not None and not _takes(forget, "turn"):
        raise _broken(name, "forget_turn does not take (turn_id)")
    return ProbedCounter(name, cap if honours_cap else 1, honours_cap, tells_turns_apart, allow, forget)


def _set_cap(name: str, counter: object, cap: Cap) -> bool:
    setter = _method(name, counter, "set_max_per_turn")
    if setter is None:
        return False
    if not _takes(setter, cap):
        raise _broken(name, "set_max_per_turn does not take one number")
    try:
        answer = setter(cap)
    except Exception as error:
        raise _broken(name, f"set_max_per_turn({cap}) raised {type(error).__name__}") from error
    if inspect.isawaitable(answer):
        raise _broken(name, f"set_max_per_turn returned {_described(answer)}")
    return True


def _method(name: str, counter: object, attribute: str) -> _Method | None:
    try:
        found: object = getattr(counter, attribute, None)
    except Exception as error:
        raise _broken(name, f"reading {attribute} raised {type(error).__name__}") from error
    if found is None:
        return None
    if not callable(found):
        raise _broken(name, f"{attribute} is not callable")
    if any(is_lazy(function) for function in (found, type(found).__call__) for is_lazy in _LAZY):
        raise _broken(name, f"{attribute} is async or a generator")
    return found


def _takes(method: _Method, *args: object, **kwargs: object) -> bool:
    try:
        inspect.signature(method).bind(*args, **kwargs)
    except TypeError:
        return False
    except ValueError:
        # Some builtins have no signature to look at; the call itself will tell.
        return True
    return True


def _described(answer: object) -> str:
    if inspect.iscoroutine(answer):
        answer.close()
    return "an awaitable" if inspect.isawaitable(answer) else repr(answer)


def _broken(name: str, problem: str) -> CounterContractError:
    return CounterContractError(name, problem)
