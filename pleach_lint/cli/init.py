"""`pleach-lint init`: set the gate up in a repository, and say what was done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pleach_lint.adoption.proposal import as_diff, proposed
from pleach_lint.adoption.seam_search import seam_packages
from pleach_lint.baseline.comparison import compare
from pleach_lint.baseline.entries import save
from pleach_lint.checking import available_processors, check_all
from pleach_lint.cli.console import Console
from pleach_lint.cli.options import StrictCommand
from pleach_lint.config.governing import Configurations
from pleach_lint.config.layer import Layer
from pleach_lint.discovery import discover
from pleach_lint.ledger import counted
from pleach_lint.paths import shown
from pleach_lint.patterns import Pattern
from pleach_lint.rewriting import replace_file
from pleach_lint.verdict import Comments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_lint.baseline.entries import Entry
    from pleach_lint.config.effective import Configuration
    from pleach_lint.walk import Target

_DONE: Final = 0


@click.command("init", cls=StrictCommand)
@click.argument("path", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--dry-run", is_flag=True, help="Print a diff of what would change, and change nothing.")
@click.option(
    "--hook-repository", metavar="URL", help="Where pre-commit gets the hook; without it, the installed command is run."
)
def command(path: str, *, dry_run: bool, hook_repository: str | None) -> int:
    """Set pleach-lint up in the repository that PATH belongs to.

    Looks for seam packages and for the tools that are used: names the packages under `[tool.pleach-lint]`, adds a hook
    to `.pre-commit-config.yaml`, and our codes to `select` of flake8 and `lint.external` of Ruff, each where there is
    such a file. Stores the findings that are there in a baseline. What is there stays as it is; a second run changes
    nothing.
    """
    cwd, console = Path.cwd(), Console("auto", quiet=False, verbose=False)
    configurations = Configurations(cwd)
    root, configuration = _project(Path(path).resolve(), configurations)
    seams = seam_packages(root, discover([str(root)], configurations, cwd).targets)
    steps = proposed(root, seams, configuration.file, hook_repository)
    if dry_run:
        console.write(as_diff(steps, cwd))
    for step in steps:
        if step.changes and not dry_run:
            replace_file(step.path, (step.after or "").encode(), before=_bytes(step.before))
        verb = ("would add " if dry_run else "added ") if step.changes else ""
        console.note(f"{shown(step.path, cwd)}: {verb}{step.said}")
    stored = _store_findings(root, seams if steps[0].changes else (), console, dry_run=dry_run)
    if not stored and not any(step.changes for step in steps):
        console.note("nothing to do")
    return _DONE


def _project(folder: Path, configurations: Configurations) -> tuple[Path, Configuration]:
    """The root of the project that a folder belongs to, and what governs it already."""
    configuration = configurations.governing(folder)
    is_project = configuration.file is None and (folder / "pyproject.toml").exists()
    return (folder if is_project else Path(configuration.root)), configuration


def _store_findings(root: Path, seams: Sequence[str], console: Console, *, dry_run: bool) -> bool:
    """Store the findings that are there, unless a baseline is, and tell whether there were any to store.

    Args:
        root: The project.
        seams: The seam packages that its settings do not name yet.
        console: Where it is said.
        dry_run: Whether to say alone what would be done.
    """
    cwd, patterns = Path.cwd(), tuple(Pattern(text, str(root)) for text in seams)
    configurations = Configurations(root, overrides=(Layer("init", seams=patterns),) if patterns else ())
    path = configurations.of_run().baseline
    if path.exists():
        console.note(f"{shown(path, cwd)}: left alone: it holds findings already")
        return False
    entries = _entries(discover([os.curdir], configurations, root).targets, path.parent, console)
    if entries and not dry_run:
        save(path, entries)
    if entries:
        verb = "would add" if dry_run else "added"
        console.note(f"{shown(path, cwd)}: {verb} {counted(len(entries), 'finding')}, which later runs pass over")
    return bool(entries)


def _entries(targets: Sequence[Target], home: Path, console: Console) -> Sequence[Entry]:
    with console.progress(len(targets)) as progress:
        results = check_all(targets, available_processors(), Comments.ALL, progress.advance)
    return compare(zip(targets, results.verdicts, strict=True), (), home).entries


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
