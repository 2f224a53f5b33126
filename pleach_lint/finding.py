"""The values that every part of the linter speaks in: a place, a finding, a fix. Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of source text.

    Rows and columns are 1-based; columns count code points of the decoded line (a tab is one, a byte order mark none).
    `end_column` is exclusive, as in Ruff's JSON.
    """

    row: int
    column: int
    end_row: int
    end_column: int


class Related(NamedTuple):
    """A second place that explains a finding, such as the definition of an imported constant."""

    filename: str
    span: Span
    message: str
    is_origin: bool = False
    """Whether the value comes from there; else it goes there."""


class Applicability(Enum):
    """How much a fix may be trusted."""

    SAFE = "safe"
    """The program means what it meant."""
    UNSAFE = "unsafe"
    """Somebody should look at it: the program may mean something else, or fail where it worked."""


class Edit(NamedTuple):
    """One stretch of the file, and the text that takes its place."""

    span: Span
    """Empty (it ends where it starts) where text is put in; one row below the last is the end of the file."""
    replacement: str
    """Empty where text is taken away. Its line endings are those of the file."""


class Fix(NamedTuple):
    """Edits that make a finding go away, all or none of them."""

    applicability: Applicability
    message: str
    """What the edits do, as an order: "Use `SynthesizeSeam`"."""
    edits: tuple[Edit, ...]
    """In the order of their places; they do not overlap."""


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
    """The way out with which the message ends, for reports that have a line of its own for it; empty: it has none."""
    related: tuple[Related, ...] = ()
    fix: Fix | None = field(default=None, compare=False)
    """None where only a person can mend it."""
