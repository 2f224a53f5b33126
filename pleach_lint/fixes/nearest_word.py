"""A word that is no call class, turned into the class that it is nearest to."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from pleach_lint.finding import Applicability, Edit, Fix

if TYPE_CHECKING:
    from pleach_lint.syntax import Tree

_LITERAL: Final = re.compile(r"""(?P<prefix>[rRuU]?)(?P<quote>"|'|\"{3}|'{3})(?P<word>[^"'\\\n]*)(?P=quote)""")


def nearest_word(node: ast.AST, word: str, tree: Tree) -> Fix | None:
    """`accepts_seam="synthesise"` to `accepts_seam="synthesize"`; None where the word is not written in one piece.

    Unsafe: another class may be meant.
    """
    if not isinstance(node, ast.Constant):
        return None
    span = tree.span(node)
    written = _LITERAL.fullmatch(tree.source.lines[span.row - 1][span.column - 1 : span.end_column - 1])
    if span.end_row != span.row or written is None or written["word"] != node.value:
        return None
    quoted = f"{written['prefix']}{written['quote']}{word}{written['quote']}"
    return Fix(Applicability.UNSAFE, f'Write "{word}"', (Edit(span, quoted),))
