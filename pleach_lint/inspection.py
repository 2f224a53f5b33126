"""One file to its verdict: read it, and have it judged if it can matter. Loads no analysis before one does."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint import faults
from pleach_lint.gate import may_matter
from pleach_lint.source import may_hide_words

if TYPE_CHECKING:
    from pleach_lint.finding import Finding
    from pleach_lint.judging import Judge
    from pleach_lint.walk import Target


class Comments(Enum):
    """Which comments hide findings."""

    ALL = auto()
    """`noqa` and `pleach:`."""
    OURS = auto()
    """`pleach:` alone, where flake8 sees to `noqa`."""
    NONE = auto()


class Outcome(Enum):
    """What became of a file."""

    PARSED = auto()
    WITHOUT_CLASS_WORDS = auto()
    NOT_ANALYSED = auto()


class Verdict(NamedTuple):
    """What is known of one file after its check."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    """What is to be reported, sorted."""
    suppressed: int = 0
    """How many findings comments hide."""
    warnings: tuple[str, ...] = ()
    text: str = ""
    """The decoded file, when there are findings and it could be decoded."""


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


class Inspector:
    """Checks files one after another."""

    def __init__(self, comments: Comments) -> None:
        """Start without any project; `comments` says which comments hide findings."""
        self._comments = comments
        self._loaded: Judge | None = None

    def inspect(self, target: Target, data: bytes | None = None) -> Verdict:
        """Check one file; a fault of the checker itself makes it a file that was not analysed.

        Args:
            target: The file.
            data: Its bytes, when they are not those on the disk.
        """
        if target.problem:
            return self.unread(target, target.problem)
        try:
            found = Path(target.real).read_bytes() if data is None else data
            if not may_matter(found, target.configuration.merged.names or ()) and not may_hide_words(found):
                return Verdict(Outcome.WITHOUT_CLASS_WORDS)
            return self._judge().verdict(target, found)
        except OSError as error:
            return self.unread(target, f"cannot be read: {error.strerror}")
        except Exception as error:  # noqa: BLE001 - one file must not cost the verdict on all others
            return self.unread(target, faults.named(error))

    def unread(self, target: Target, reason: str) -> Verdict:
        """The verdict on a file that was not analysed, for a reason in plain words."""
        return self._judge().unread(target, reason)

    def seam_packages(self) -> frozenset[SeamPackage]:
        """The seam packages that were met so far."""
        return self._loaded.seam_packages() if self._loaded else frozenset()

    def _judge(self) -> Judge:
        if self._loaded is None:
            from pleach_lint.judging import Judge  # noqa: PLC0415 - most files can be let through without the analysis

            self._loaded = Judge(self._comments)
        return self._loaded
