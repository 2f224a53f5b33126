"""What a trace finds: the literals that arrive, and the parameters and fields through which more can come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.scopes import Route


@dataclass(frozen=True)
class Arrival:
    """A class literal that reaches the traced expression."""

    word: str
    module: Module
    """The module that holds the literal."""
    literal: ast.expr
    leaf: ast.expr
    """The part of the traced expression through which the literal comes in; the literal itself if it stands there."""
    through: tuple[str, ...] = ()
    """The names on the way, nearest to the traced expression first."""
    listed: bool = False
    """Whether the literal is an element or key of a display."""


@dataclass(frozen=True)
class Inlet:
    """A parameter or a field through which callers bring a value to the traced expression."""

    module: Module
    owner: ast.AST
    """The function of the parameter, or the class of the field."""
    name: str
    route: Route = ()


@dataclass(frozen=True)
class Trail:
    """All that can arrive at an expression."""

    arrivals: tuple[Arrival, ...]
    inlets: tuple[Inlet, ...]
    steps: int
    """What it took to find them."""
