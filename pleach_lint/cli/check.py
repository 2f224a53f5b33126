"""`pleach-lint check`: find the files, check them, write the report, settle the exit code."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO, cast

import click

from pleach_lint.cache_place import chosen_place
from pleach_lint.checking import available_processors, check_all
from pleach_lint.cli.baselining import BaselineOptions, Baselining, baseline_options
from pleach_lint.cli.console import Console, complain
from pleach_lint.cli.hiding import Hidden, HideOptions, add_comments, hide_options, refuse_odd_hiding, tell_hidden
from pleach_lint.cli.mending import (
    FixOptions,
    Mended,
    fix_options,
    mend,
    offer,
    reports_no_findings,
    show_mended,
)
from pleach_lint.cli.options import SettingOptions, StrictCommand, configuration_options, configurations
from pleach_lint.cli.outputs import Output, gather, read_outputs, refuse_unmarked, write_outputs
from pleach_lint.config.layer import AUTO_JOBS
from pleach_lint.discovery import Discovered, discover, discover_named
from pleach_lint.doubts import doubts
from pleach_lint.inspection import Inspector, collect_rarely
from pleach_lint.ledger import counted, statistics, summary
from pleach_lint.paths import visible
from pleach_lint.reports import rendered
from pleach_lint.verdict import Comments, Results

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from pleach_lint.config.governing import Configurations
    from pleach_lint.config.layer import Layer

CLEAN: Final = 0
FOUND: Final = 1
NO_ANSWER: Final = 2
"""Exit code of wrong usage, wrong configuration, a missing path, too few files, or a fault of ours."""

_STDIN: Final = "-"


class CheckOptions(SettingOptions, BaselineOptions, FixOptions, HideOptions):
    """All options of the command, as click hands them over."""

    paths: tuple[str, ...]
    stdin_filename: str | None
    ignore_noqa: bool
    statistics: bool
    exit_zero: bool
    expect_files: int | None
    no_cache: bool
    show_files: bool
    color: str
    quiet: bool
    verbose: bool
    output: tuple[Output, ...]
    show_suppressed: bool


@click.command("check", cls=StrictCommand)
@click.argument("paths", nargs=-1, type=click.Path())
@configuration_options
@baseline_options
@click.option(
    *("-o", "--output"),
    multiple=True,
    callback=read_outputs,
    metavar="FORMAT=FILE",
    help="Write a report into a file as well; may be repeated.",
)
@click.option("--stdin-filename", metavar="PATH", help="Read standard input, and take it for this file.")
@fix_options
@hide_options
@click.option("--ignore-noqa", is_flag=True, help="Report what comments hide: `noqa` and `pleach: ignore`.")
@click.option("--show-suppressed", is_flag=True, help="Have SARIF tell what comments hide, marked as suppressed.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule, on stderr.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 when there are findings.")
@click.option("--expect-files", metavar="N", type=click.IntRange(0), help="Exit with 2 when fewer files are checked.")
@click.option("--no-cache", is_flag=True, help="Neither read nor keep findings of other runs.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and stop.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Use colours.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but findings and errors.")
@click.option("--verbose", "-v", is_flag=True, help="Say more: which configuration governs, and how long it took.")
def command(**given: Unpack[CheckOptions]) -> int:
    """Check Python files (the default command).

    PATHS are files and folders; without any, the working directory. `-` reads standard input.

    Exit code: 0 when everything was analysed and nothing was found, 1 when there are findings, 2 when there is no
    answer: wrong usage or configuration, a missing path, an internal error.
    """
    started = time.monotonic()
    cwd = Path.cwd()
    console = Console(given["color"], quiet=given["quiet"], verbose=given["verbose"])
    governing = configurations(given, cwd)
    found = _found(given, governing, cwd)
    run = governing.of_run().merged
    _refuse_contradictions(given, run, found)
    if given["show_files"]:
        console.write(f"{visible(target.path)}\n" for target in found.targets)
        return CLEAN
    baselining = Baselining(given, governing.of_run(), cwd)
    text = _standard_input() if found.from_stdin else None
    results = _checked(given, found, run, console, text)
    is_enough = _is_enough(given, results)
    mended = mend(given, found.targets, results, _comments(given), text) if is_enough else Mended()
    show_mended(given, mended, text, console)
    if reports_no_findings(given):
        _warn(found, results, console, cwd)
        return _exit_code(given, results, is_whole=mended.is_whole, is_red=given["diff"] and bool(mended.files))
    if mended.files:
        results = _checked(given, found, run, console, text and mended.files[0].after)
    hidden = Hidden()
    if is_enough:
        recheck = partial(_checked, given, found, run, console, text)
        results, hidden = _settled(given, found, results, baselining, recheck)
    is_told = _report(given, results, run, console)
    tell_hidden(hidden, console)
    is_stale = baselining.account(console)
    _warn(found, results, console, cwd)
    for line in (*offer(given, results), summary(results, cwd)):
        console.note(line)
    console.detail(f"took {time.monotonic() - started:.2f} s")
    is_whole = is_told and mended.is_whole and hidden.is_whole
    return _exit_code(given, results, is_whole=is_whole, is_red=is_stale or bool(results.reported))


def _refuse_contradictions(given: CheckOptions, run: Layer, found: Discovered) -> None:
    """Refuse options that cannot stand together, such as to store or write what a run does not report."""
    for option in ("output", "write_baseline", "prune_baseline") if reports_no_findings(given) else ():
        if given[option]:
            name = "-o" if option == "output" else f"--{option.replace('_', '-')}"
            raise click.UsageError(f"--diff and --fix-only report nothing that {name} could write")
    if given["show_suppressed"]:
        refuse_unmarked(run.output_format, given["output"])
    refuse_odd_hiding(given, given, from_stdin=found.from_stdin)


def _settled(
    given: CheckOptions, found: Discovered, results: Results, baselining: Baselining, recheck: Callable[[], Results]
) -> tuple[Results, Hidden]:
    """What is new beside the baseline, after comments were put in if the options say so."""
    folders = [Path(path).resolve() for path in given["paths"] or (os.curdir,)]
    settled = baselining.settle(found, results, folders)
    hidden = add_comments(given, found.targets, settled)
    if hidden.files:
        settled = baselining.settle(found, recheck(), folders)
    has_ignores = any(target.configuration.merged.per_file_ignores for target in found.targets)
    if found.from_stdin or given["ignore_noqa"] or not has_ignores:
        return settled, hidden
    from pleach_lint.unused_ignores import unused_ignores  # noqa: PLC0415 - many projects have none

    pairs = list(zip(found.targets, settled.verdicts, strict=True))
    return settled._replace(beside=unused_ignores(pairs, folders, Path.cwd())), hidden


def _found(given: CheckOptions, governing: Configurations, cwd: Path) -> Discovered:
    paths, name = given["paths"], given["stdin_filename"]
    if _STDIN not in paths and name is None:
        return discover(paths or (os.curdir,), governing, cwd)
    if paths not in {(), (_STDIN,)}:
        option = "`-`" if _STDIN in paths else "`--stdin-filename`"
        raise click.UsageError(f"{option} reads standard input alone; it cannot stand among other paths")
    return discover_named(name or _STDIN, governing, cwd)


def _checked(given: CheckOptions, found: Discovered, run: Layer, console: Console, text: bytes | None) -> Results:
    if text is not None:
        inspector = Inspector(_comments(given))
        return inspector.results([inspector.inspect(target, text) for target in found.targets])
    jobs = available_processors() if run.jobs == AUTO_JOBS else run.jobs or 1
    place = None if given["no_cache"] else chosen_place(given["cache_dir"], run.cache_dir)
    collect_rarely()
    with console.progress(len(found.targets)) as progress:
        return check_all(found.targets, jobs, _comments(given), progress.advance, place)


def _comments(given: CheckOptions) -> Comments:
    return Comments.NONE if given["ignore_noqa"] else Comments.ALL


def _standard_input() -> bytes:
    if cast("TextIO | None", sys.stdin) is None:
        raise click.UsageError("standard input is closed; name a file, or send the text to it")
    return sys.stdin.buffer.read()


def _report(given: CheckOptions, results: Results, run: Layer, console: Console) -> bool:
    """Write the findings to stdout, then into files; whether all could be written."""
    findings = gather(results, Path.cwd(), unsafe=given["unsafe_fixes"], suppressed=given["show_suppressed"])
    output_format = run.output_format or ("full" if sys.stdout.isatty() else "concise")
    console.write(rendered(output_format, findings, console.screen))
    for line in statistics(results) if given["statistics"] else ():
        console.note(line)
    problems = list(write_outputs(given["output"], findings))
    for problem in problems:
        complain(problem)
    return not problems


def _warn(found: Discovered, results: Results, console: Console, cwd: Path) -> None:
    """Say what should be known beside the findings."""
    misuses = (text for verdict in results.verdicts for text in verdict.warnings)
    for warning in (*doubts(found, results, cwd), *misuses, *sorted(results.cache_problems)[:1]):
        console.warn(warning)
    if found.excluded:
        verb = "was named but is" if found.excluded == 1 else "were named but are"
        console.note(f"left out {counted(found.excluded, 'file')} that {verb} excluded")
    for file in sorted({target.configuration.file or "no configuration file" for target in found.targets}):
        console.detail(f"governed by {file}")


def _exit_code(given: CheckOptions, results: Results, *, is_whole: bool, is_red: bool) -> int:
    if not _is_enough(given, results):
        files = counted(len(results.verdicts), "file")
        complain(f"checked {files}, but --expect-files asks for {given['expect_files']}")
        return NO_ANSWER
    if not is_whole:
        return NO_ANSWER
    return FOUND if is_red and not given["exit_zero"] else CLEAN


def _is_enough(given: CheckOptions, results: Results) -> bool:
    return len(results.verdicts) >= (given["expect_files"] or 0)
