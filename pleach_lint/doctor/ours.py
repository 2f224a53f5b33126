"""Complaints about our own configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.declarations import declarations
from pleach_lint.doctor.complaint import Complaint
from pleach_lint.patterns import PathMatcher
from pleach_lint.project import SeamFolders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pleach_lint.config.effective import Configuration
    from pleach_lint.walk import Target

_FAMILY: Final = "callclass-literals"


class Governed(NamedTuple):
    """A configuration, and the files that it governs."""

    configuration: Configuration
    files: Sequence[Target]

    @property
    def origin(self) -> str:
        """The configuration file, as it is shown to people."""
        return self.configuration.file or "no configuration file"


def complaints(governed: Governed) -> Iterator[Complaint]:
    """Complain about one configuration."""
    yield from _seams(governed)
    yield from _rules(governed)
    yield from _file_ignores(governed)


def excluded_checkout(folder: Path, configuration: Configuration) -> Iterator[Complaint]:
    """Complain about a folder that the configuration further up leaves out: then hooks pass every file in it."""
    if str(folder) != configuration.root and configuration.excluded.covers(str(folder), configuration.root):
        yield Complaint(
            f"{folder} lies in a folder that is excluded, so hooks and flake8 check nothing in it",
            configuration.file or "no configuration file",
            "give the project a [tool.pleach-lint] of its own, or take the folder out of `exclude`",
        )


def _seams(governed: Governed) -> Iterator[Complaint]:
    configuration, real = governed.configuration, [target.real for target in governed.files]
    for pattern in configuration.seams:
        folders = SeamFolders(configuration.root, (pattern,))
        if not any(map(folders.holds, real)):
            yield Complaint(
                f"`seams` names {pattern}, which holds no Python file",
                configuration.origin_of("seams"),
                "name the folder of your seam package, relative to this file",
                is_fatal=False,
            )
    every = SeamFolders(configuration.root, configuration.seams)
    if real and all(map(every.holds, real)):
        yield Complaint(
            "every file lies in a seam package, where anything may stand",
            governed.origin,
            "name the one folder that may spell call classes under `seams`",
        )


def _rules(governed: Governed) -> Iterator[Complaint]:
    usual = {rule.code for rule in declarations() if rule.family == _FAMILY and rule.default}
    off = sorted(usual - governed.configuration.codes)
    if off:
        yield Complaint(
            f"rules that find call classes are off: {', '.join(off)}",
            governed.origin,
            "take them out of `ignore`, or put `callclass-literals` into `select`",
            is_fatal=set(off) == usual,
        )


def _file_ignores(governed: Governed) -> Iterator[Complaint]:
    configuration = governed.configuration
    for pattern, entries in configuration.merged.per_file_ignores or ():
        matcher = PathMatcher((pattern,))
        covered = sum(matcher.covers(target.real, configuration.root) for target in governed.files)
        origin = configuration.origin_of("per_file_ignores")
        if not covered:
            yield Complaint(
                f"`per-file-ignores` speaks of {pattern.text}, which matches no file",
                origin,
                "take the entry out, or name the files that are meant",
                is_fatal=False,
            )
        elif covered == len(governed.files):
            yield Complaint(
                f"`per-file-ignores` ignores {', '.join(entry.name for entry in entries)} in every file",
                origin,
                f"name fewer files than {pattern.text}, or say it with `ignore`",
            )
