"""The outermost edge of `pleach-audit`: streams, exit codes, one line per failure. No message shows a password."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Final, NoReturn

import click

from pleach_runtime.auditing.text import printable, without_secrets
from pleach_runtime.errors import PleachError

_NO_ANSWER: Final = 2
_INTERRUPTED: Final = 130


def main() -> NoReturn:
    """Run the command line and leave the process with its exit code: 0 sound, 1 an invariant is broken, 2 no answer."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run())


def _run() -> int:
    try:
        # SQLAlchemy comes with an extra, and whoever lacks it is told so in a line.
        from pleach_runtime.auditing.commands import commands  # noqa: PLC0415

        code: int = commands.main(prog_name="pleach-audit", standalone_mode=False) or 0
    except click.Abort:
        return _INTERRUPTED
    except SystemExit:
        # Nobody reads the help any more.
        return 0
    except Exception as error:  # noqa: BLE001 - the outermost edge: a failure is one line, not a traceback
        _complain(error)
        return _NO_ANSWER
    return code


def _complain(error: Exception) -> None:
    sources = (*sys.argv[1:], os.environ.get("PLEACH_LEDGER", ""))
    with suppress(OSError):
        click.echo(without_secrets(_said(error), sources), err=True)


def _said(error: Exception) -> str:
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{error.ctx.get_usage()}\n{_line(error.format_message())}\nTry '{error.ctx.command_path} --help'."
    if isinstance(error, click.ClickException):
        return _line(error.format_message())
    if isinstance(error, ImportError):
        return _line(f"{error}: install pleach-lint[sql] for ledgers in SQLite, pleach-lint[postgres] for PostgreSQL")
    if isinstance(error, PleachError | OSError):
        return _line(str(error))
    return _line(f"{type(error).__name__}: {error}; please report it")


def _line(reason: str) -> str:
    # A driver spreads its reason over lines, and a program of the user may say anything.
    return f"error: {printable(' '.join(reason.split()))}"
