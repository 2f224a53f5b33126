"""What rejections mean, apart from any SDK."""

from __future__ import annotations

import pickle
from email.utils import formatdate
from time import time

import pytest

from pleach_runtime.providers.failures import (
    PassingError,
    RateLimited,
    Rejection,
    ServerFault,
    TimedOut,
    failure_of_rejection,
    retry_after_seconds,
    translated,
)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        pytest.param(429, None, RateLimited, id="rate limit"),
        pytest.param(429, "insufficient_quota", None, id="no money"),
        pytest.param(None, "rate_limit_exceeded", RateLimited, id="rate limit in a stream"),
        pytest.param(200, "timeout_error", TimedOut, id="timeout in a stream"),
        pytest.param(None, "made_up", None, id="unknown word in a stream"),
        pytest.param(None, None, None, id="nothing at all"),
        pytest.param(599, None, ServerFault, id="fault"),
        pytest.param(422, None, None, id="bad request"),
    ],
)
def test_kinds(status: int | None, code: str | None, kind: type[PassingError] | None) -> None:
    """Status and code together tell what may pass from what stays."""
    failure = failure_of_rejection(Rejection(status, code))
    assert type(failure) is (kind or type(None))


def test_facts() -> None:
    """A failure says status and code, nothing else that the provider wrote, and survives pickling."""
    failure = failure_of_rejection(Rejection(503, "overloaded", {"retry-after": "2"}))
    copy = pickle.loads(pickle.dumps(failure))  # noqa: S301 - our own bytes
    assert (str(copy), copy.status, copy.retry_after_seconds) == ("HTTP 503 overloaded", 503, 2.0)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        pytest.param("0", 0.0, id="now"),
        pytest.param("-3", 0.0, id="before now"),
        pytest.param(formatdate(time() - 60, usegmt=True), 0.0, id="a date that is over"),
        pytest.param("soon", None, id="no number and no date"),
    ],
)
def test_retry_after(said: str, seconds: float | None) -> None:
    """Waiting is never negative, and what cannot be read says nothing."""
    assert retry_after_seconds({"retry-after": said}) == seconds


def test_retry_after_a_date() -> None:
    """A date is as many seconds away as it is."""
    seconds = retry_after_seconds({"retry-after": formatdate(time() + 60, usegmt=True)})
    assert seconds is not None
    assert 50 < seconds <= 60


def test_other_exceptions() -> None:
    """What no SDK raised is let through as it is."""
    with pytest.raises(KeyError), translated(lambda _: None):
        raise KeyError
