"""What a fix is made for: one literal, and what is known about the place where it stands."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pleach_lint.finding import Edit, Span
from pleach_lint.syntax.bound_names import COMPREHENSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    is_own: Callable[[str], bool]
    """Whether a top-level package, by its name, is of the project."""

    @cached_property
    def parent(self) -> ast.AST:
        """What holds the literal."""
        return self.view.module.parents[self.node]

    def scopes(self) -> Iterator[tuple[ast.AST, frozenset[str]]]:
        """What holds the literal and has names of its own, with these names, innermost first; not the module."""
        module = self.view.module
        for outer in module.ancestors(self.node):
            scope = module.names.scopes.get(outer)
            if isinstance(outer, COMPREHENSIONS):
                targets = (name for part in outer.generators for name in ast.walk(part.target))
                yield outer, frozenset(name.id for name in targets if isinstance(name, ast.Name))
            elif scope is not None and scope is not module.names.module:
                yield outer, scope.local

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
