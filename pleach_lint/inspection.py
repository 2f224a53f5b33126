"""One file to its verdict: read it, check it, keep the rules that are on, apply suppressions. Prints nothing."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pleach_lint import faults
from pleach_lint.gate import may_suppress
from pleach_lint.project import Project
from pleach_lint.screening import WITHOUT_CLASS_WORDS, Checked, State, is_parsed, not_analysed, screen
from pleach_lint.source import UnreadableSource, decode, of_text
from pleach_lint.verdict import Comments, Results, SeamPackage, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pleach_lint.cache import Cache
    from pleach_lint.cache_place import CachePlace
    from pleach_lint.finding import Finding
    from pleach_lint.gate import Signs
    from pleach_lint.notebooks import Notebook
    from pleach_lint.project import Settings
    from pleach_lint.suppression import Suppressions
    from pleach_lint.walk import Target


def collect_rarely() -> None:
    """Let Python look for cyclic garbage seldom, for it would look through millions of nodes that are all in use.

    Concerns the whole process. What a `Project` drops, it collects itself.
    """
    gc.set_threshold(500_000, 50, 1_000)


def unread(target: Target, reason: str) -> Verdict:
    """The verdict on a file that was not analysed, for a reason in plain words."""
    return Verdict(State.NOT_ANALYSED, not_analysed(Path(target.path), 1, reason).findings)


class Inspector:
    """Checks files one after another, each in its project."""

    def __init__(self, comments: Comments, cache_place: CachePlace | None = None) -> None:
        """Start without any project.

        Args:
            comments: Which comments hide findings.
            cache_place: Where findings are kept for later runs; None: nowhere.
        """
        self._comments = comments
        self._cache_place = cache_place
        self._projects: dict[Settings, Project] = {}
        self._caches: dict[str, Cache] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Another process begins without any project."""
        return Inspector, (self._comments, self._cache_place)

    def look_at(self, target: Target) -> Signs | None:
        """Look at the bytes of one of many files that will be checked, so that `is_bare` can tell.

        None when it cannot be read, or is a notebook, whose bytes are not those of its Python.
        """
        if target.is_notebook:
            return None
        try:
            with open(target.real, "rb", buffering=0) as file:  # noqa: PTH123 - for every file of a run
                return self._project(target).look_at(target.path, file.read())
        except OSError:
            return None

    def look_around(self, target: Target) -> None:
        """List what could be imported around one of many files, of which `is_bare` will want to know."""
        self._project(target).look_around()

    def learn(self, target: Target, seen: Signs | None) -> None:
        """Take what another process saw in one of many files."""
        if seen is not None:
            self._project(target).learn(target.path, seen)

    def is_bare(self, target: Target) -> bool:
        """Whether a file that was looked at is known to have no finding: its verdict is `BARE`."""
        return not target.problem and self._project(target).is_bare(target.path)

    def inspect(self, target: Target, data: bytes | None = None) -> Verdict:
        """Check one file; a fault of the checker itself makes it a file that was not analysed.

        Args:
            target: The file.
            data: Its bytes, when they are not those on the disk.
        """
        if target.problem:
            return unread(target, target.problem)
        try:
            return self._inspected(target, data)
        except UnreadableSource as problem:
            return Verdict(State.NOT_ANALYSED, not_analysed(Path(target.path), problem.row, problem.reason).findings)
        except OSError as error:
            return unread(target, f"cannot be read: {error.strerror}")
        except Exception as error:  # noqa: BLE001 - one file must not cost the verdict on all others
            return unread(target, faults.named(error))

    def results(self, verdicts: Iterable[Verdict]) -> Results:
        """The verdicts, with what was met on the way to them."""
        reached = tuple(verdicts)
        seams = frozenset(
            SeamPackage(str(settings.root), folder, configured=bool(settings.seams))
            for settings, project in self._projects.items()
            for folder in project.seam_packages_used()
        )
        problems = frozenset(cache.problem for cache in self._caches.values() if cache.problem)
        return Results(reached, seams, problems)

    def _inspected(self, target: Target, data: bytes | None) -> Verdict:
        """Check one file.

        Raises:
            OSError: if it cannot be read.
            UnreadableSource: if it should be a notebook, and is none.
        """
        found = Path(target.real).read_bytes() if data is None else data
        if not target.is_notebook:
            checked = self._checked(target, found, is_kept=data is None)
            return self._judged(target, self._legible(checked, found))
        from pleach_lint.notebooks import for_cells, placed, read_notebook  # noqa: PLC0415 - most are no notebooks

        notebook = read_notebook(found)
        module = notebook.code.encode(errors="replace")
        checked = self._checked(target, module, is_kept=data is None)
        name = self._project(target).shown(Path(target.path))
        checked = checked._replace(findings=for_cells(checked.findings, notebook, name))
        return self._judged(target, self._legible(checked, module), placed(notebook, found))

    def _checked(self, target: Target, data: bytes, *, is_kept: bool) -> Checked:
        """Check a file, or remember it; not one of a seam package, which hangs on its neighbours as well."""
        path, project = Path(target.path), self._project(target)
        if not is_parsed(path, data, project):
            return WITHOUT_CLASS_WORDS
        if is_kept and self._cache_place is not None and not project.is_seam(path):
            return self._remembered(path, data, project, self._cache(project.settings.root, self._cache_place))
        checked = parse_and_check(path, data, project)
        project.make_room()
        return checked

    def _legible(self, checked: Checked, data: bytes) -> Checked:
        """The same with the text of the file, where its rows or its comments are worth a look."""
        judges = self._comments is Comments.ALL and may_suppress(data)
        if checked.text is not None or not (checked.findings or judges):
            return checked
        try:
            return checked._replace(text=decode(data).text)
        except UnreadableSource:
            return checked

    def _remembered(self, path: Path, data: bytes, project: Project, cache: Cache) -> Checked:
        """Check a file, unless an earlier run did. What was not analysed may be so for a passing reason."""
        fingerprint = project.fingerprint(path, data)
        findings = cache.load(fingerprint, str(path))
        if findings is not None:
            return Checked(findings, State.PARSED, decode(data).text if findings else None)
        checked = parse_and_check(path, data, project)
        project.make_room()
        if checked.state is State.PARSED and not project.is_torn:
            cache.save(fingerprint, checked.findings)
        return checked

    def _cache(self, root: Path, place: CachePlace) -> Cache:
        from pleach_lint.cache import Cache  # noqa: PLC0415 - most runs parse nothing

        folder = place.of(root)
        if folder not in self._caches:
            self._caches[folder] = Cache(folder)
        return self._caches[folder]

    def _project(self, target: Target) -> Project:
        settings = target.configuration.settings
        project = self._projects.get(settings)
        if project is None:
            project = self._projects[settings] = Project(settings)
        return project

    def _judged(self, target: Target, checked: Checked, notebook: Notebook | None = None) -> Verdict:
        """Keep the findings of the rules that are on, and apply suppressions."""
        if not checked.findings and not checked.text:
            return Verdict(checked.state)
        from pleach_lint.suppression import Suppressions  # noqa: PLC0415 - most files have no findings

        text = checked.text or ""
        suppressions = Suppressions(text, self._comments)
        codes = target.configuration.codes_for(target.real)
        found = (*checked.findings, *self._on_comments(target, checked, suppressions))
        selected = [finding for finding in found if finding.code in codes]
        hidden = tuple(sorted(filter(suppressions.hides, selected)))
        kept = tuple(_spared(finding, hidden) for finding in sorted(selected) if finding not in hidden)
        warnings = tuple(
            f"{target.path}:{notebook.row_name(misuse.row) if notebook else misuse.row}: "
            f"this `pleach:` comment {misuse.message}"
            for misuse in suppressions.misuses
        )
        ignored = frozenset(finding.code for finding in found) & target.configuration.codes - codes
        return Verdict(checked.state, kept, hidden, ignored, 0, warnings, text if kept or hidden else "", notebook)

    def _on_comments(self, target: Target, checked: Checked, suppressions: Suppressions) -> Sequence[Finding]:
        """What is to be said about the comments themselves. In a file that was not analysed, any may be of use."""
        if self._comments is not Comments.ALL or not suppressions.written or checked.state is State.NOT_ANALYSED:
            return ()
        from pleach_lint.honesty import Subject, judged  # noqa: PLC0415 - most files have no suppressions

        name, rows = str(Path(target.path)), of_text(checked.text or "").lines
        subject = Subject(name, rows, suppressions.written, checked.findings)
        about = judged(subject, target.configuration.codes, target.configuration.codes_for(target.real))
        return [replace(finding, fix=None) for finding in about] if target.is_notebook else about


def _spared(finding: Finding, hidden: Iterable[Finding]) -> Finding:
    """A finding whose fix, if it has one, leaves alone what comments hide."""
    is_shared = finding.fix is not None and any(finding.fix == other.fix for other in hidden)
    return replace(finding, fix=None) if is_shared else finding


def parse_and_check(path: Path, data: bytes, project: Project) -> Checked:
    """Check one file that `is_parsed`."""
    screened = screen(path, data, project)
    if screened is not None:
        return screened
    from pleach_lint.engine import follow  # noqa: PLC0415 - most runs follow nothing

    return follow(path, data, project)
