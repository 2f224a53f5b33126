"""Places where a value is used as a call class, as the rules find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import ast

    from pleach_lint.flow.calls import Key
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.scopes import Route


@dataclass(frozen=True)
class Slot:
    """An expression that is used as a call class: whatever literal reaches it is reported."""

    node: ast.expr
    why: str
    """The evidence, as the message gives it: "keyword `call_class`"."""
    sink: str = ""
    """The slot as code, for literals that reach it from elsewhere: "`resolve_model(call_class=)`"."""
    route: Route = ()
    """The part of the expression that is the class."""
    absorb: bool = True
    """Whether containers count: elements, keys, the values of a field's description."""
    key: Key | None = None
    """For an argument: the parameter it becomes. The slot counts only if that parameter does."""


@dataclass(frozen=True)
class Hit:
    """An expression that is itself reported, without a trace."""

    node: ast.expr
    why: str
    word: str


@dataclass(frozen=True)
class Notice:
    """A place that a rule reports for another reason than a class literal there."""

    node: ast.AST
    """An expression, keyword or parameter; a definition, of which the name is shown; or the module as a whole."""
    message: str
    """What is wrong, without the way out."""
    related: tuple[tuple[Module, ast.AST, str], ...] = ()
    """Places that explain it, each with what is to be seen there."""
    meant: str = ""
    """For a literal: the word that is probably meant; empty when none is likelier than others."""


Use: TypeAlias = "Slot | Hit | Notice"
