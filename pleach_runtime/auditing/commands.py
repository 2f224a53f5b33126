"""The commands of `pleach-audit`. Streams and exit codes are in `main.py`, what answers look like in `views.py`."""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import datetime, timedelta, timezone
from math import isnan
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar, get_args

import click

from pleach_runtime.auditing.checks import Problem, problems_of
from pleach_runtime.auditing.record_views import record_view, replay_view
from pleach_runtime.auditing.rerun import rerun_of
from pleach_runtime.auditing.views import (
    Verification,
    rollup_view,
    state_of,
    turns_view,
    unfinished_view,
    verification_view,
)
from pleach_runtime.errors import ChainBroken
from pleach_runtime.ledger.archive import CallFilter, Grouping, opened_archive
from pleach_runtime.ledger.opening import database_at
from pleach_runtime.ledger.sql import SqlLedger

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from pleach_runtime.audit import AuditableCall
    from pleach_runtime.auditing.rerun import Given
    from pleach_runtime.auditing.views import View
    from pleach_runtime.ledger.archive import Archive, TurnSummary

CommandT = TypeVar("CommandT", bound="Callable[..., object]")


class _Which(TypedDict):
    turn_id: str | None
    chat_id: str | None
    since: datetime | None


_MOMENTS: Final = (
    "%Y-%m-%d",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S.%f%z",
    "%Y-%m-%d %H:%M:%S%z",
)
"""What a moment may look like: also as our own answers write it."""
_SOUND: Final = 0
_BROKEN: Final = 1


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pleach-lint", prog_name="pleach-audit")
def commands() -> None:
    """Look into a ledger: what calls cost, whether the record is sound, what is unfinished.

    LEDGER is `sqlite:///audit.db` or `postgresql://user@host/database`; the variable PLEACH_LEDGER stands in for it.
    Only `recover` writes. The exit code is 1 if the record breaks an invariant or a program parts from it, 2 if there
    is no answer.
    """


def ledger_options(command: CommandT) -> CommandT:
    """Add what every command takes."""
    formats = click.Choice(("text", "json"))
    command = click.option(
        "--output-format", type=formats, default="text", show_default=True, help="How the answer is written."
    )(command)
    return click.argument("ledger", envvar="PLEACH_LEDGER")(command)


def _id(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    try:
        (given or "").encode()
    except UnicodeEncodeError:
        raise click.BadParameter("an id is text, and this is not UTF-8") from None
    return given


def _utc(_: click.Context, __: click.Parameter, given: datetime | None) -> datetime | None:
    try:
        if given is not None and given.tzinfo is not None:
            return given.astimezone(timezone.utc)
        return given and given.replace(tzinfo=timezone.utc)
    except OverflowError:
        raise click.BadParameter("in UTC that moment is in no year of four digits") from None


_one_turn = click.option("--turn", "turn_id", metavar="ID", callback=_id, help="Only this turn.")
_one_chat = click.option("--chat", "chat_id", metavar="ID", callback=_id, help="Only this chat.")


@commands.command()
@ledger_options
@_one_turn
@_one_chat
@click.option(
    "--since",
    type=click.DateTime(_MOMENTS),
    metavar="DATE",
    callback=_utc,
    help="Only calls that started then or later: 2025-03-01, or 2025-03-01T12:00:00, in UTC unless it says otherwise.",
)
@click.option(
    "--by", type=click.Choice(get_args(Grouping)), default="class", show_default=True, help="What to add up by."
)
def rollup(ledger: str, output_format: str, by: Grouping, **which: Unpack[_Which]) -> int:
    """Add up what calls cost, in USD. Calls of unknown cost are counted apart, and missing from the sum."""
    with opened_archive(ledger) as archive:
        costs = archive.costs(by, CallFilter(**which))
    return _answer(rollup_view(by, costs), output_format)


@commands.command()
@ledger_options
@_one_chat
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, metavar="N", help="How many to list."
)
def turns(ledger: str, output_format: str, chat_id: str | None, limit: int) -> int:
    """List the turns that were opened last, the latest first."""
    with opened_archive(ledger) as archive:
        found = [(turn, _state(archive, turn)) for turn in archive.latest_turns(limit, chat_id)]
    return _answer(turns_view(found), output_format)


