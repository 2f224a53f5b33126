"""The values of a seam map. Reads nothing and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pleach_lint.finding import Span
    from pleach_lint.notebooks import Notebook


class Place(NamedTuple):
    """Where something stands."""

    path: str
    """As it is shown to people."""
    row: int
    """1-based, as is `column`; in a notebook, from the first row of its cell."""
    column: int
    cell: int | None = None
    """The number of the cell, 1-based, in a notebook."""

    @classmethod
    def of(cls, path: str, span: Span, notebook: Notebook | None) -> Place:
        """Where a stretch of a file begins; of a notebook, a stretch of the module that it makes."""
        if notebook is None:
            return cls(path, span.row, span.column)
        inside = notebook.in_cell(span)
        return cls(path, inside.row, inside.column, notebook.number(span.row))

    def __str__(self) -> str:
        """`path:row:column`, as editors and terminals link it."""
        cell = "" if self.cell is None else f"cell {self.cell}:"
        return f"{self.path}:{cell}{self.row}:{self.column}"


class Factory(NamedTuple):
    """A function that hands out seams of a class."""

    name: str
    place: Place | None
    """None for a factory of the installed runtime."""


class Node(NamedTuple):
    """A node that declares what it calls."""

    stage: str
    place: Place
    words: tuple[str, ...]
    """The classes that it declares, in their usual order; empty for a node without calls."""
    is_named: bool = True
    """Whether the source gives the stage; else `stage` is the nearest name around it."""


class Leak(NamedTuple):
    """A class that is spelled outside the seams."""

    word: str
    place: Place
    code: str
    slug: str
    message: str
    hidden_by: str = ""
    """What keeps it out of reports: "comment", "configuration" or "baseline"; empty when nothing does."""


class Undecided(NamedTuple):
    """Something that the source does not tell."""

    place: Place
    what: str
    """In plain words, or as it is written."""


class Recorded(NamedTuple):
    """Calls of one stage and class in a ledger."""

    stage: str
    word: str
    calls: int


@dataclass(frozen=True)
class ClassPart:
    """All that is known of one class."""

    word: str
    factories: tuple[Factory, ...] = ()
    nodes: tuple[Node, ...] = ()
    leaks: tuple[Leak, ...] = ()
    hidden: tuple[Leak, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What breaks the rule that one factory carries the class and nobody else spells it."""
        problems: list[str] = []
        if not self.factories:
            problems.append("is carried by no factory")
        if len(self.factories) > 1:
            problems.append(f"is carried by {len(self.factories)} factories")
        if self.leaks:
            problems.append(f"leaks in {_counted(len(self.leaks), 'place', 'places')}")
        return tuple(problems)


@dataclass(frozen=True)
class SeamMap:
    """The map of one project."""

    root: str
    """As it is shown to people."""
    files: int
    seams: tuple[str, ...]
    """Folders of the seam packages, sorted."""
    classes: tuple[ClassPart, ...]
    """One for each class, in their usual order."""
    seam_free: tuple[Node, ...] = ()
    """The nodes that declare that they call no model."""
    undecided: tuple[Undecided, ...] = ()
    not_analysed: tuple[Undecided, ...] = ()
    ledger: str = ""
    """The ledger that was compared, without its password; empty when none was."""
    drift: tuple[Recorded, ...] = ()
    """What the ledger records and no node declares."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Whatever keeps the map from being a proof, in whole phrases."""
        found = [f"{part.word} {text}" for part in self.classes for text in part.problems]
        if self.not_analysed:
            found.append(f"{_counted(len(self.not_analysed), 'file was', 'files were')} not analysed")
        if self.drift:
            found.append(f"{_counted(len(self.drift), 'recorded stage is', 'recorded stages are')} declared by no node")
        return tuple(found)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
