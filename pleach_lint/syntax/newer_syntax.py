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
        """Return the Python that first had what a node shows. Source: https://docs.python.org/3/whatsnew/."""
        match node:
            case cst.LazyImport() | cst.LazyImportFrom() | cst.StarredDictComp():
                since = (3, 15)
            case cst.BaseSimpleComp(elt=cst.StarredElement()):
                since = (3, 15)
            case (
                cst.TemplatedString()
                | cst.ExceptHandler(type=cst.Tuple(lpar=[]))
                | cst.ExceptStarHandler(type=cst.Tuple(lpar=[]))
            ):
                since = (3, 14)
            case cst.TypeParam(default=cst.BaseExpression()):
                since = (3, 13)
            case cst.TypeAlias() | cst.TypeParameters():
                since = (3, 12)
            case cst.FormattedString() if not _is_readable(self._at.written(node)):
                since = (3, 12)
            case cst.TryStar() | cst.Index(star="*") | cst.Annotation(annotation=cst.StarredElement()):
                since = (3, 11)
            case _:
                since = _OLDEST
        return since


def _is_readable(literal: str) -> bool:
    """Ask the running Python about an f-string: PEP 701 changed too much of them to list."""
    try:
        c_parser.read(f"({literal})")
    except c_parser.UnparsableSource:
        return False
    return True
