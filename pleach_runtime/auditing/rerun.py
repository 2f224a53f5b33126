"""Running the program of a recorded turn again: loading what the command line names. Replay itself is `replaying`."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypedDict, cast

import click

from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.errors import PleachError
from pleach_runtime.ledger.opening import database_at
from pleach_runtime.ledger.sql import SqlLedger
from pleach_runtime.replaying.run import replay

if TYPE_CHECKING:
    from pleach_runtime.replaying.report import ReplayReport
    from pleach_runtime.replaying.run import Program
    from pleach_runtime.runtime import SessionRuntime
    from pleach_runtime.turn import Turn


class Given(TypedDict):
    """The options of `replay` that choose between the record and a run over it."""

    drafts: bool
    program: str | None
    config: str | None


@dataclass(frozen=True)
class Rerun:
    """What to run again."""

    program: Program
    config: SessionRuntimeConfig

    def over(self, url: str, turn_id: str) -> ReplayReport:
        """Run it over the record of a turn. The ledger is only read, and what the program prints goes to stderr.

        Raises:
            LedgerError: if the ledger cannot be read, or has no such turn.
            click.UsageError: if the program raises anything but an error of the runtime, or leaves the process.
        """
        try:
            with redirect_stdout(sys.stderr):
                return asyncio.run(self._over(url, turn_id))
        except asyncio.CancelledError as error:
            # Not told from a Ctrl-C inside of the loop, which cancels the program too.
            raise click.UsageError("--program was cancelled") from error

    async def _over(self, url: str, turn_id: str) -> ReplayReport:
        ledger = await SqlLedger.opened(database_at(url, "read"))
        try:
            return await replay(ledger, turn_id, self._run, config=self.config)
        finally:
            await ledger.aclose()

    async def _run(self, runtime: SessionRuntime, turn: Turn) -> None:
        try:
            await self.program(runtime, turn)
        except (PleachError, KeyboardInterrupt, asyncio.CancelledError):
            raise
        except BaseException as error:
            raise click.UsageError(f"--program ended with {type(error).__name__}: {error}") from error


def rerun_of(given: Given) -> Rerun | None:
    """Load what the options name; `None` if they name nothing.

    Raises:
        click.UsageError: if one is missing, cannot be loaded, or is something else.
    """
    program, config = given["program"], given["config"]
    if program is None and config is None:
        return None
    if program is None or config is None:
        raise click.UsageError("--program and --config need each other")
    if given["drafts"]:
        raise click.UsageError("--drafts shows the record; --program runs over it")
    function, settings = _loaded("--program", program), _loaded("--config", config)
    if not callable(function):
        raise click.UsageError(f"--program: {program} is not a function")
    if not isinstance(settings, SessionRuntimeConfig):
        raise click.UsageError(f"--config: {config} is not a SessionRuntimeConfig")
    return Rerun(cast("Program", function), settings)


def _loaded(option: str, named: str) -> object:
    module, _, name = named.partition(":")
    if not module or not name:
        raise click.UsageError(f"{option}: say MODULE:NAME, not {named}")
    # As Python itself does for a script: modules of the working directory come first.
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - a path for Python
    try:
        with redirect_stdout(sys.stderr):
            found: object = getattr(import_module(module), name)
    except KeyboardInterrupt:
        raise
    except (ImportError, AttributeError) as error:
        raise click.UsageError(f"{option}: {named} cannot be loaded: {error}") from error
    except BaseException as error:
        raise click.UsageError(f"{option}: {named} cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    return found
