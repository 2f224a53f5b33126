"""The command line: commands, options, streams and exit codes. Decides no finding."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING, Final, NoReturn, cast

import click

from pleach_lint import __version__, faults
from pleach_lint.cli.console import complain
from pleach_lint.config.table import ConfigError
from pleach_lint.discovery import MissingPathError
from pleach_lint.nearest import suggestion
from pleach_lint.rewriting import RewriteError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS: Final = ("init", "check", "rule", "config", "map", "doctor", "clean")
_CLEAN: Final = 0
_NO_ANSWER: Final = 2
_INTERRUPTED: Final = 130


class _Commands(click.Group):
    """Commands, each loaded when it is called for, of which `check` may stay unsaid."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands in the order in which help shows them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002 - click's signature
        """Load a command. click asks for those that `list_commands` names, and for what `parse_args` lets through."""
        return cast("click.Command", import_module(f"{__name__}.{cmd_name}").command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put in the default command where none is named."""
        if ctx.resilient_parsing and not args:
            return super().parse_args(ctx, args)
        own = {*_COMMANDS, *(name for param in self.get_params(ctx) for name in param.opts)}
        if args and args[0] in own:
            return super().parse_args(ctx, args)
        if args and not ctx.resilient_parsing:
            _refuse_misspelt(args[0])
        return super().parse_args(ctx, ["check", *args])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands, and what may follow the default command."""
        found = super().shell_complete(ctx, incomplete)
        if found and not incomplete.startswith("-"):
            return found
        default = self.get_command(ctx, "check")
        inner = default.make_context("check", [], parent=ctx, resilient_parsing=True)
        if not incomplete.startswith("-"):
            return default.params[0].shell_complete(inner, incomplete)
        known = {item.value for item in found}
        return [*found, *(item for item in default.shell_complete(inner, incomplete) if item.value not in known)]


def _refuse_misspelt(word: str) -> None:
    """Refuse what looks like a command and is none, nor a path.

    Raises:
        click.UsageError: if a command is spelled nearly so.
    """
    meant = suggestion(word, (*_COMMANDS, "--help")) if word.isalpha() and not os.path.lexists(word) else ""
    if meant:
        raise click.UsageError(f"there is no command `{word}`, and no such file{meant}")


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="pleach-lint")
def commands() -> None:
    """Keep call classes behind seams in Python LLM code.

    `check` is the default: `pleach-lint src` means `pleach-lint check src`, whose options `pleach-lint check --help`
    lists.
    """


def main() -> NoReturn:
    """Run the command line and leave the process with its exit code."""
    _prepare_streams()
    try:
        code = commands.main(prog_name="pleach-lint", standalone_mode=False) or 0
    except SystemExit:
        code = _CLEAN  # click leaves so, with 1, when nobody reads what it writes
    except click.Abort:
        # A thread that is deep in a parse would make a tidy end of the interpreter abort.
        os._exit(_INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the outermost edge: a fault of ours is one line, not a traceback
        _complain(error)
        code = _NO_ANSWER
    sys.exit(code)


def _prepare_streams() -> None:
    """Let everything be written: what a stream cannot show as escapes, and what has no stream nowhere."""
    for name in ("stdout", "stderr"):
        stream: object = getattr(sys, name)
        if stream is None:
            setattr(sys, name, StringIO())
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _complain(error: Exception) -> None:
    """Say why there is no answer, and what to do about it."""
    if isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, (ConfigError, MissingPathError, RewriteError, faults.WorkerError)):
        for line in str(error).splitlines():
            complain(line)
    elif isinstance(error, OSError) and error.filename is None and error.strerror:
        complain(f"standard input or output failed: {error.strerror}")
    else:
        complain(f"{faults.named(error)}; please report it")
