"""Texts to trees of Python's own `ast` nodes, whichever parser reads them. Knows nothing of call classes."""

from __future__ import annotations

from pleach_lint.syntax.c_parser import UnparsableSource
from pleach_lint.syntax.deep_stack import with_deep_stack
from pleach_lint.syntax.reading import check_syntax, confirm, parse
from pleach_lint.syntax.tree import Tree

__all__ = ("Tree", "UnparsableSource", "check_syntax", "confirm", "parse", "with_deep_stack")
