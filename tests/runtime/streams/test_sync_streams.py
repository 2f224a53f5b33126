"""Tests of streams for code without an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import StreamAborted
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.runtime import SessionRuntime
from pleach_runtime.streams.verdicts import StreamVerdict
from tests.runtime.streams.test_streams import streaming, when
from tests.runtime.stubs import ask, config

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.sync import SyncRuntime


@pytest.fixture
def runtime() -> Iterator[SyncRuntime]:
    """Boot a runtime whose provider streams."""
    boot = SessionRuntime.boot(config(), provider=streaming(*"Because."), ledger=MemoryLedger())
    with boot.sync() as booted:
        yield booted


def test_pieces_and_result(runtime: SyncRuntime) -> None:
    """The pieces arrive one by one, and the result is there at the end, as often as it is asked for."""
    seam = runtime.runtime.synthesize_seam
    with runtime.turn(chat_id="c1") as turn, turn.stream(seam, ask(), stage_id="answer") as stream:
        assert list(stream) == list("Because.")
        assert stream.result() == stream.result()
        assert stream.result().landed


def test_aborted(runtime: SyncRuntime) -> None:
    """An observer's verdict arrives as an error in the thread that reads."""
    seam, guard = runtime.runtime.converse_seam, when("c", StreamVerdict.ABORT)
    with runtime.turn(chat_id="c1") as turn:
        with turn.stream(seam, ask(), stage_id="hint", observers=[guard]) as stream, pytest.raises(StreamAborted):
            list(stream)
        assert [row.outcome for row in turn.calls()] == ["aborted"]


def test_left_early(runtime: SyncRuntime) -> None:
    """A reader that goes leaves one row."""
    with runtime.turn(chat_id="c1") as turn:
        with turn.stream(runtime.runtime.utility_seam, ask(), stage_id="router") as stream:
            assert next(stream) == "B"
        assert len(turn.calls()) == 1
