"""What can be said of a file without following its values: all, for most. Loads no parser until one is needed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.source import UnreadableSource, decode

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_lint.finding import Finding
    from pleach_lint.project import Project


class State(Enum):
    """What became of a file."""

    PARSED = "parsed"
    WITHOUT_CLASS_WORDS = "without class words"
    NOT_ANALYSED = "not analysed"


class Checked(NamedTuple):
    """What is known about one file."""

    findings: tuple[Finding, ...]
    """In order of place and code, before selection and suppression."""
    state: State
    text: str | None = None
    """The decoded source, without a byte order mark, when there are findings."""


WITHOUT_CLASS_WORDS: Final = Checked((), State.WITHOUT_CLASS_WORDS)


def is_parsed(path: Path, data: bytes, project: Project) -> bool:
    """Whether a file is parsed, rather than turned away for what its bytes show."""
    return project.speaks(path, data) or project.may_matter(path, data)


def screen(path: Path, data: bytes, project: Project) -> Checked | None:
    """What is known of a file that is not worth following; None when it is. `path` is not read."""
    if project.may_matter(path, data):
        return None
    if not project.speaks(path, data):
        return WITHOUT_CLASS_WORDS
    from pleach_lint.syntax import UnparsableSource, check_syntax  # noqa: PLC0415 - most runs parse nothing

    try:
        check_syntax(decode(data))
    except (UnreadableSource, UnparsableSource) as problem:
        return not_analysed(path, problem.row, problem.reason)
    return Checked((), State.PARSED)


def not_analysed(path: Path, row: int, reason: str) -> Checked:
    """The result for a file about which nothing is known."""
    from pleach_lint.finding import Finding, Span  # noqa: PLC0415 - most runs find nothing
    from pleach_lint.rules.not_analysed import NotAnalysed  # noqa: PLC0415 - most runs analyse everything

    message = f"not analysed: {reason}; {NotAnalysed.way_out}"
    finding = Finding(str(path), Span(row, 1, row, 2), NotAnalysed.code, NotAnalysed.slug, message, NotAnalysed.way_out)
    return Checked((finding,), State.NOT_ANALYSED)
