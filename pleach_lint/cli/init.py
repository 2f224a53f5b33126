"""`pleach-lint init`: set the gate up in a repository, and say what was done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pleach_lint.adoption.proposal import as_diff, proposed
from pleach_lint.adoption.seam_search import seam_packages
from pleach_lint.cli.console import Console
from pleach_lint.cli.options import StrictCommand
from pleach_lint.config.governing import Configurations
from pleach_lint.discovery import discover
from pleach_lint.paths import shown
from pleach_lint.rewriting import replace_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_lint.adoption.step import Step

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
    such a file. What is there stays as it is; a second run changes nothing.
    """
    cwd, console = Path.cwd(), Console("auto", quiet=False, verbose=False)
    steps = _steps(Path(path).resolve(), cwd, hook_repository)
    if dry_run:
        console.write(as_diff(steps, cwd))
    for step in steps:
        if step.changes and not dry_run:
            replace_file(step.path, (step.after or "").encode(), before=_bytes(step.before))
        verb = ("would add " if dry_run else "added ") if step.changes else ""
        console.note(f"{shown(step.path, cwd)}: {verb}{step.said}")
    if not any(step.changes for step in steps):
        console.note("nothing to do")
    return _DONE


def _steps(folder: Path, cwd: Path, url: str | None) -> Sequence[Step]:
    configurations = Configurations(cwd)
    configuration = configurations.governing(folder)
    is_project = configuration.file is None and (folder / "pyproject.toml").exists()
    root = folder if is_project else Path(configuration.root)
    targets = discover([str(root)], configurations, cwd).targets
    return proposed(root, seam_packages(root, targets), configuration.file, url)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
