"""All complaints about a repository, the fatal ones first."""

from __future__ import annotations

from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from pleach_lint.discovery import discover
from pleach_lint.doctor.complaint import Complaint
from pleach_lint.doctor.linters import about_flake8, about_hooks, about_ruff
from pleach_lint.doctor.ours import Governed, complaints, excluded_checkout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.config.governing import Configurations
    from pleach_lint.walk import Target


def examined(folder: Path, configurations: Configurations, cwd: Path) -> list[Complaint]:
    """Look at a folder and at all that governs it.

    Raises:
        ConfigError: if a configuration cannot be obeyed.
    """
    targets = discover([str(folder)], configurations, cwd).targets
    configuration = configurations.governing(folder)
    root = Path(configuration.root)
    places = tuple(dict.fromkeys((folder, root)))
    found = chain(
        _empty(targets, folder, cwd),
        excluded_checkout(folder, configuration),
        chain.from_iterable(complaints(governed) for governed in _governed(targets)),
        chain.from_iterable(about_ruff(place, cwd) for place in places),
        chain.from_iterable(about_flake8(place, cwd, targets) for place in places),
        chain.from_iterable(about_hooks(place, cwd) for place in places),
    )
    return sorted(dict.fromkeys(found), key=lambda complaint: not complaint.is_fatal)


def _empty(targets: Sequence[Target], folder: Path, cwd: Path) -> Iterator[Complaint]:
    if not targets:
        yield Complaint(
            "no Python file is found, besides what `exclude` and .gitignore leave out",
            str(folder if folder != cwd else "."),
            "say which folder holds your code, or see `pleach-lint config` for what is excluded",
        )


def _governed(targets: Sequence[Target]) -> Iterator[Governed]:
    def root(target: Target) -> str:
        return target.configuration.root

    for _, files in groupby(sorted(targets, key=root), root):
        group = list(files)
        yield Governed(group[0].configuration, group)
