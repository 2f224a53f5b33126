"""The command line: commands, options, streams and exit codes. Decides no finding."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Final, NoReturn

import click

from pleach_lint import __version__, faults
from pleach_lint.cli.check import NO_ANSWER, check
from pleach_lint.cli.console import complain
from pleach_lint.config.table import ConfigError
from pleach_lint.discovery import MissingPathError

_INTERRUPTED: Final = 130


class _Commands(click.Group):
    """Commands of which `check` may stay unsaid."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, *(name for param in self.get_params(ctx) for name in param.opts)}
        if not args or args[0] not in own:
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="pleach-lint")
def commands() -> None:
    """Keep call classes behind seams in Python LLM code.

    `check` is the default: `pleach-lint src` means `pleach-lint check src`, whose options `pleach-lint check --help`
    lists.
    """


commands.add_command(check)


def main() -> NoReturn:
    """Run the command line and leave the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_exit_code())


def _exit_code() -> int:
    try:
        return int(commands.main(prog_name="pleach-lint", standalone_mode=False) or 0)
    except click.Abort:
        return _INTERRUPTED
    except click.ClickException as error:
        error.show()
    except (ConfigError, MissingPathError) as error:
        complain(str(error))
    except Exception as error:  # noqa: BLE001 - the outermost edge: a fault of ours is one line, not a traceback
        complain(f"{faults.named(error)}; please report it")
    return NO_ANSWER
