"""What came of checking files: a verdict for each, and the results of many. Knows not how they were reached."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.screening import State

if TYPE_CHECKING:
    from pleach_lint.finding import Finding
    from pleach_lint.notebooks import Notebook


class Comments(Enum):
    """Which comments hide findings."""

    ALL = auto()
    """`noqa` and `pleach:`."""
    OURS = auto()
    """`pleach:` alone, where flake8 sees to `noqa`."""
    NONE = auto()


class Verdict(NamedTuple):
    """What is known of one file after its check."""

    state: State
    findings: tuple[Finding, ...] = ()
    """What is to be reported, sorted."""
    suppressed: tuple[Finding, ...] = ()
    """What comments hide, sorted."""
    ignored: frozenset[str] = frozenset()
    """The rules whose findings `per-file-ignores` left out."""
    known: int = 0
    """How many findings the baseline holds."""
    warnings: tuple[str, ...] = ()
    text: str = ""
    """The decoded file, when it has findings, be they hidden, and could be decoded; of a notebook, its module."""
    notebook: Notebook | None = None
    """Where the rows of that module stand, when there are findings in a notebook."""


BARE: Final = Verdict(State.WITHOUT_CLASS_WORDS)


class SeamPackage(NamedTuple):
    """A folder whose files may spell a call class."""

    root: str
    """The project that it belongs to, absolute."""
    folder: str
    """Relative to `root`, with slashes."""
    configured: bool
    """Whether the configuration names it; else it is one because it is called so."""


class Results(NamedTuple):
    """What came of several files."""

    verdicts: tuple[Verdict, ...]
    """One for each file, in the order of the files."""
    seams: frozenset[SeamPackage]
    """The seam packages that were met."""
    cache_problems: frozenset[str] = frozenset()
    """Why findings could not be kept for later runs, in plain words."""
    beside: tuple[Verdict, ...] = ()
    """What is to be reported in files that were not checked, such as those of the configuration."""

    @property
    def reported(self) -> list[Finding]:
        """All findings that are to be reported, file by file."""
        return [finding for verdict in (*self.verdicts, *self.beside) for finding in verdict.findings]

    def joined(self, later: Results) -> Results:
        """These results, and those of the files that follow."""
        problems = self.cache_problems | later.cache_problems
        return Results(self.verdicts + later.verdicts, self.seams | later.seams, problems)
