"""One file to its verdict: read it, check it, keep the rules that are on, apply suppressions. Prints nothing."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint import faults
from pleach_lint.engine import State, check_source, not_analysed
from pleach_lint.project import Project

if TYPE_CHECKING:
    from pleach_lint.engine import Checked
    from pleach_lint.finding import Finding
    from pleach_lint.project import Settings
    from pleach_lint.walk import Target


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
    """Checks files one after another, each in its project."""

    def __init__(self, comments: Comments) -> None:
        """Start without any project; `comments` says which comments hide findings."""
        self._comments = comments
        self._projects: dict[Settings, Project] = {}

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
            checked = check_source(Path(target.path), found, self._project(target))
            return self._judged(target, checked) if checked.findings else Verdict(checked.state)
        except OSError as error:
            return self.unread(target, f"cannot be read: {error.strerror}")
        except Exception as error:  # noqa: BLE001 - one file must not cost the verdict on all others
            return self.unread(target, faults.named(error))

    def unread(self, target: Target, reason: str) -> Verdict:
        """The verdict on a file that was not analysed, for a reason in plain words."""
        return Verdict(State.NOT_ANALYSED, not_analysed(Path(target.path), 1, reason).findings)

    def seam_packages(self) -> frozenset[SeamPackage]:
        """The seam packages that were met so far."""
        return frozenset(
            SeamPackage(str(settings.root), folder, configured=bool(settings.seams))
            for settings, project in self._projects.items()
            for folder in project.seam_packages_used()
        )

    def _project(self, target: Target) -> Project:
        settings = target.configuration.settings
        if settings not in self._projects:
            self._projects[settings] = Project(settings)
        return self._projects[settings]

    def _judged(self, target: Target, checked: Checked) -> Verdict:
        """Keep the findings of the rules that are on, and apply suppressions."""
        from pleach_lint.suppression import Suppressions  # noqa: PLC0415 - most files have no findings

        text = checked.text or ""
        suppressions = Suppressions(text, self._comments)
        codes = target.configuration.codes_for(target.real)
        selected = [finding for finding in checked.findings if finding.code in codes]
        kept = tuple(sorted(finding for finding in selected if not suppressions.hides(finding)))
        warnings = tuple(
            f"{target.path}:{misuse.row}: this `pleach:` comment {misuse.message}" for misuse in suppressions.misuses
        )
        return Verdict(checked.state, kept, len(selected) - len(kept), warnings, text if kept else "")
