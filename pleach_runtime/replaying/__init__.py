"""Replay: a recorded turn run again over its record, and told apart from it."""

from __future__ import annotations

from pleach_runtime.replaying.record import AttemptKey, RecordedTurn, keyed, recorded_turn
from pleach_runtime.replaying.report import CallCounts, ReplayReport
from pleach_runtime.replaying.run import Program, replay
from pleach_runtime.replaying.source import FromRecord, PassingRecordedFailure, RecordedFailure

__all__ = [
    "AttemptKey",
    "CallCounts",
    "FromRecord",
    "PassingRecordedFailure",
    "Program",
    "RecordedFailure",
    "RecordedTurn",
    "ReplayReport",
    "keyed",
    "recorded_turn",
    "replay",
]
