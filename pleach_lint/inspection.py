"""One file to its verdict: read it, check it, keep the rules that are on, apply suppressions. Prints nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint import faults
from pleach_lint.engine import Checked, State, check_source, not_analysed
from pleach_lint.project import Project
from pleach_lint.suppression import Suppressions

if TYPE_CHECKING:
    from pleach_lint.finding import Finding
    from pleach_lint.project import Settings
    from pleach_lint.suppression import Comments
    from pleach_lint.walk import Target


@dataclass(frozen=True)
class Verdict:
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


@dataclass(frozen=True)
class Results:
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
        try:
            return self._inspect(target, data)
        except OSError as error:
            return unread(target, f"cannot be read: {error.strerror}")
        except Exception as error:  # noqa: BLE001 - one file must not cost the verdict on all others
            return unread(target, faults.named(error))

    def _inspect(self, target: Target, data: bytes | None) -> Verdict:
        if target.problem:
            return unread(target, target.problem)
        found = Path(target.real).read_bytes() if data is None else data
        checked = check_source(Path(target.path), found, self._project(target.configuration.settings))
        return self._judged(target, checked) if checked.findings else Verdict(checked.state)

    def seam_packages(self) -> frozenset[SeamPackage]:
        """The seam packages that were met so far."""
        return frozenset(
            SeamPackage(str(settings.root), folder, configured=bool(settings.seams))
            for settings, project in self._projects.items()
            for folder in project.seam_packages_used()
        )

    def _project(self, settings: Settings) -> Project:
        if settings not in self._projects:
            self._projects[settings] = Project(settings)
        return self._projects[settings]

    def _judged(self, target: Target, checked: Checked) -> Verdict:
        text = checked.text or ""
        suppressions = Suppressions(text, self._comments)
        codes = target.configuration.codes_for(target.real)
        selected = [finding for finding in checked.findings if finding.code in codes]
        kept = [finding for finding in selected if not suppressions.hides(finding)]
        warnings = tuple(
            f"{target.path}:{misuse.row}: this `pleach:` comment {misuse.message}" for misuse in suppressions.misuses
        )
        return Verdict(checked.state, tuple(sorted(kept)), len(selected) - len(kept), warnings, text if kept else "")


def unread(target: Target, reason: str) -> Verdict:
    """The verdict on a file that was not analysed, with the reason in plain words."""
    checked = not_analysed(Path(target.path), 1, reason)
    return Verdict(checked.state, checked.findings)
