"""Why a provider failed, in the runtime's words: which failures may pass, and which stay. Knows no SDK."""

# ruff: noqa: N818 - the names state what happened
from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from json import JSONDecodeError
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from pleach_runtime.provider import RetryableError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping


class PassingError(RetryableError):
    """A failure that another model, or the same one later, may not have. The SDK's own exception is its cause."""

    status: int | None = None
    """HTTP status of the answer; `None` if there was none."""
    retry_after_seconds: float | None = None
    """How long the provider asks to wait; `None` if it does not."""


class RateLimited(PassingError):
    """Too many requests, or too many tokens, for now."""


class ServerFault(PassingError):
    """The provider failed on its own, or is overloaded."""


class TimedOut(PassingError):
    """No answer came in time."""


class ConnectionLost(PassingError):
    """The provider could not be reached, or the connection broke before the answer was whole."""


class UnreadableAnswer(PassingError):
    """What came is not an answer in the provider's format. It may have been paid."""


@dataclass(frozen=True)
class Rejection:
    """An answer that says that there is none."""

    status: int | None
    """`None` if it came inside of a stream that had begun well."""
    code: str | None
    """The provider's word for it; `None` if it gave none."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


_SPENT: Final = frozenset({"billing_hard_limit_reached", "insufficient_quota"})
"""Codes of a rate limit that no waiting ends."""
_BY_CODE: Final[dict[str, type[PassingError]]] = {
    "rate_limit_error": RateLimited,
    "rate_limit_exceeded": RateLimited,
    "timeout_error": TimedOut,
    "api_error": ServerFault,
    "overloaded_error": ServerFault,
    "server_error": ServerFault,
}
_BY_STATUS: Final[dict[int, type[PassingError]]] = {408: TimedOut, 409: ServerFault, 429: RateLimited}
_TRANSPORTS: Final = frozenset({"aiohttp", "httpcore", "httpcore2", "httpx", "httpx2"})
"""Libraries whose errors SDKs let through while a stream is read."""


@contextmanager
def translated(failure_of: Callable[[Exception], PassingError | None]) -> Generator[None]:
    """Turn exceptions that mean a passing failure into one; let all others through as they are.

    Args:
        failure_of: what an exception of the SDK means; `None` if it is not one that passes.

    Raises:
        PassingError: with the exception as its cause.
    """
    try:
        yield
    except PassingError:
        raise
    except Exception as error:
        failure = failure_of(error) or _common(error)
        if failure is None:
            raise
        raise failure from error


def failure_of_rejection(rejection: Rejection) -> PassingError | None:
    """Return the passing failure that a rejection means, `None` if it stays: a bad key, a bad request, no money."""
    status, code = rejection.status, rejection.code or ""
    if code in _SPENT:
        return None
    kind = _BY_STATUS.get(status or 0) or _BY_CODE.get(code)
    if kind is None:
        if (status or 0) < _SERVER_FAULTS:
            return None
        kind = ServerFault
    failure = kind(" ".join(filter(None, [f"HTTP {status}" if status else "", code])))
    failure.status = status
    failure.retry_after_seconds = retry_after_seconds(rejection.headers)
    return failure


_SERVER_FAULTS: Final = 500


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return how long to wait, from now, by `Retry-After-Ms` or `Retry-After`; `None` if nothing readable is said."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        return _seconds_until(headers.get("retry-after", ""))


def _seconds_until(date: str) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _common(error: Exception) -> PassingError | None:
    if isinstance(error, JSONDecodeError | ValidationError):
        return UnreadableAnswer(type(error).__name__)
    if any(kind.__module__.partition(".")[0] in _TRANSPORTS for kind in type(error).__mro__):
        name = type(error).__name__
        return TimedOut(name) if "Timeout" in name else ConnectionLost(name)
    return None
