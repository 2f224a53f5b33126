"""Comments of a file, and the groups of rows that flake8 reads as one line. Knows no suppression."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS: Final = frozenset({tokenize.NL, tokenize.NEWLINE})
_WITHOUT_ROWS: Final = frozenset({tokenize.ENDMARKER, tokenize.DEDENT})
_ABOVE_CODE: Final = frozenset({*_ENDS, tokenize.COMMENT, tokenize.STRING})
_FORMATTED: Final = re.compile(r"[rR]?[fF][rR]?['\"]")
_BROKEN_BRACES: Final = re.compile(r"\{[^{}]*\n")
"""What stands in an f-string that flake8 takes apart where its Python knows the tokens in one."""
_DEPTHS: Final = {"FSTRING_START": 1, "TSTRING_START": 1, "FSTRING_END": -1, "TSTRING_END": -1}


@dataclass(frozen=True)
class Line:
    """Rows that the comment at their end speaks for: one row, or more where a string or a backslash joins them.

    Source: flake8's `FileProcessor._noqa_line_mapping`, except that here an f-string is one string on every Python.
    """

    first: int
    """1-based row."""
    last: int
    comment: str
    """From its `#` on; empty when there is none."""
    alone: bool
    """Whether nothing but the comment stands there."""
    above_code: bool
    """Whether nothing but comments and docstrings stands there and above."""
    is_cut: bool = False
    """Whether flake8 takes the rows apart on some Python: those between the braces of an f-string."""


def read_lines(text: str) -> Iterator[Line]:
    """Split a file into lines, in order. What follows the first thing that Python cannot read is left out."""
    group: list[tokenize.TokenInfo] = []
    depth, above_code, is_cut = 0, True, False
    for token in _tokens(text):
        if token.type in _WITHOUT_ROWS:
            continue
        group.append(token)
        depth += _DEPTHS.get(tokenize.tok_name[token.type], 0)
        above_code = above_code and token.type in _ABOVE_CODE
        is_cut = is_cut or (token.type in _ENDS and depth > 0) or _is_broken(token.string)
        if token.type in _ENDS and not depth:
            yield _line(group, above_code=above_code, is_cut=is_cut)
            group, is_cut = [], False


def noqa_row(text: str, row: int) -> int:
    """The row whose end a `noqa` for a finding on `row` must stand at; both 1-based."""
    return _last_rows(text).get(row, row)


@lru_cache(maxsize=1)
def _last_rows(text: str) -> dict[int, int]:
    """The last row of each row's line; cached for the several findings of one file."""
    return {row: line.last for line in read_lines(text) for row in range(line.first, line.last + 1)}


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    source = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    try:
        yield from tokenize.generate_tokens(source.readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _line(group: list[tokenize.TokenInfo], *, above_code: bool, is_cut: bool) -> Line:
    first = min(token.start[0] for token in group)
    last = max(token.end[0] for token in group)
    before = group[:-1]
    comment = before[-1].string if before and before[-1].type == tokenize.COMMENT else ""
    return Line(first, last, comment, bool(comment) and len(before) == 1, above_code, is_cut)


def _is_broken(token: str) -> bool:
    return _FORMATTED.match(token) is not None and _BROKEN_BRACES.search(token) is not None
