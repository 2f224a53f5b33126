"""A file that may matter to its verdict: check it, keep the rules that are on, apply suppressions. Reads no file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pleach_lint.engine import Checked, State, check_source, not_analysed
from pleach_lint.inspection import Comments, Outcome, SeamPackage, Verdict
from pleach_lint.project import Project, Settings
from pleach_lint.suppression import Suppressions

if TYPE_CHECKING:
    from pleach_lint.walk import Target

_OUTCOMES: Final = {
    State.PARSED: Outcome.PARSED,
    State.WITHOUT_CLASS_WORDS: Outcome.WITHOUT_CLASS_WORDS,
    State.NOT_ANALYSED: Outcome.NOT_ANALYSED,
}


class Judge:
    """Judges files one after another, each in its project."""

    def __init__(self, comments: Comments) -> None:
        """Start without any project; `comments` says which comments hide findings."""
        self._comments = comments
        self._projects: dict[Settings, Project] = {}

    def verdict(self, target: Target, data: bytes) -> Verdict:
        """Check a file by its bytes."""
        checked = check_source(Path(target.path), data, self._project(target.configuration.settings))
        return self._judged(target, checked) if checked.findings else Verdict(_OUTCOMES[checked.state])

    def unread(self, target: Target, reason: str) -> Verdict:
        """The verdict on a file that was not analysed, for a reason in plain words."""
        return Verdict(Outcome.NOT_ANALYSED, not_analysed(Path(target.path), 1, reason).findings)

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
        kept = tuple(sorted(finding for finding in selected if not suppressions.hides(finding)))
        warnings = tuple(
            f"{target.path}:{misuse.row}: this `pleach:` comment {misuse.message}" for misuse in suppressions.misuses
        )
        return Verdict(_OUTCOMES[checked.state], kept, len(selected) - len(kept), warnings, text if kept else "")
