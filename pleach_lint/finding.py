"""The values that every part of the linter speaks in: a place, a finding. Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of source text.

    Rows and columns are 1-based; columns count code points of the decoded line (a tab is one, a byte order mark none).
    `end_column` is exclusive, as in Ruff's JSON.
    """

    row: int
    column: int
    end_row: int
    end_column: int


@dataclass(frozen=True, order=True)
class Related:
    """A second place that explains a finding, such as the definition of an imported constant."""

    filename: str
    span: Span
    message: str


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that a rule reports.

    Findings order by file, place and code, which is the order of every report.
    """

    filename: str
    """Path as given to the engine; fronts decide how to display it."""
    span: Span
    code: str
    """`PCH` and three digits."""
    slug: str
    message: str
    """One line: what was found, why it counts, the way out."""
    help: str = ""
    """One line of advice for the `full` report; empty when the message says it all."""
    related: tuple[Related, ...] = ()
