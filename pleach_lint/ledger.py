"""The summary of a run: an account of every file, so that a green run can be believed. Prints nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pleach_lint.paths import shown
from pleach_lint.screening import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.verdict import Results, SeamPackage


def summary(results: Results, cwd: Path) -> str:
    """Account for every file and finding in one line."""
    states = Counter(verdict.state for verdict in results.verdicts)
    suppressed = sum(len(verdict.suppressed) for verdict in results.verdicts)
    known = sum(verdict.known for verdict in results.verdicts)
    seams = ", ".join(seam_folders(results.seams, cwd)) or "none met"
    return (
        f"checked {counted(len(results.verdicts), 'file')} ({states[State.PARSED]} parsed, "
        f"{states[State.WITHOUT_CLASS_WORDS]} without class words), seams: {seams}; "
        f"{counted(len(results.reported), 'finding')}, {suppressed} suppressed, {known} in baseline, "
        f"{states[State.NOT_ANALYSED]} not analysed"
    )


def statistics(results: Results) -> list[str]:
    """How often each rule reported, the most frequent first."""
    counts = Counter((finding.code, finding.slug) for finding in results.reported)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    width = len(str(max(counts.values(), default=0)))
    return [f"{count:>{width}}  {code} {slug}" for (code, slug), count in ordered]


def seam_folders(seams: Iterable[SeamPackage], cwd: Path) -> list[str]:
    """The folders of seam packages as they are shown to people, sorted."""
    return sorted(shown(Path(seam.root, seam.folder), cwd) for seam in seams)


def counted(number: int, noun: str) -> str:
    """Put a number before a noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
