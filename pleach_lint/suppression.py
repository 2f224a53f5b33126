"""Comments that hide findings: `noqa` as flake8 reads it, and `pleach: ignore[...]`. Knows no configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pleach_lint.comment_lines import Line, read_lines
from pleach_lint.finding import Span
from pleach_lint.selection import UnknownSelectorError, ignored_codes, is_ignorable, selector, selector_names
from pleach_lint.source import of_text
from pleach_lint.verdict import Comments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pleach_lint.finding import Finding

NOQA: Final = re.compile(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
"""Source: flake8's `defaults.NOQA_INLINE_REGEXP`, which must be the same to the letter."""
_SEPARATOR: Final = re.compile(r"[,\s]")
_PRAGMA: Final = re.compile(r"#\s*pleach:\s*(?P<form>ignore(?:-file)?)\b(?:\[(?P<names>[^\]]*)\])?")
_MENTION: Final = re.compile("noqa|pleach:", re.IGNORECASE)
_DIRECTIVE: Final = re.compile(
    r"\s*(?:fmt|flake8|isort|mypy|noqa|nosec|nosemgrep|pleach|pragma|pylint|pyright|ruff|type|yapf)\b"
)
"""How a comment begins that speaks to a tool, and so is no reason."""
_MISPLACED: Final = "must stand alone at the top of the file, above its first statement"
_NAMELESS: Final = "names no rule; put codes or slugs in brackets: `ignore[...]`"


class Form(Enum):
    """How a suppression is written."""

    NOQA = auto()
    LINE = auto()
    """`pleach: ignore[...]`"""
    FILE = auto()
    """`pleach: ignore-file[...]`"""


@dataclass(eq=False)
class Suppression:
    """One comment that hides findings, or one of several in a comment."""

    form: Form
    span: Span
    """From its `#` to the end of its names."""
    names: Mapping[str, frozenset[str]] | None
    """Each name as written, in order, with the rules that it hides; None: a bare `noqa`, which hides all."""
    text: str = ""
    """As written, from its `#` to the end of its names."""
    behind: str = ""
    """What follows in the comment."""
    misuse: str = ""
    """What is wrong with it; empty when nothing is."""
    rows: set[int] = field(default_factory=set[int])
    """The rows that it speaks for, 1-based, unless it is of the form `FILE`."""

    def covers(self, finding: Finding) -> bool:
        """Whether a finding stands where it speaks, and is not about itself."""
        return (self.form is Form.FILE or finding.span.row in self.rows) and finding.span != self.span

    def hides(self, finding: Finding) -> bool:
        """Whether it hides a finding of its file."""
        if not is_ignorable(finding.code) or not self.covers(finding):
            return False
        return self.names is None or any(finding.code in codes for codes in self.names.values())


@dataclass(frozen=True)
class Misuse:
    """A `pleach:` comment that does not do what its author meant."""

    row: int
    """1-based."""
    message: str


class Suppressions:
    """The suppressions of one file."""

    def __init__(self, text: str, comments: Comments) -> None:
        """Take the decoded text of a file, whatever its line endings."""
        self._text = text
        self._comments = comments
        self._mentioned = comments is not Comments.NONE and _MENTION.search(text) is not None

    def hides(self, finding: Finding) -> bool:
        """Tell whether a comment hides a finding of this file."""
        return any(each.hides(finding) for each in (*self.written, *self._unsure))

    @cached_property
    def misuses(self) -> tuple[Misuse, ...]:
        """The `pleach:` comments that are not understood, or that stand where they mean nothing."""
        return tuple(Misuse(each.span.row, each.misuse) for each in self.written if each.misuse)

    @cached_property
    def written(self) -> tuple[Suppression, ...]:
        """The suppressions that count, in order."""
        found: list[Suppression] = []
        above: list[Suppression] = []
        for line in self._lines:
            here = [each for each in _written(line, self._rows[line.last - 1]) if self._counts(each)]
            for each in (*above, *here):
                each.rows.update(range(line.first, line.last + 1))
            above = [each for each in (*above, *here) if line.alone and each.form is Form.LINE]
            found += here
        return tuple(found)

    @cached_property
    def _unsure(self) -> tuple[Suppression, ...]:
        """What looks like a `noqa` in the rows in which Python cannot tell what a comment is."""
        if not self._mentioned or self._comments is not Comments.ALL:
            return ()
        begin = self._lines[-1].last if self._lines else 0
        rows = enumerate(self._rows[begin:], begin + 1)
        found = [each for row, text in rows for each in _noqa(text, row, 1)]
        for each in found:
            each.rows.add(each.span.row)
        return tuple(found)

    def _counts(self, suppression: Suppression) -> bool:
        return self._comments is Comments.ALL or suppression.form is not Form.NOQA

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return tuple(read_lines(self._text)) if self._mentioned else ()

    @cached_property
    def _rows(self) -> tuple[str, ...]:
        return of_text(self._text).lines


def _written(line: Line, row: str) -> Iterator[Suppression]:
    """The suppressions in the comment at the end of a line, whose last row is `row`."""
    column = row.rfind(line.comment) + 1
    yield from _noqa(line.comment, line.last, column)
    for found in _PRAGMA.finditer(line.comment):
        form = Form.FILE if found["form"] == "ignore-file" else Form.LINE
        span = _span(line.last, column, found.start(), found.end())
        behind = line.comment[found.end() :]
        if form is Form.FILE and not (line.alone and line.above_code):
            yield Suppression(form, span, {}, found[0], behind, _MISPLACED)
        else:
            names, misuse = _understood(found["names"] or "")
            yield Suppression(form, span, names, found[0], behind, misuse)


def _noqa(comment: str, row: int, column: int) -> Iterator[Suppression]:
    """Read a `noqa` as flake8's `Violation.is_inline_ignored` does."""
    found = NOQA.search(comment)
    if found is None:
        return
    text = found[0].rstrip(", \t")
    end = found.start() + len(text)
    names = None
    if found["codes"] is not None:
        written = filter(None, _SEPARATOR.split(found["codes"]))
        names = {name: _begun(name) for name in written}
    yield Suppression(Form.NOQA, _span(row, column, found.start(), end), names, text, comment[end:])


def _span(row: int, column: int, start: int, end: int) -> Span:
    return Span(row, column + start, row, column + end)


def _begun(prefix: str) -> frozenset[str]:
    """The rules whose codes begin so."""
    return frozenset(code for code in ignored_codes((selector("ALL"),)) if code.startswith(prefix))


def _understood(names: str) -> tuple[dict[str, frozenset[str]], str]:
    """What the names between brackets mean, and what is wrong with them."""
    entries = [name.strip() for name in names.split(",") if name.strip()]
    if not entries:
        return {}, _NAMELESS
    unknown = [name for name in entries if name not in selector_names()]
    known = {name: ignored_codes((selector(name),)) for name in entries if name not in unknown}
    return known, f"names an {UnknownSelectorError(unknown[0])}" if unknown else ""


def explains(behind: str) -> bool:
    """Whether what follows a suppression in its comment has words for people in it."""
    first, *others = behind.split("#")
    parts = (first, *(part for part in others if not _DIRECTIVE.match(part)))
    return any(re.search(r"\w", part) for part in parts)
