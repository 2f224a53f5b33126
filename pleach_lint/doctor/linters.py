"""Complaints about Ruff and flake8: settings of theirs that take our codes away."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pleach_lint.doctor.complaint import Complaint
from pleach_lint.neighbours.flake8 import flake8_settings
from pleach_lint.neighbours.ruff import ruff_settings
from pleach_lint.neighbours.toml import read_text
from pleach_lint.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pleach_lint.neighbours.flake8 import Flake8Settings
    from pleach_lint.walk import Target

_CODE: Final = "PCH001"
_PREFIX: Final = "PCH"
_SYNTAX: Final = "E999"
_WHOLE_FILE: Final = re.compile(rb"^\s*# flake8[:=]\s*noqa", re.IGNORECASE | re.MULTILINE)
"""Source: flake8's `defaults.NOQA_FILE`."""
_HOOKS: Final = ".pre-commit-config.yaml"
_HOOK: Final = re.compile(r"\bid:\s*['\"]?flake8\b")
_OURS: Final = re.compile(r"\bpleach-lint\b|\bcallclass-literals\b")


def about_ruff(root: Path, cwd: Path) -> Iterator[Complaint]:
    """Complain where a fix of Ruff would delete our `noqa` comments, and so bring back what they hide, or worse."""
    settings = ruff_settings(root)
    if settings is not None and settings.deleting and not settings.spares_us:
        yield Complaint(
            f"ruff takes `noqa: {_CODE}` for a mistake ({', '.join(settings.deleting)}), and its fix deletes it",
            shown(settings.path, cwd),
            f'add "{_PREFIX}" to `lint.external` of ruff; `pleach-lint init` does',
        )


def about_flake8(root: Path, cwd: Path, targets: Iterable[Target]) -> Iterator[Complaint]:
    """Complain where flake8 would not report our codes, or not look at a file; nothing where it is not used."""
    settings = flake8_settings(root)
    if settings is None:
        return
    where = shown(settings.path, cwd)
    if not settings.shows(_CODE):
        yield Complaint(
            f"flake8 does not report {_PREFIX}: its `select` or `ignore` leaves it out",
            where,
            f"add {_PREFIX} to `select`, and take it out of `ignore`; `pleach-lint init` does the first",
        )
    if not settings.shows(_SYNTAX):
        yield Complaint(
            "flake8 does not report E9, so a file that it cannot parse passes unchecked",
            where,
            "add E9 to `select`, and take it out of `ignore`",
        )
    if not entry_points(group="flake8.extension", name=_PREFIX):
        yield Complaint(
            "flake8 would not find our plugin in this environment",
            where,
            "install `pleach-lint[flake8]` where flake8 runs",
            is_fatal=False,
        )
    yield from _left_out(settings, root, where, list(targets))


def about_hooks(root: Path, cwd: Path) -> Iterator[Complaint]:
    """Complain about a flake8 hook that pre-commit runs without our plugin, where no hook of ours is."""
    text = read_text(root / _HOOKS) or ""
    if _HOOK.search(text) and not _OURS.search(text):
        yield Complaint(
            "pre-commit runs flake8 without our plugin, and no hook of ours",
            shown(root / _HOOKS, cwd),
            "add `additional_dependencies: [pleach-lint]` to the flake8 hook, or our hook; `pleach-lint init` does",
            is_fatal=False,
        )


def _left_out(settings: Flake8Settings, root: Path, where: str, targets: list[Target]) -> Iterator[Complaint]:
    for pattern in settings.exclude:
        if fnmatchcase(str(root), pattern):
            yield Complaint(
                f"the path of this checkout, {root}, matches {pattern} in `exclude` of flake8, which checks nothing",
                where,
                "say `exclude` without stars around the name, or move the checkout",
            )
    for pattern, codes in settings.per_file_ignores:
        if any(_CODE.startswith(code) for code in codes):
            yield Complaint(
                f"flake8 ignores {_PREFIX} in {pattern}",
                where,
                "use `per-file-ignores` of [tool.pleach-lint], which the other fronts obey too",
                is_fatal=False,
            )
    for target in targets:
        found = None if target.problem else _WHOLE_FILE.search(Path(target.real).read_bytes())
        if found:
            row = found.string.count(b"\n", 0, found.end()) + 1
            yield Complaint(
                "`# flake8: noqa` takes the whole file from flake8, whatever codes follow",
                f"{target.path}:{row}",
                "put `# noqa: CODE` at the lines that need it",
            )
