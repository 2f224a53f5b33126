"""`--fix` and its kin: fix files, show what changes, account for it. Makes no fix, and decides no finding."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar

import click

from pleach_lint.cli.console import complain
from pleach_lint.fixing.rounds import FixedFile, FixError, fix_file, is_fixable
from pleach_lint.ledger import counted
from pleach_lint.paths import visible
from pleach_lint.rewriting import RewriteError, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pleach_lint.cli.console import Console
    from pleach_lint.verdict import Comments, Results, Verdict
    from pleach_lint.walk import Target

CommandT = TypeVar("CommandT", bound="Callable[..., object]")


class FixOptions(TypedDict):
    """The options about fixes, as click hands them over."""

    fix: bool
    unsafe_fixes: bool
    fix_only: bool
    diff: bool
    show_fixes: bool


_OPTIONS = (
    click.option("--fix", is_flag=True, help="Fix what can be fixed safely, and report the rest."),
    click.option("--unsafe-fixes", is_flag=True, help="Take fixes into account that somebody should look at."),
    click.option("--fix-only", is_flag=True, help="Fix, and report nothing; exit with 0 whatever is left."),
    click.option("--diff", is_flag=True, help="Show what would be fixed, write nothing; exit with 1 if there is any."),
    click.option("--show-fixes", is_flag=True, help="List what was fixed, on stderr."),
)


def fix_options(command: CommandT) -> CommandT:
    """Add the options of this module to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _is_mending(given: FixOptions) -> bool:
    """Whether files are to be fixed, or what that would change is to be shown."""
    return given["fix"] or given["fix_only"] or given["diff"]


def reports_no_findings(given: FixOptions) -> bool:
    """Whether what is left is nobody's concern in this run."""
    return given["fix_only"] or given["diff"]


class Mended(NamedTuple):
    """What became of the files of a run."""

    files: tuple[FixedFile, ...] = ()
    """Those that changed, or would change."""
    is_whole: bool = True
    """Whether all was done that was to be done; if not, it was complained about."""


def mend(
    given: FixOptions, targets: Iterable[Target], results: Results, comments: Comments, text: bytes | None
) -> Mended:
    """Fix what was checked, if the options say so.

    Args:
        given: What to do: write files, only find out what would change, or nothing.
        targets: The files.
        results: What is known of them.
        comments: Which comments hide findings.
        text: What came from standard input for the one file, which is then not written.
    """
    if not _is_mending(given):
        return Mended()
    pairs = zip(targets, results.verdicts, strict=True)
    unsafe = given["unsafe_fixes"]
    wanted = [
        (target, verdict) for target, verdict in pairs if any(is_fixable(f, unsafe=unsafe) for f in verdict.findings)
    ]
    files = [_mended(given, target, verdict, comments, text) for target, verdict in wanted]
    done = tuple(file for file in files if file is not None)
    return Mended(done, is_whole=len(done) == len(wanted))


def _mended(
    given: FixOptions, target: Target, verdict: Verdict, comments: Comments, text: bytes | None
) -> FixedFile | None:
    """Fix one file; None when that failed, which is complained about."""
    try:
        file = fix_file(target, text, verdict, comments, unsafe=given["unsafe_fixes"])
        if text is None and not given["diff"]:
            replace_file(Path(target.path), file.after, before=file.before)
    except (RewriteError, FixError) as problem:
        complain(str(problem))
        return None
    return file


def show_mended(given: FixOptions, mended: Mended, text: bytes | None, console: Console) -> None:
    """Write what would change, or what standard input became; say how much that is."""
    if given["diff"]:
        from pleach_lint.fixing.differences import difference  # noqa: PLC0415 - few runs show one

        console.write(row for file in mended.files for row in difference(file.target.path, file.before, file.after))
    elif text is not None and _is_mending(given):
        console.hand_over(mended.files[0].after if mended.files else text)
    done = sum(len(file.done) for file in mended.files)
    if done:
        verb = "would fix" if given["diff"] else "fixed"
        console.note(f"{verb} {counted(done, 'finding')} in {counted(len(mended.files), 'file')}")
    for file in mended.files if given["show_fixes"] else ():
        console.note(f"{visible(file.target.path)}:")
        counts = Counter((finding.code, finding.slug) for finding in file.done)
        for (code, slug), count in sorted(counts.items()):
            console.note(f"    {count} x {code} ({slug})")


def offer(given: FixOptions, results: Results) -> Iterator[str]:
    """Say what could be fixed, and by which option."""
    findings = [finding for verdict in results.verdicts for finding in verdict.findings]
    safe = sum(is_fixable(finding, unsafe=False) for finding in findings)
    unsafe = sum(is_fixable(finding, unsafe=True) for finding in findings) - safe
    if given["unsafe_fixes"] and safe + unsafe:
        yield f"{counted(safe + unsafe, 'finding')} fixable with `--fix --unsafe-fixes`"
    elif safe and unsafe:
        yield f"{counted(safe, 'finding')} fixable with `--fix`, {unsafe} more with `--fix --unsafe-fixes`"
    elif safe or unsafe:
        yield f"{counted(safe + unsafe, 'finding')} fixable with `--fix{'' if safe else ' --unsafe-fixes'}`"
