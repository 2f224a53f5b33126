"""What makes a finding the same one after edits elsewhere: where it stands in the program, in no row or column."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pleach_lint.baseline.entries import Identity
from pleach_lint.source import of_text
from pleach_lint.syntax import Tree, UnparsableSource, parse, with_deep_stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Finding

MODULE: Final = "<module>"
"""The scope of what stands in no class and no function."""
_LONGEST: Final = 80
"""Characters of a statement that are shown."""
_WORD: Final = re.compile(r'"(\w+)" ')
_SAYS_NOTHING: Final = frozenset({"ctx", "kind", "type_comment"})

Unit = ast.stmt | ast.match_case | ast.ExceptHandler
"""A piece of a block. What stands in a block of its own does not belong to it."""
_Place = tuple[int, int]


class Identified(NamedTuple):
    """A finding with its identity."""

    finding: Finding
    identity: Identity
    statement: str
    """The first characters of the statement, on one line, for people."""


def identified(text: str, findings: Sequence[Finding]) -> list[Identified]:
    """Tell the findings of one file apart, in their order.

    Args:
        text: The decoded file.
        findings: Of this file, in order of their places, and all of them: those that are left out would not be counted
            as occurrences.
    """
    return with_deep_stack(lambda: list(_identified(_Outline(text), findings)))


def _identified(outline: _Outline, findings: Sequence[Finding]) -> Iterator[Identified]:
    seen: Counter[Identity] = Counter()
    for finding in findings:
        scope, digest, statement = outline.around(finding)
        word = _WORD.match(finding.message)
        first = Identity(scope, finding.code, word[1] if word else "", digest, 1)
        seen[first] += 1
        yield Identified(finding, first._replace(occurrence=seen[first]), statement)


class _Outline:
    """The statements of one file, by place."""

    def __init__(self, text: str) -> None:
        source = of_text(text)
        self._lines = source.lines
        try:
            self._tree = parse(source)
        except UnparsableSource:
            self._tree = Tree(source, ast.Module([], []))
        self._known: dict[Unit, tuple[str, str]] = {}

    def around(self, finding: Finding) -> tuple[str, str, str]:
        """The scope of a finding, and the digest and the beginning of its statement, or of the comment it is about."""
        row, column = finding.span.row, finding.span.column
        line = self._lines[row - 1] if row <= len(self._lines) else ""
        is_comment = line.startswith("#", column - 1)
        names, unit = self._innermost((row, 1 + len(line) - len(line.lstrip()) if is_comment else column))
        scope = ".".join(names) or MODULE
        digest, statement = self._told(unit) if unit else (_digest(" ".join(line.split())), _shown(line))
        if not is_comment:
            return scope, digest, statement
        comment = " ".join(line[column - 1 :].split())
        return scope, _digest(f"{comment} {digest if unit else ''}"), _shown(comment)

    def _told(self, unit: Unit) -> tuple[str, str]:
        if unit not in self._known:
            self._known[unit] = _digest(_meaning(unit)), _shown(self._text(unit))
        return self._known[unit]

    def _innermost(self, place: _Place) -> tuple[list[str], Unit | None]:
        names: list[str] = []
        block, unit = list[Unit](self._tree.module.body), None
        while inner := next((each for each in block if self._start(each) <= place < self._end(each)), None):
            if isinstance(unit, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(unit.name)
            block, unit = list(_inside(inner)), inner
        return names, unit

    def _start(self, unit: Unit) -> _Place:
        span = self._tree.span(unit.pattern if isinstance(unit, ast.match_case) else unit)
        decorators: list[ast.expr] = getattr(unit, "decorator_list", [])
        return self._tree.span(decorators[0]).row if decorators else span.row, span.column

    def _end(self, unit: Unit) -> _Place:
        span = self._tree.span(unit.body[-1] if isinstance(unit, ast.match_case) else unit)
        return span.end_row, span.end_column

    def _text(self, unit: Unit) -> str:
        """The statement without the blocks in it."""
        (row, column), (end_row, end_column) = self._start(unit), self._end(unit)
        blocks = map(self._start, _inside(unit))
        end_row, end_column = min(((end_row, end_column), *blocks))
        rows = [*self._lines[row - 1 : end_row - 1], self._lines[end_row - 1][: end_column - 1]]
        return "\n".join(rows)[column - 1 :]


def _inside(unit: Unit) -> Iterator[Unit]:
    """What stands in the blocks of a statement."""
    for _, value in ast.iter_fields(unit):
        yield from _block(value)


def _block(value: object) -> list[Unit]:
    """The statements of a block, or of a list of such; nothing for any other field of a node."""
    return [item for item in _items(value) if isinstance(item, Unit)]


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _meaning(value: object) -> str:
    """Write a node down without the blocks in it, the same on every Python: `ast.dump` and `repr` change."""
    if isinstance(value, ast.JoinedStr):
        return f"JoinedStr({', '.join(map(_meaning, filter(_is_said, value.values)))})"
    if isinstance(value, ast.AST):
        fields = ((name, field) for name, field in ast.iter_fields(value) if name not in _SAYS_NOTHING)
        said = (f"{name}={_meaning(field)}" for name, field in fields if field not in (None, []) and not _block(field))
        return f"{type(value).__name__}({', '.join(said)})"
    if isinstance(value, list):
        return f"[{', '.join(map(_meaning, _items(cast('object', value))))}]"
    return ascii(value)


def _is_said(part: ast.expr) -> bool:
    """Whether a part of an f-string is one; some versions of Python 3.12 put empty strings between."""
    return not (isinstance(part, ast.Constant) and part.value == "")
