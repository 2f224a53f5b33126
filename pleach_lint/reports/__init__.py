"""One file per output format. A report turns findings into text and knows neither streams nor exit codes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Finding

_MODULES: Final = {"json": "json_array", "json-lines": "json_lines"}
"""The modules of formats that are not called as their module is."""


class Reported(NamedTuple):
    """A finding and what a report may quote of its file."""

    finding: Finding
    text: str
    """The decoded file; empty when it could not be decoded."""
    is_fixable: bool = False
    """Whether `--fix` would fix it, with the other options of the run."""


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
