"""Whether a libcst tree uses syntax that the running Python does not know."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import libcst as cst

from pleach_lint.syntax import c_parser

if TYPE_CHECKING:
    from pleach_lint.syntax.conversion import Places

_Version = tuple[int, int]

_OLDEST: Final[_Version] = (3, 10)
_SINCE: Final[dict[type[cst.CSTNode], _Version]] = {
    cst.TryStar: (3, 11),
    cst.TypeAlias: (3, 12),
    cst.TypeParameters: (3, 12),
    cst.TemplatedString: (3, 14),
}
"""The Python that first had a kind of node. Source: https://docs.python.org/3/whatsnew/"""


def uses_newer_syntax(module: cst.Module, at: Places) -> bool:
    """Tell whether a module uses syntax that the running Python does not know."""
    finder = _Finder(at)
    module.visit(finder)
    return finder.newest > sys.version_info[:2]


class _Finder(cst.CSTVisitor):
    def __init__(self, at: Places) -> None:
        super().__init__()
        self._at = at
        self.newest = _OLDEST

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.newest = max(self.newest, self._since(node))
        return True

    def _since(self, node: cst.CSTNode) -> _Version:
        if isinstance(node, (cst.ExceptHandler, cst.ExceptStarHandler)) and _is_bare_tuple(node.type):
            return (3, 14)
        if isinstance(node, cst.TypeParam) and node.default is not None:
            return (3, 13)
        if isinstance(node, cst.FormattedString) and not _is_readable(self._at.written(node)):
            return (3, 12)
        if isinstance(node, cst.Index) and node.star is not None:
            return (3, 11)
        if isinstance(node, cst.Annotation) and isinstance(node.annotation, cst.StarredElement):
            return (3, 11)
        return _SINCE.get(type(node), _OLDEST)


def _is_bare_tuple(node: cst.BaseExpression | None) -> bool:
    return isinstance(node, cst.Tuple) and not node.lpar


def _is_readable(literal: str) -> bool:
    """Ask the running Python about an f-string: PEP 701 changed too much of them to list."""
    try:
        c_parser.read(f"({literal})")
    except c_parser.UnparsableSource:
        return False
    return True
