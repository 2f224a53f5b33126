"""`--add-noqa`: put comments into files that hide what was found. Decides no finding, and not where comments go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar

import click

from pleach_lint.cli.console import complain
from pleach_lint.ledger import counted
from pleach_lint.rewriting import RewriteError, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pleach_lint.cli.console import Console
    from pleach_lint.fixing.rounds import FixedFile
    from pleach_lint.verdict import Results, Verdict
    from pleach_lint.walk import Target

CommandT = TypeVar("CommandT", bound="Callable[..., object]")

_OTHERS = ("fix", "fix_only", "diff", "ignore_noqa", "write_baseline")
"""Options that want something else of what was found."""
_UNEXPLAINED = "PCH902"


class HideOptions(TypedDict):
    """The options as click hands them over."""

    add_noqa: bool
    reason: str | None


class Hidden(NamedTuple):
    """What became of the files of a run."""

    files: tuple[FixedFile, ...] = ()
    """Those that changed."""
    is_whole: bool = True
    """Whether all was done that was to be done; if not, it was complained about."""


_OPTIONS = (
    click.option("--add-noqa", is_flag=True, help="Hide what is found by comments, `# noqa: CODE`, in the files."),
    click.option("--reason", metavar="TEXT", help="What --add-noqa writes behind the codes."),
)


def hide_options(command: CommandT) -> CommandT:
    """Add the options of this module to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def refuse_odd_hiding(given: HideOptions, others: Mapping[str, object], *, from_stdin: bool) -> None:
    """Refuse what makes no sense together.

    Args:
        given: The options of this module.
        others: All options.
        from_stdin: Whether there is no file to write.

    Raises:
        click.UsageError: if something does.
    """
    reason = given["reason"]
    if not given["add_noqa"]:
        if reason is not None:
            raise click.UsageError("--reason is what --add-noqa writes; give that too")
        return
    for name in _OTHERS:
        if others[name]:
            raise click.UsageError(f"--add-noqa hides what is found; give it or --{name.replace('_', '-')}, not both")
    if from_stdin:
        raise click.UsageError("--add-noqa writes files; name the file instead of standard input")
    if reason is not None and not reason.isprintable():
        raise click.UsageError("--reason is one line of text, without control characters")


def add_comments(given: HideOptions, targets: Iterable[Target], results: Results) -> Hidden:
    """Hide what was found, if the options say so.

    Raises:
        click.UsageError: if the configuration of a file asks for reasons, and none is given.
    """
    if not given["add_noqa"]:
        return Hidden()
    from pleach_lint.fixing.hiding import is_hideable  # noqa: PLC0415 - few runs hide anything

    pairs = zip(targets, results.verdicts, strict=True)
    wanted = [pair for pair in pairs if any(map(is_hideable, pair[1].findings))]
    if not given["reason"] and any(_UNEXPLAINED in target.configuration.codes for target, _ in wanted):
        raise click.UsageError("the configuration asks for reasons; say one with --reason")
    files = [_hidden(target, verdict, given["reason"] or "") for target, verdict in wanted]
    done = tuple(file for file in files if file is not None)
    return Hidden(done, is_whole=len(done) == len(files))


def _hidden(target: Target, verdict: Verdict, reason: str) -> FixedFile | None:
    """Hide what was found in one file; None when that failed, which is complained about."""
    from pleach_lint.fixing.hiding import hide  # noqa: PLC0415 - few runs hide anything
    from pleach_lint.fixing.rounds import FixError  # noqa: PLC0415 - few runs hide anything

    if target.is_notebook:
        complain(f"{target.path}: --add-noqa does not write into notebooks; put the comments there by hand")
        return None
    try:
        file = hide(target, verdict, reason)
        replace_file(Path(target.path), file.after, before=file.before)
    except (RewriteError, FixError) as problem:
        complain(str(problem))
        return None
    return file


def tell_hidden(hidden: Hidden, console: Console) -> None:
    """Say how much was hidden."""
    if hidden.files:
        findings = counted(sum(len(file.done) for file in hidden.files), "finding")
        console.note(f"hid {findings} in {counted(len(hidden.files), 'file')}")