@commands.command()
@ledger_options
@_one_turn
def verify(ledger: str, output_format: str, turn_id: str | None) -> int:
    """Check that the record is whole: chains, caps, one answer per turn, an event before each call."""
    with opened_archive(ledger) as archive:
        result = _verified(archive, turn_id)
    return _answer(verification_view(result), output_format, sound=not result.problems)


@commands.command()
@ledger_options
@click.option("--turn", "turn_id", metavar="ID", callback=_id, required=True, help="The turn.")
@click.option("--drafts", is_flag=True, help="Show what the models answered, too.")
@click.option("--program", metavar="MODULE:FUNCTION", help="Run it over the record: async, of a runtime and a turn.")
@click.option("--config", metavar="MODULE:NAME", help="The configuration to run it with, a SessionRuntimeConfig.")
def replay(ledger: str, output_format: str, turn_id: str, **given: Unpack[Given]) -> int:
    """Show the attempts of a turn in the order of their starts, and check them. Calls no provider.

    With a program, run it again, each call answered as it was recorded, and tell where it parts from the record.
    """
    rerun = rerun_of(given)
    if rerun is not None:
        report = rerun.over(ledger, turn_id)
        return _answer(replay_view(report), output_format, sound=report.is_identical)
    with opened_archive(ledger) as archive:
        turn = archive.turn(turn_id)
    problems = problems_of(turn)
    view = record_view(turn, problems, drafts=given["drafts"])
    return _answer(view, output_format, sound=not problems)


@commands.command()
@ledger_options
@click.option(
    "--older-than",
    type=click.FloatRange(0, 1e9),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="Age at which an attempt is taken for dead: longer than the longest call.",
)
@click.option("--dry-run", is_flag=True, help="Only show them.")
def recover(ledger: str, output_format: str, older_than: float, *, dry_run: bool) -> int:
    """Close attempts that have no row, because their process died, as unknown."""
    if isnan(older_than):
        raise click.BadParameter("nan is no age; give seconds", param_hint="'--older-than'")
    now = datetime.now(timezone.utc)
    started_before = now - timedelta(seconds=older_than)
    if dry_run:
        with opened_archive(ledger) as archive:
            return _answer(unfinished_view(archive.unfinished(started_before), closed=False), output_format)
    rows = asyncio.run(_recovered(ledger, started_before, now))
    return _answer(unfinished_view(rows, closed=True), output_format)


def _answer(view: View, output_format: str, *, sound: bool = True) -> int:
    try:
        click.echo(view.shown(output_format))
    except BrokenPipeError:
        # Nobody reads any more; the interpreter must not find out again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _SOUND if sound else _BROKEN


def _state(archive: Archive, turn: TurnSummary) -> str:
    try:
        return state_of(archive.turn(turn.record.turn_id))
    except ChainBroken:
        return "broken"


def _verified(archive: Archive, turn_id: str | None) -> Verification:
    found: list[Problem] = []
    turn_count = call_count = 0
    for each in archive.turn_ids() if turn_id is None else (turn_id,):
        turn_count += 1
        try:
            turn = archive.turn(each)
        except ChainBroken as error:
            found.append(Problem(each, "calls that can be read", f"the one at position {error.position} cannot"))
            continue
        call_count += len(turn.chain)
        found += problems_of(turn)
    unfinished = archive.unfinished(datetime.now(timezone.utc))
    pending = sum(1 for attempt in unfinished if turn_id in {None, attempt.turn_id})
    return Verification(turn_count, call_count, found, pending)


async def _recovered(url: str, started_before: datetime, now: datetime) -> tuple[AuditableCall, ...]:
    ledger = await SqlLedger.opened(database_at(url, "write"))
    try:
        return await ledger.recover(started_before=started_before, ended_at=now)
    finally:
        await ledger.aclose()
