"""What is reported of a run, and reports into files: `-o FORMAT=FILE`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pleach_lint.config.layer import OUTPUT_FORMATS
from pleach_lint.fixing.rounds import is_fixable
from pleach_lint.nearest import suggestion
from pleach_lint.paths import shown
from pleach_lint.reports import MARKING, Reported, rendered
from pleach_lint.rewriting import RewriteError, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pleach_lint.finding import Finding
    from pleach_lint.verdict import Results, Verdict


class Output(NamedTuple):
    """A report that is asked for, and where it goes."""

    output_format: str
    file: Path


def read_outputs(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[Output, ...]:
    """Read what was given as FORMAT=FILE; click calls this for the option.

    Raises:
        click.BadParameter: if one of the two is missing, there is no such format, or two reports want one file.
    """
    del context, option
    outputs = tuple(map(_output, values))
    files = Counter(output.file for output in outputs)
    for file, count in files.items():
        if count > 1:
            raise click.BadParameter(f"{count} reports cannot go into one file, {file}")
    return outputs


def _output(value: str) -> Output:
    """What follows the first equals sign is the file."""
    output_format, _, file = value.partition("=")
    if not file:
        raise click.BadParameter(f"`{value}` is not FORMAT=FILE, such as sarif=pleach.sarif")
    if output_format not in OUTPUT_FORMATS:
        hint = suggestion(output_format, OUTPUT_FORMATS) or f"; there are {', '.join(OUTPUT_FORMATS)}"
        raise click.BadParameter(f"there is no format `{output_format}`{hint}")
    return Output(output_format, Path(file))


def refuse_unmarked(output_format: str | None, outputs: Iterable[Output]) -> None:
    """See that what comments hide can be marked in some report, before it is asked to be in one.

    Raises:
        click.UsageError: if no report can.
    """
    if MARKING.isdisjoint({output_format, *(output.output_format for output in outputs)}):
        raise click.UsageError("--show-suppressed needs a report that can mark them, such as -o sarif=FILE")


def gather(results: Results, cwd: Path, *, unsafe: bool, suppressed: bool) -> list[Reported]:
    """Take the findings of a run for reports.

    Args:
        results: The run.
        cwd: Where paths are shown from.
        unsafe: Whether unsafe fixes would be applied.
        suppressed: Whether to take what comments hide, too.
    """
    verdicts = (*results.verdicts, *results.beside)
    items = [item for each in verdicts for item in _of_file(each, cwd, unsafe=unsafe, suppressed=suppressed)]
    return sorted(items, key=_path) if results.beside else items


def _path(item: Reported) -> str:
    return item.finding.filename


def _of_file(verdict: Verdict, cwd: Path, *, unsafe: bool, suppressed: bool) -> Iterator[Reported]:
    hidden = verdict.suppressed if suppressed else ()
    for finding in sorted((*verdict.findings, *hidden)):
        is_hidden = finding in hidden
        fixable = not is_hidden and is_fixable(finding, unsafe=unsafe)
        yield Reported(_as_shown(finding, cwd), verdict.text, fixable, verdict.notebook, is_hidden)


def _as_shown(finding: Finding, cwd: Path) -> Finding:
    """Show the files of related places as that of the finding is shown."""
    related = tuple(place._replace(filename=shown(Path(place.filename), cwd)) for place in finding.related)
    return replace(finding, related=related) if related else finding


def write_outputs(outputs: Iterable[Output], reported: Sequence[Reported]) -> Iterator[str]:
    """Write every report that can be written.

    Yields:
        Why one could not be written, in plain words that name its file.
    """
    for output in outputs:
        text = rendered(output.output_format, reported)
        try:
            write_file(output.file, text.encode(errors="backslashreplace"))
        except RewriteError as error:
            yield str(error)
        except OSError as error:
            yield f"{output.file}: cannot be written: {error.strerror}"


def write_file(path: Path, content: bytes) -> None:
    """Put a file in its place whole; a pipe or a device takes the text as it comes.

    Raises:
        RewriteError: if the file cannot be written.
        OSError: if the pipe cannot.
    """
    if path.is_dir() or path.is_file() or not path.exists():
        replace_file(path, content)
    else:
        path.write_bytes(content)
