"""What commands cost: wall time, processor time, memory, at the best of several rounds. Judges nothing."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_FINE = frozenset({0, 1})
"""Exit codes of a linter that did its work."""


class Command(NamedTuple):
    """What is run, where."""

    words: Sequence[str]
    cwd: Path
    surroundings: Mapping[str, str] = {}
    """Environment variables beside those of this process."""


class Cost(NamedTuple):
    """What a command took. Of several rounds, the least of each."""

    wall: float
    """Seconds."""
    processor: float
    """Seconds in the command and its processes, user and system."""
    memory: float
    """Megabytes of the largest of its processes."""


def costs(commands: Mapping[str, Command], rounds: int) -> dict[str, Cost]:
    """Run the commands in turns, so that noise hits all alike."""
    samples: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            samples[name].append(_cost(command))
    return {name: Cost(*(min(values) for values in zip(*rows, strict=True))) for name, rows in samples.items()}


def _cost(command: Command) -> Cost:
    """Run a command once.

    Raises:
        SystemExit: if it fails.
    """
    started = time.perf_counter()
    process = subprocess.Popen(
        command.words,
        cwd=command.cwd,
        env={**os.environ, **command.surroundings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in _FINE:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(command.words)}")
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
