"""`pleach-lint clean`: remove the cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from pleach_lint.cache import is_cache
from pleach_lint.cache_place import chosen_place
from pleach_lint.cli.console import complain
from pleach_lint.cli.options import StrictCommand
from pleach_lint.config.governing import Configurations

_REMOVED = 0
_LEFT = 2
"""Exit code where something stays."""


@click.command("clean", cls=StrictCommand)
@click.argument("path", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--cache-dir", metavar="DIR", help="Where the cache lies, if not in the project's .pleach_cache.")
def command(path: str, cache_dir: str | None) -> int:
    """Remove the cache of the project that PATH belongs to.

    A folder that pleach-lint did not make is left alone.
    """
    configurations = Configurations(Path.cwd())
    root = Path(configurations.governing(Path(path).resolve()).root)
    folder = Path(chosen_place(cache_dir, configurations.of_run().merged.cache_dir).of(root))
    if not folder.exists():
        click.echo(f"there is no cache in {folder}", err=True)
        return _REMOVED
    if not is_cache(folder):
        complain(f"{folder} was not made by pleach-lint, and is left alone")
        return _LEFT
    try:
        shutil.rmtree(folder)
    except OSError as error:
        complain(f"{folder} cannot be removed: {error.strerror}")
        return _LEFT
    click.echo(f"removed {folder}", err=True)
    return _REMOVED
