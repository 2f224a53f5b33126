"""Texts after their fixes, for tests of fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_lint.engine import check_source
from pleach_lint.finding import Applicability
from pleach_lint.fixing.edits import applied
from pleach_lint.project import Project

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_lint.finding import Fix
    from pleach_lint.project import Settings

MOST_ROUNDS = 20


def fixes_of(text: str, path: Path, settings: Settings, *, unsafe: bool = True) -> list[Fix]:
    """The fixes of a text in the place of a file."""
    found = (finding.fix for finding in check_source(path, text.encode(), Project(settings)).findings)
    return [fix for fix in found if fix is not None and (unsafe or fix.applicability is Applicability.SAFE)]


def fixed_text(text: str, path: Path, settings: Settings, *, unsafe: bool = True) -> str:
    """The text after as many rounds of fixes as it takes."""
    for _ in range(MOST_ROUNDS):
        fixes = fixes_of(text, path, settings, unsafe=unsafe)
        if not fixes:
            return text
        text, _ = applied(text, fixes)
    raise AssertionError(f"still not fixed after {MOST_ROUNDS} rounds: {text}")
