"""Comments that hide findings: `noqa` as flake8 reads it, and `pleach: ignore[...]`. Knows no configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pleach_lint.comment_lines import Line, read_lines
from pleach_lint.inspection import Comments
from pleach_lint.selection import UnknownSelectorError, ignored_codes, is_ignorable, selector, selector_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.finding import Finding

NOQA: Final = re.compile(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
"""Source: flake8's `defaults.NOQA_INLINE_REGEXP`, which must be the same to the letter."""
_SEPARATOR: Final = re.compile(r"[,\s]")
_PRAGMA: Final = re.compile(r"#\s*pleach:\s*(?P<form>ignore(?:-file)?)\b(?:\[(?P<names>[^\]]*)\])?")
_MENTION: Final = re.compile("noqa|pleach:", re.IGNORECASE)


@dataclass(frozen=True)
class Misuse:
    """A `pleach:` comment that does not do what its author meant."""

    row: int
    """1-based."""
    message: str


@dataclass(frozen=True)
class _Pragma:
    whole_file: bool
    codes: frozenset[str]
    misuse: str
    """What is wrong with it; empty when nothing is."""


class Suppressions:
    """The suppressions of one file."""

    def __init__(self, text: str, comments: Comments) -> None:
        """Take the decoded text of a file, whatever its line endings."""
        self._text = text
        self._comments = comments
        self._mentioned = comments is not Comments.NONE and _MENTION.search(text) is not None

    def hides(self, finding: Finding) -> bool:
        """Tell whether a comment hides a finding of this file."""
        if not self._mentioned or not is_ignorable(finding.code):
            return False
        row, code = finding.span.row, finding.code
        if code in self._whole_file or code in self._by_row.get(row, ()):
            return True
        return self._comments is Comments.ALL and _is_noqa(self._comment(row), code)

    @cached_property
    def misuses(self) -> tuple[Misuse, ...]:
        """The `pleach:` comments that are not understood, or that stand where they mean nothing."""
        return tuple(
            Misuse(line.first, pragma.misuse) for line in self._lines for pragma in _pragmas(line) if pragma.misuse
        )

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return tuple(read_lines(self._text)) if self._mentioned else ()

    @cached_property
    def _comment_by_row(self) -> dict[int, str]:
        return {row: line.comment for line in self._lines for row in range(line.first, line.last + 1)}

    @cached_property
    def _whole_file(self) -> frozenset[str]:
        pragmas = (pragma for line in self._lines for pragma in _pragmas(line))
        return frozenset(code for pragma in pragmas if pragma.whole_file for code in pragma.codes)

    @cached_property
    def _by_row(self) -> dict[int, frozenset[str]]:
        """The codes that `pleach:` comments hide on each row: its own and those that stand alone just above."""
        hidden: dict[int, frozenset[str]] = {}
        above: frozenset[str] = frozenset()
        for line in self._lines:
            codes = above.union(*(pragma.codes for pragma in _pragmas(line) if not pragma.whole_file))
            hidden.update(dict.fromkeys(range(line.first, line.last + 1), codes))
            above = codes if line.alone else frozenset()
        return hidden

    def _comment(self, row: int) -> str:
        """The comment that speaks for a row; the whole row where Python cannot tell what a comment is."""
        if row in self._comment_by_row:
            return self._comment_by_row[row]
        return re.split("\r\n|\r|\n", self._text)[row - 1]


def _is_noqa(comment: str, code: str) -> bool:
    """Decide as flake8's `Violation.is_inline_ignored` does."""
    found = NOQA.search(comment)
    if found is None:
        return False
    if found["codes"] is None:
        return True
    codes = tuple(filter(None, _SEPARATOR.split(found["codes"])))
    return code.startswith(codes)


def _pragmas(line: Line) -> Iterator[_Pragma]:
    for found in _PRAGMA.finditer(line.comment):
        whole_file = found["form"] == "ignore-file"
        if whole_file and not (line.alone and line.above_code):
            yield _Pragma(whole_file, frozenset(), "must stand alone at the top of the file, above its first statement")
        else:
            yield _understood(found["names"] or "", whole_file=whole_file)


def _understood(names: str, *, whole_file: bool) -> _Pragma:
    entries = [name.strip() for name in names.split(",") if name.strip()]
    if not entries:
        return _Pragma(whole_file, frozenset(), "names no rule; put codes or slugs in brackets: `ignore[...]`")
    unknown = [name for name in entries if name not in selector_names()]
    known = tuple(selector(name) for name in entries if name not in unknown)
    misuse = f"names an {UnknownSelectorError(unknown[0])}" if unknown else ""
    return _Pragma(whole_file, ignored_codes(known), misuse)
