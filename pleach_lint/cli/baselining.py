"""The baseline of a run of `check`: its options, when its file is read and written, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

import click

from pleach_lint.cli.console import complain
from pleach_lint.ledger import counted
from pleach_lint.paths import shown, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pleach_lint.baseline.entries import Entry
    from pleach_lint.cli.console import Console
    from pleach_lint.config.effective import Configuration
    from pleach_lint.discovery import Discovered
    from pleach_lint.verdict import Results

CommandT = TypeVar("CommandT", bound="Callable[..., object]")

_MOST_SHOWN: Final = 10
"""How many stale entries are listed."""


class BaselineOptions(TypedDict):
    """The options as click hands them over; `--baseline` itself is a setting."""

    write_baseline: bool
    prune_baseline: bool
    strict_baseline: bool
    ignore_baseline: bool


_OPTIONS = (
    click.option(
        "--write-baseline",
        is_flag=True,
        help="Store what is found in the checked files, so that later runs pass it over.",
    ),
    click.option("--prune-baseline", is_flag=True, help="Remove what is gone from the baseline, and add nothing."),
    click.option("--strict-baseline", is_flag=True, help="Exit with 1 when the baseline holds what is gone."),
    click.option("--ignore-baseline", is_flag=True, help="Report what the baseline holds."),
)


def baseline_options(command: CommandT) -> CommandT:
    """Add the options of this module to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Baselining:
    """The baseline of one run, which may have none."""

    def __init__(self, given: BaselineOptions, run: Configuration, cwd: Path) -> None:
        """Read the file, before anything is checked.

        Raises:
            click.UsageError: if options contradict each other.
            BaselineError: if the file cannot be used.
        """
        self._writes, self._prunes = given["write_baseline"], given["prune_baseline"]
        self._is_strict = given["strict_baseline"]
        _refuse_contradictions(given)
        self._path = run.baseline
        self._name = shown(self._path, cwd)
        exists = self._path.exists()
        self._is_used = not given["ignore_baseline"] and (self._writes or run.merged.baseline is not None or exists)
        self._entries = self._loaded() if self._is_used and (exists or not self._writes) else ()
        self._stale: Sequence[Entry] = ()
        self._done = ""

    def settle(self, found: Discovered, results: Results, folders: Sequence[Path]) -> Results:
        """Pass over what is known, after the file is written if it is to be.

        Args:
            found: The files.
            results: What was found in them.
            folders: What was to be checked, absolute and real.

        Raises:
            click.UsageError: if the file is to be written, but standard input was checked.
            RewriteError: if the file cannot be written.
        """
        if not self._is_used:
            return results
        from pleach_lint.baseline.comparison import compare  # noqa: PLC0415 - most runs have no baseline

        checked = tuple(zip(found.targets, results.verdicts, strict=True))
        compared = compare(checked, self._entries, self._path.parent, folders)
        self._stale = compared.stale
        if self._writes:
            self._write((*self._kept(), *compared.entries), found)
            compared = compare(checked, compared.entries, self._path.parent)
        elif self._prunes and self._stale:
            self._write(self._kept(), found)
        return results._replace(verdicts=compared.verdicts)

    def account(self, console: Console) -> bool:
        """Say what was written and what is stale, and tell whether that makes the run fail."""
        if self._done:
            console.note(self._done)
        if not self._stale:
            return False
        say = complain if self._is_strict else console.warn
        say("\n".join(_complaint(self._stale, self._name)))
        return self._is_strict

    def _loaded(self) -> Sequence[Entry]:
        from pleach_lint.baseline.entries import load  # noqa: PLC0415 - most runs have no baseline

        return load(self._path, self._name)

    def _kept(self) -> list[Entry]:
        stale = set(self._stale)
        return [entry for entry in self._entries if entry not in stale]

    def _write(self, entries: Sequence[Entry], found: Discovered) -> None:
        from pleach_lint.baseline.entries import distinct, save  # noqa: PLC0415 - most runs write none

        if found.from_stdin:
            raise click.UsageError("a baseline is of files; name the file instead of standard input")
        before, after = ({(entry.file, entry.identity) for entry in each} for each in (self._entries, entries))
        save(self._path, distinct(entries))
        changes = f"{len(after - before)} new, {len(before - after)} gone"
        self._done = f"wrote {counted(len(after), 'finding')} to {self._name}: {changes}"
        self._stale = ()


def _refuse_contradictions(given: BaselineOptions) -> None:
    if given["write_baseline"] and given["prune_baseline"]:
        raise click.UsageError("--write-baseline removes what is gone as well; give it or --prune-baseline, not both")
    if given["ignore_baseline"]:
        for option in ("write_baseline", "prune_baseline", "strict_baseline"):
            if given[option]:
                raise click.UsageError(
                    f"--ignore-baseline leaves the file alone; --{option.replace('_', '-')} does not"
                )


def _complaint(stale: Sequence[Entry], name: str) -> Iterator[str]:
    """Say what is stale, a line for each of the first few."""
    holds = "1 entry whose finding is" if len(stale) == 1 else f"{len(stale)} entries whose findings are"
    yield f"{name} holds {holds} gone; --prune-baseline removes what is gone"
    for entry in stale[:_MOST_SHOWN]:
        yield f"  {visible(entry.file)}: {entry.identity.code} in {entry.identity.scope}: {entry.statement}"
    if len(stale) > _MOST_SHOWN:
        yield f"  and {len(stale) - _MOST_SHOWN} more"
