"""What a host may plug into a runtime: judgement, prices, a cache, time. All of it is optional, sync and quick."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, TypeAlias

from pleach_runtime.errors import HookError
from pleach_runtime.judge import judge_by_visible_text
from pleach_runtime.price import unknown_price

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from pleach_runtime.audit import AuditableCall, Draft
    from pleach_runtime.cache import AnswerCache
    from pleach_runtime.errors import SynthesizeCapExceeded
    from pleach_runtime.judge import DraftJudge
    from pleach_runtime.price import Price
    from pleach_runtime.request import SeamRequest

CapHandler: TypeAlias = "Callable[[SynthesizeCapExceeded], AuditableCall | None]"
"""Asked when a message is refused at the cap. Returns a recorded call whose draft shall answer, such as
`error.last_call`, or `None` to let the error through."""
Nudge: TypeAlias = "Callable[[SeamRequest, Draft], SeamRequest]"
"""Given the request as the caller gave it and the weak draft, returns what to ask in the recovery attempt."""
RowObserver: TypeAlias = "Callable[[AuditableCall, BaseException | None], None]"
"""Told of each attempt of this process once its row is recorded, with what the provider raised, if it did. What it
raises itself is logged and changes nothing. Attempts that are closed by recovery are not told of."""


def utc_now() -> datetime:
    """Return the time of the wall clock, in UTC."""
    return datetime.now(timezone.utc)


def random_id() -> str:
    """Return a new UUID 4. Every call pays for it, and to write one out takes a third of the time of `uuid.uuid4`."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def ask_again(request: SeamRequest, _draft: Draft) -> SeamRequest:
    """Return the request unchanged: the default nudge."""
    return request


@contextmanager
def calling_hook(hook: str, turn_id: str, message_id: str | None) -> Generator[None]:
    """Turn what a hook raises into an error that names it. Where every call passes, `hook_error` costs less.

    Raises:
        HookError: with the exception of the hook as its cause.
    """
    try:
        yield
    except Exception as error:
        raise hook_error(hook, turn_id, message_id, error) from error


def hook_error(hook: str, turn_id: str, message_id: str | None, error: Exception) -> HookError:
    """Return what to raise from an exception of a hook."""
    return HookError(hook, turn_id, message_id, type(error).__name__)


@dataclass(frozen=True)
class RuntimeHooks:
    """What a host may replace."""

    judge: DraftJudge = judge_by_visible_text
    nudge: Nudge = ask_again
    price: Price = unknown_price
    on_cap: CapHandler | None = None
    """`None`: the cap always raises."""
    on_row: RowObserver | None = None
    """`None`: nobody is told."""
    cache: AnswerCache | None = None
    """`None`: every attempt calls the provider."""
    clock: Callable[[], datetime] = utc_now
    """Returns an aware datetime."""
    mint_id: Callable[[], str] = random_id
    """Returns an id that no other process returns."""
