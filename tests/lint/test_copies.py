"""Tests for `pleach_lint.copies`."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from pleach_lint import checking, copies
from pleach_lint.copies import Copy, deal, may_fork
from pleach_lint.verdict import Comments
from tests.lint.test_checking import targets

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Project

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def fail() -> int:
    """Have no value."""
    raise OSError("no value")


def die() -> int:
    """End without a word."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 1


@pytest.mark.parametrize(
    ("compute", "value"),
    [
        pytest.param(lambda: ["x" * 100_000] * 3, ["x" * 100_000] * 3, id="more than a pipe holds"),
        pytest.param(fail, None, id="one that fails"),
        pytest.param(die, None, id="one that dies"),
    ],
)
def test_the_value_of_a_copy(compute: Callable[[], object], value: object) -> None:
    """A copy hands over what it computed; None when it could not."""
    copy = Copy(compute)
    try:
        assert copy.value() == value
    finally:
        copy.stop()


def test_a_copy_is_stopped_at_once() -> None:
    """A copy that is not needed any more is ended, and nothing of it is left."""
    started = time.monotonic()
    copy = Copy(lambda: time.sleep(60))
    copy.stop()
    assert time.monotonic() - started < 30
    with pytest.raises(ChildProcessError):
        os.waitpid(copy.pid, os.WNOHANG)


def test_only_a_process_with_one_thread_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process is copied where the system tells that it has one thread, and nowhere else."""
    answers = iter((["1"], ["1", "2"]))
    monkeypatch.setattr("pleach_lint.copies.os.listdir", lambda _: next(answers, None) or os.scandir("/nowhere"))
    assert [may_fork() for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("count", [0, 1, 2_000], ids=["none", "one", "more than are taken singly"])
def test_items_are_dealt_among_processes(count: int) -> None:
    """Each item is worked on once, with its index, whichever process takes it."""
    parts = deal(range(100, 100 + count), 3, dict)
    assert len(parts) == 3
    pairs = [pair for part in parts for pair in part.items()]
    assert sorted(pairs) == [(index, 100 + index) for index in range(count)]


def test_copies_take_items_while_this_process_is_busy() -> None:
    """What this process has to do besides holds no copy up."""
    (_, taken) = deal("ab", 2, list, beside=lambda: time.sleep(1))
    assert taken == [(0, "a"), (1, "b")]


@pytest.mark.parametrize("compute", [None, die], ids=["copies that live", "copies that die"])
@pytest.mark.parametrize("leaks", [3, 20], ids=["few to follow", "many to follow"])
def test_work_that_is_shared(
    project: Project, monkeypatch: pytest.MonkeyPatch, leaks: int, compute: Callable[[], int] | None
) -> None:
    """Copies that look at a part of the files, or check it, change no verdict, nor do copies that die."""
    leak = 'resolve_model(call_class="utility")\n'
    project({**{f"m{number}.py": leak if number < leaks else "x = 1\n" for number in range(23)}, "c.py": "\xff"})
    files = targets()
    alone = checking.check_all(files, 1, Comments.ALL, lambda _: None)
    monkeypatch.setattr(checking, "_VERY_MANY", 1)
    monkeypatch.setattr(checking, "may_fork", lambda: True)
    if compute is not None:
        monkeypatch.setattr(copies, "Copy", lambda _: Copy(compute))
    assert checking.check_all(files, 3, Comments.ALL, lambda _: None) == alone
