"""All steps of adoption for one project, in the order in which they are told."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from pleach_lint.adoption.flake8_step import flake8_step
from pleach_lint.adoption.own_settings import settings_step
from pleach_lint.adoption.pre_commit_step import pre_commit_step
from pleach_lint.adoption.ruff_step import ruff_step
from pleach_lint.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pleach_lint.adoption.step import Step


def proposed(root: Path, seams: Sequence[str], governed_by: str | None, url: str | None) -> list[Step]:
    """What would become of each file that a tool of the project is set up in; see the steps for the arguments.

    Two steps may change the same file: then the second begins with what the first one makes of it.
    """
    own = settings_step(root, seams, governed_by)
    return [own, *filter(None, (ruff_step(root, own), flake8_step(root), pre_commit_step(root, url)))]


def as_diff(steps: Sequence[Step], cwd: Path) -> Iterator[str]:
    """What the steps would change, as a unified diff."""
    for step in steps:
        if step.changes:
            name = shown(step.path, cwd)
            before, after = ((text or "").splitlines(keepends=True) for text in (step.before, step.after))
            old = "/dev/null" if step.before is None else f"a/{name}"
            for line in difflib.unified_diff(before, after, old, f"b/{name}"):
                yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
