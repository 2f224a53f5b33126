"""Where libcst's nodes stand, in the terms of Python's own `ast`: rows, and columns in UTF-8 bytes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from libcst.metadata import ByteSpanPositionProvider, CodeSpan, MetadataWrapper

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    import libcst as cst

_NEWLINE: Final = re.compile(rb"\r\n|\r|\n")
_SEMICOLON: Final = re.compile(rb"(?:[ \t\f]|\\(?:\r\n|\r|\n))*;")
_INK: Final = re.compile(rb"[^\s\\]")

PlacedT = TypeVar(
    "PlacedT",
    bound="ast.stmt | ast.expr | ast.pattern | ast.arg | ast.keyword | ast.alias | ast.ExceptHandler",
)


@dataclass(frozen=True)
class Origin:
    """Where a slice of a file begins."""

    row: int
    """1-based."""
    column: int
    """0-based, in UTF-8 bytes."""


class Unplaceable(Exception):  # noqa: N818 - it never leaves the package
    """libcst writes its own reading of the text differently, so that its positions mean nothing."""


class Places:
    """The byte offsets of each node of one module, and their rows and columns in the file."""

    def __init__(self, module: cst.Module, text: str, origin: Origin) -> None:
        self.text: Final = text.encode()
        self._origin = origin
        self._row_starts = [0, *(newline.end() for newline in _NEWLINE.finditer(self.text))]
        self._spans = _spans(module, self.text)

    def start(self, node: cst.CSTNode) -> int:
        """Byte offset of a node's first token, its parentheses excluded."""
        return self._spans[node].start

    def end(self, node: cst.CSTNode) -> int:
        """Byte offset behind a node's last token, its parentheses excluded."""
        span = self._spans[node]
        return span.start + span.length

    def outer_start(self, node: cst.BaseExpression | cst.MatchPattern) -> int:
        """Byte offset of a node's first token, its parentheses included."""
        return self.start(node.lpar[0]) if node.lpar else self.start(node)

    def outer_end(self, node: cst.BaseExpression | cst.MatchPattern) -> int:
        """Byte offset behind a node's last token, its parentheses included."""
        return self.end(node.rpar[-1]) if node.rpar else self.end(node)

    def written(self, node: cst.CSTNode) -> str:
        """Return the text of a node, its parentheses excluded."""
        return self.text[self.start(node) : self.end(node)].decode()

    def put(self, made: PlacedT, start: int, end: int) -> PlacedT:
        """Give a node of `ast` its place, from byte offsets, and return it."""
        made.lineno, made.col_offset = self.point(start)
        made.end_lineno, made.end_col_offset = self.point(end)
        return made

    def put_on(self, made: PlacedT, node: cst.CSTNode) -> PlacedT:
        """Give a node of `ast` the place of a libcst node without its parentheses, and return it."""
        return self.put(made, self.start(node), self.end(node))

    def put_block(self, made: PlacedT, node: cst.CSTNode) -> PlacedT:
        """Give a node of `ast` the place of a libcst node that ends with a block, and return it.

        CPython counts the semicolon that may close a block.
        """
        semicolon = _SEMICOLON.match(self.text, self.end(node))
        return self.put(made, self.start(node), semicolon.end() if semicolon else self.end(node))

    def point(self, offset: int) -> tuple[int, int]:
        """Return the row (1-based) and the column (0-based, in bytes) of a byte offset."""
        below = bisect_right(self._row_starts, offset) - 1
        column = offset - self._row_starts[below]
        return self._origin.row + below, column if below else column + self._origin.column


def _spans(module: cst.Module, text: bytes) -> Mapping[cst.CSTNode, CodeSpan]:
    """Byte spans of all nodes in `text`.

    Raises:
        Unplaceable: if libcst's own text of the module differs from `text` in more than blanks.
    """
    spans = MetadataWrapper(module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    written = module.code.encode()
    if written == text:
        return spans
    alignment = _Alignment(written, text)
    return {node: alignment.moved(span) for node, span in spans.items()}


class _Alignment:
    """Moves spans between two texts that differ in blanks and backslashes only, which libcst is known to lose."""

    def __init__(self, written: bytes, text: bytes) -> None:
        if _INK.findall(written) != _INK.findall(text):
            raise Unplaceable
        self._from = [ink.start() for ink in _INK.finditer(written)]
        self._to = [ink.start() for ink in _INK.finditer(text)]

    def moved(self, span: CodeSpan) -> CodeSpan:
        start = self._moved(span.start)
        if not span.length:
            return CodeSpan(start, 0)
        return CodeSpan(start, self._moved(span.start + span.length - 1) + 1 - start)

    def _moved(self, offset: int) -> int:
        """Move one offset along with the first ink at or behind it, or behind the last ink where there is none."""
        ink = min(bisect_left(self._from, offset), len(self._from) - 1)
        return max(self._to[ink] + offset - self._from[ink], 0)
