"""What a fix is made for: one literal, and what is known about the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pleach_lint.finding import Edit, Span

if TYPE_CHECKING:
    import ast

    from pleach_lint.flow.analysis import View
    from pleach_lint.offsets import Offsets


@dataclass(frozen=True, eq=False)
class Leak:
    """A string constant that is reported."""

    node: ast.Constant
    word: str
    """The class that it means."""
    view: View
    offsets: Offsets
    """Of the text of the file."""

    @cached_property
    def parent(self) -> ast.AST:
        """What holds the literal."""
        return self.view.module.parents[self.node]

    def span(self, node: ast.AST) -> Span:
        """Where a node of the file stands, parentheses excluded."""
        return self.view.module.tree.span(node)

    def source(self, node: ast.AST) -> str:
        """The text of a node, parentheses excluded."""
        return self.offsets.inside(self.span(node))

    def replaced(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts a text in the place of a node."""
        return Edit(self.span(node), text)

    def between(self, one: ast.AST, other: ast.AST) -> str:
        """The text from the end of one node to the start of another."""
        return self.offsets.text[self.offsets.bounds(self.span(one))[1] : self.offsets.bounds(self.span(other))[0]]
