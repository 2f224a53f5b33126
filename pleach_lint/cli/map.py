"""`pleach-lint map`: draw the seam map of a project, and say whether it is a proof."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, cast

import click

from pleach_lint.cache_place import chosen_place
from pleach_lint.checking import available_processors, check_all
from pleach_lint.cli.console import Console
from pleach_lint.cli.options import StrictCommand
from pleach_lint.cli.outputs import write_file
from pleach_lint.config.governing import Configurations
from pleach_lint.config.layer import AUTO_JOBS, Layer
from pleach_lint.discovery import discover
from pleach_lint.inspection import collect_rarely
from pleach_lint.ledger import counted, seam_folders
from pleach_lint.paths import shown
from pleach_lint.patterns import Pattern
from pleach_lint.verdict import Comments, Results

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Unpack

    from pleach_lint.seam_map.model import Recorded, SeamMap
    from pleach_lint.walk import Target

_PROVEN: Final = 0
_BROKEN: Final = 1
_FORMATS: Final = ("text", "json", "mermaid", "html")


class _MapOptions(TypedDict):
    """All options of the command, as click hands them over."""

    paths: tuple[str, ...]
    output_format: str
    output: str | None
    seams: tuple[str, ...]
    config: str | None
    ledger: str | None
    quiet: bool


@click.command("map", cls=StrictCommand)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--output-format", type=click.Choice(_FORMATS), default="text", help="How to draw (default: text).")
@click.option("--output", "-o", metavar="FILE", type=click.Path(dir_okay=False), help="Write there, not to stdout.")
@click.option("--seams", multiple=True, metavar="PATH", help="A seam package, as a path or a glob.")
@click.option(
    "--config", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="The file that governs everything."
)
@click.option("--ledger", metavar="URL", help="Compare with what this ledger of the runtime records.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but the map and errors.")
def command(**given: Unpack[_MapOptions]) -> int:
    """Draw the seam map of a project: who carries, declares, leaks and hides each call class.

    PATHS are files and folders of one project; without any, the working directory.

    With `--ledger` (sqlite:///FILE or postgresql://USER@HOST/DATABASE), every stage and class that is recorded must be
    a node that declares that class in the source.

    Exit code: 0 when each class is carried by one factory and leaks nowhere, 1 when not, or when a file could not be
    analysed or a recorded call is declared by no node, 2 when there is no answer. What comments, configuration or a
    baseline hide is shown, and no problem; nor is what the source leaves open.
    """
    console = Console("auto", quiet=given["quiet"], verbose=False)
    compared = _recorded(given["ledger"])
    drawn = _compared(_drawn(given, Path.cwd(), console), given["ledger"], compared)
    name = given["output_format"]
    render = cast("Callable[[SeamMap], str]", getattr(import_module(f"pleach_lint.seam_map.as_{name}"), f"as_{name}"))
    if given["output"] is None:
        console.write([render(drawn)])
    else:
        write_file(Path(given["output"]), render(drawn).encode(errors="backslashreplace"))
    if name != "text" or given["output"] is not None:
        from pleach_lint.seam_map.as_text import verdict  # noqa: PLC0415 - after what may fail

        console.note(verdict(drawn))
    if not drawn.seams and not any(part.factories for part in drawn.classes):
        console.note("no seam package was met; name the folder that makes your seams under `seams`, or with --seams")
    return _BROKEN if drawn.problems else _PROVEN


def _drawn(given: _MapOptions, cwd: Path, console: Console) -> SeamMap:
    from pleach_lint.baseline.entries import load  # noqa: PLC0415 - most commands read none
    from pleach_lint.seam_map.survey import Surroundings, seam_map  # noqa: PLC0415 - loads the analysis

    configurations = _configurations(given, cwd)
    targets = _of_one_project(discover(given["paths"] or (".",), configurations, cwd).targets, console)
    results = _checked(targets, configurations.of_run().merged, console)
    configuration = targets[0].configuration
    root, path = Path(configuration.root), configuration.baseline
    name = root.name if root == cwd else shown(root, cwd)
    entries = load(path, shown(path, cwd)) if path.exists() else ()
    return seam_map(targets, results, Surroundings(name, tuple(seam_folders(results.seams, cwd)), entries, path.parent))


def _recorded(url: str | None) -> tuple[Recorded, ...]:
    if url is None:
        return ()
    from pleach_lint.seam_map.recorded import recorded  # noqa: PLC0415 - most maps need no ledger

    return recorded(url)


def _compared(drawn: SeamMap, url: str | None, found: tuple[Recorded, ...]) -> SeamMap:
    """The map with what is recorded and not declared."""
    if url is None:
        return drawn
    from pleach_lint.seam_map.recorded import drift, without_password  # noqa: PLC0415 - most maps need no ledger

    nodes = dict.fromkeys(node for part in drawn.classes for node in part.nodes)
    return replace(drawn, ledger=without_password(url), drift=drift(found, nodes))


def _configurations(given: _MapOptions, cwd: Path) -> Configurations:
    seams = tuple(Pattern(text, str(cwd)) for text in given["seams"])
    overrides = (Layer("command line", seams=seams),) if seams else ()
    return Configurations(cwd, overrides=overrides, file=Path(given["config"]) if given["config"] else None)


def _of_one_project(targets: Sequence[Target], console: Console) -> list[Target]:
    """The files of the project that has the most of them.

    Raises:
        click.UsageError: if there are no files.
    """
    roots = [target.configuration.root for target in targets]
    if not roots:
        raise click.UsageError("no Python files found under the given paths; name the folder of your project")
    chosen = max(dict.fromkeys(roots), key=lambda root: (roots.count(root), -len(root)))
    others = len(roots) - roots.count(chosen)
    if others:
        console.warn(
            f"left out {counted(others, 'file')} of other projects; each has a map of its own: "
            f"{', '.join(sorted(set(roots) - {chosen}))}"
        )
    return [target for target in targets if target.configuration.root == chosen]


def _checked(targets: Sequence[Target], run: Layer, console: Console) -> Results:
    from pleach_lint.seam_map.leaks import opened  # noqa: PLC0415 - loads the analysis

    jobs = available_processors() if run.jobs == AUTO_JOBS else run.jobs or 1
    collect_rarely()
    with console.progress(len(targets)) as progress:
        place = chosen_place(None, run.cache_dir)
        return check_all([opened(target) for target in targets], jobs, Comments.NONE, progress.advance, place)
