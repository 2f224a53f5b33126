"""One file per output format. A report turns findings into text and knows neither streams nor exit codes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Finding, Related, Span
    from pleach_lint.notebooks import Notebook

_MODULES: Final = {"json": "json_array", "json-lines": "json_lines"}
"""The modules of formats that are not called as their module is."""

MARKING: Final = frozenset({"sarif"})
"""The formats that can mark a finding as suppressed."""


class Spot(NamedTuple):
    """A place as people are told of it."""

    cell: int | None
    """The number of the cell, 1-based, in a notebook."""
    span: Span
    """In a notebook, with rows counted from the first of the cell."""

    def __str__(self) -> str:
        """Write where it begins, as what follows the name of the file."""
        start = f"{self.span.row}:{self.span.column}"
        return start if self.cell is None else f"cell {self.cell}:{start}"


class Reported(NamedTuple):
    """A finding and what a report may quote of its file."""

    finding: Finding
    text: str
    """The decoded file; empty when it could not be decoded. Of a notebook, the module that its cells make."""
    is_fixable: bool = False
    """Whether `--fix` would fix it, with the other options of the run."""
    notebook: Notebook | None = None
    """The notebook that the finding is in."""
    is_suppressed: bool = False
    """Whether a comment hides it."""

    def spot(self, place: Finding | Related) -> Spot:
        """Where the finding, or a place that belongs to it, is for people."""
        if self.notebook is None or place.filename != self.finding.filename:
            return Spot(None, place.span)
        return Spot(self.notebook.number(place.span.row), self.notebook.in_cell(place.span))

    def in_file(self, place: Finding | Related) -> Span:
        """Where the finding, or a place that belongs to it, is in its file: in a notebook, where its JSON has it."""
        is_here = self.notebook is not None and place.filename == self.finding.filename
        return self.notebook.in_file(place.span) if self.notebook is not None and is_here else place.span


class Screen(NamedTuple):
    """What a text for people is read on; formats for machines do not care."""

    color: bool = False
    """Whether it shows terminal colours."""
    encoding: str = "utf-8"
    """What it can show; other characters appear as escapes."""
    width: int | None = None
    """Columns; None where lines may be as long as they like."""


class Report(Protocol):
    """What each module of this package defines."""

    def render(self, reported: Sequence[Reported], screen: Screen) -> Iterator[str]:
        """Write a whole document, in pieces; the findings stay in the order in which they are given."""
        ...


def report(output_format: str) -> Report:
    """Load the report of a format, one of `config.layer.OUTPUT_FORMATS`."""
    return cast("Report", import_module(f"{__name__}.{_MODULES.get(output_format, output_format)}"))


def rendered(output_format: str, reported: Sequence[Reported], screen: Screen | None = None) -> str:
    """Write a whole document; what comments hide is in it only where the format can say so."""
    if output_format not in MARKING:
        reported = [item for item in reported if not item.is_suppressed]
    return "".join(report(output_format).render(reported, screen or Screen()))
