"""What a run means beside a baseline: what is new, what is known, what is gone. Reads no file."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.baseline.entries import Entry, Identity, name_from
from pleach_lint.screening import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.baseline.identity import Identified
    from pleach_lint.verdict import Verdict
    from pleach_lint.walk import Target


class Compared(NamedTuple):
    """What became of the findings of a run."""

    verdicts: tuple[Verdict, ...]
    """In the order of the files, with those findings only that the baseline does not hold."""
    entries: tuple[Entry, ...]
    """What the checked files hold now, known or new. Nothing of a file that was not analysed."""
    stale: tuple[Entry, ...]
    """Entries of rules that are on whose finding is gone from a checked file, or whose file is gone. Sorted."""


def compare(
    checked: Iterable[tuple[Target, Verdict]],
    entries: Iterable[Entry],
    home: Path,
    folders: Iterable[Path] = (),
) -> Compared:
    """Tell what is new, what is known and what is gone.

    Args:
        checked: Files, each with all that was found in it.
        entries: The baseline.
        home: The folder that the names of files in it start from, absolute and real.
        folders: What was checked as a whole, absolute and real. A file below, if it is gone, has no findings any more.
    """
    before: dict[str, dict[Identity, Entry]] = defaultdict(dict)
    for entry in entries:
        before[entry.file][entry.identity] = entry
    parts = [_compared(target, verdict, before, home) for target, verdict in checked]
    gone = (entry for name, known in before.items() if _is_gone(home / name, folders) for entry in known.values())
    return Compared(
        tuple(part.verdicts[0] for part in parts),
        tuple(entry for part in parts for entry in part.entries),
        tuple(sorted([*gone, *(entry for part in parts for entry in part.stale)])),
    )


def _compared(target: Target, verdict: Verdict, before: dict[str, dict[Identity, Entry]], home: Path) -> Compared:
    """Compare one file, and take its entries out of `before`."""
    name = name_from(PurePath(target.real), home)
    known = before.pop(name, {})
    if verdict.state is State.NOT_ANALYSED:
        return Compared((verdict,), (), ())
    now = [(each.finding, Entry(name, each.identity, each.statement)) for each in _identified(verdict)]
    new = tuple(finding for finding, entry in now if entry.identity not in known)
    still = {entry.identity for _, entry in now}
    codes = target.configuration.codes_for(target.real)
    stale = (entry for key, entry in known.items() if key not in still and key.code in codes)
    entries = tuple(entry for _, entry in now)
    return Compared((verdict._replace(findings=new, known=len(now) - len(new)),), entries, tuple(stale))


def _identified(verdict: Verdict) -> list[Identified]:
    """The findings that are reported. What comments hide counts among their occurrences, so that flake8 agrees."""
    if not verdict.findings:
        return []
    from pleach_lint.baseline.identity import identified  # noqa: PLC0415 - most files have no findings

    reported = set(verdict.findings)
    every = identified(verdict.text, sorted((*reported, *verdict.suppressed)))
    return [each for each in every if each.finding in reported]


def _is_gone(path: Path, folders: Iterable[Path]) -> bool:
    real = Path(os.path.normpath(path))
    return any(real.is_relative_to(folder) for folder in folders) and not real.exists()
