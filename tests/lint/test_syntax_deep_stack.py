"""Tests for `pleach_lint.syntax.deep_stack`."""

from __future__ import annotations

import sys
import threading

import pytest

from pleach_lint.syntax import with_deep_stack


def nested(depth: int) -> int:
    """Count by recursion."""
    return nested(depth - 1) + 1 if depth else 0


def test_returns_what_the_function_returns() -> None:
    """A call that the usual limit stops succeeds on the deep stack."""
    with pytest.raises(RecursionError):
        nested(5_000)
    assert with_deep_stack(lambda: nested(30_000)) == 30_000


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_raises_what_the_function_raises(error: type[BaseException]) -> None:
    """An error of any kind reaches the caller."""

    def fail() -> None:
        raise error("why")

    with pytest.raises(error, match="why"):
        with_deep_stack(fail)


def test_endless_recursion_is_an_error() -> None:
    """A recursion without end raises, and does not overflow the stack."""

    def endless() -> int:
        return max(map(lambda _: endless(), [0]))  # noqa: C417 - the map is what spends the C stack

    with pytest.raises(RecursionError):
        with_deep_stack(endless)


def test_limits_are_restored() -> None:
    """Neither the recursion limit nor the size of later threads' stacks changes for good."""
    before = sys.getrecursionlimit(), threading.stack_size()
    within = with_deep_stack(sys.getrecursionlimit)
    assert (sys.getrecursionlimit(), threading.stack_size()) == before
    assert within > before[0]


def test_nested_calls_share_the_thread() -> None:
    """A call from a deep stack needs no other thread."""
    outer, inner = with_deep_stack(lambda: (threading.get_ident(), with_deep_stack(threading.get_ident)))
    assert outer == inner
    assert outer != threading.get_ident()


@pytest.mark.parametrize("error", [ValueError, RuntimeError])
def test_runs_in_place_where_no_thread_is_granted(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """A system that grants no large stack gets the function called on the stack that there is."""

    def refuse(_self: threading.Thread) -> None:
        raise error

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert with_deep_stack(threading.get_ident) == threading.get_ident()


def test_small_stack_of_the_caller_does_not_matter() -> None:
    """The function has room even if the calling thread has none."""
    results: list[int] = []
    size = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: results.append(with_deep_stack(lambda: nested(30_000))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert results == [30_000]
