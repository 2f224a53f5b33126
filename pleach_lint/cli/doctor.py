"""`pleach-lint doctor`: say what would switch the gate off without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pleach_lint.cli.console import Console
from pleach_lint.cli.options import StrictCommand
from pleach_lint.config.governing import Configurations
from pleach_lint.doctor.examination import examined
from pleach_lint.ledger import counted
from pleach_lint.paths import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.doctor.complaint import Complaint

_HEALTHY: Final = 0
_OFF: Final = 1


@click.command("doctor", cls=StrictCommand)
@click.argument("path", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="How to write.")
def command(path: str, output_format: str) -> int:
    """Say what would switch the gate off without a word in the repository that PATH belongs to.

    Looks at our configuration, at the settings of Ruff and flake8, at hooks, and at comments that take whole files from
    flake8.

    Exit code: 0 when nothing is switched off, 1 when something is, 2 when there is no answer.
    """
    cwd, console = Path.cwd(), Console("auto", quiet=False, verbose=False)
    found = examined(Path(path).resolve(), Configurations(cwd), cwd)
    fatal = sum(complaint.is_fatal for complaint in found)
    if output_format == "json":
        console.write([json.dumps([complaint._asdict() for complaint in found], indent=2), "\n"])
    else:
        console.write(_as_text(found))
    console.note(_verdict(fatal, len(found) - fatal))
    return _OFF if fatal else _HEALTHY


def _as_text(found: Sequence[Complaint]) -> Iterator[str]:
    for complaint in found:
        yield f"{'error' if complaint.is_fatal else 'warning'}: {visible(complaint.what)}\n"
        yield f"  where: {visible(complaint.where)}\n"
        yield f"  do:    {visible(complaint.remedy)}\n\n"


def _verdict(fatal: int, mild: int) -> str:
    if not fatal and not mild:
        return "nothing switches the gate off"
    parts = [f"{counted(fatal, 'thing')} that would switch the gate off"] if fatal else []
    return " and ".join([*parts, *([f"{counted(mild, 'thing')} worth a look"] if mild else [])])
