"""Measuring calls of one process: interleaved rounds, CPU time, medians. What is measured is in the other files."""

from __future__ import annotations

import json
import platform
import statistics
import time
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Row:
    """A budget: one figure as a share of another, or in microseconds if there is no other."""

    what: str
    value: float
    """CPU microseconds at the median."""
    against: str
    """What it is compared with; empty if the budget is absolute."""
    share: float
    """`value` over that of `against`; the value itself if the budget is absolute."""
    budget: float
    """Largest share that is within the budget."""

    @property
    def holds(self) -> bool:
        """Whether the budget is kept."""
        return self.share <= self.budget


async def cpu_medians(
    subjects: Mapping[str, Callable[[], Awaitable[object]]], *, rounds: int, calls: int
) -> dict[str, float]:
    """Return CPU microseconds per call at the median, measured in turns so that noise hits all alike."""
    samples: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, call in subjects.items():
            for _ in range(calls):
                before = time.process_time_ns()
                await call()
                if number:
                    samples[name].append((time.process_time_ns() - before) / 1000)
    return {name: statistics.median(values) for name, values in samples.items()}


def compare(medians: Mapping[str, float], what: str, against: str, budget: float) -> Row:
    """Return the row that compares two of the medians."""
    return Row(what, medians[what], against, medians[what] / medians[against], budget)


def report(title: str, rows: Sequence[Row], packages: Sequence[str], path: Path | None) -> bool:
    """Print the rows, write them as JSON if a path is given, and return whether every budget holds."""
    versions = {name: version(name) for name in packages}
    print(f"{title}: Python {platform.python_version()}, {', '.join(f'{k} {v}' for k, v in versions.items())}")
    for row in rows:
        against = f"{row.share:8.3f} x {row.against}" if row.against else f"{row.share:8.3f} us"
        mark = "ok" if row.holds else "OVER"
        print(f"  {row.what:34} {row.value:10.1f} us  {against:46} budget {row.budget:.3f}  {mark}")
    if path is not None:
        written = {"title": title, "versions": versions, "rows": [asdict(row) for row in rows]}
        path.write_text(json.dumps(written, indent=2), encoding="utf-8")
    return all(row.holds for row in rows)
