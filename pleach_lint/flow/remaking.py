"""Calls that make an object of another one, or of a mapping: `replace(job, lane=x)`, `Job.model_validate(x)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.module import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OF_FIRST: Final = frozenset({"assoc", "evolve", "replace"})
"""Functions of dataclasses, `copy` and attrs that take an object and the fields that change."""
_WITH_FIELDS: Final = frozenset({"_replace", "construct", "model_construct"})
_WITH_UPDATE: Final = frozenset({"copy", "model_copy"})
_OF_MAPPING: Final = frozenset({"from_dict", "model_validate", "parse_obj", "validate_python"})


class Remade(NamedTuple):
    """An object that a call makes, and its fields as they are given."""

    like: ast.expr
    """An object of its class, or the class."""
    keywords: Sequence[ast.keyword]
    positional: Sequence[ast.expr] = ()


def remade(call: ast.Call) -> Iterator[Remade]:
    """What a call makes, by the name of what is called; whether that is an object of the project is not looked at."""
    name = last_name(call.func)
    if name in _OF_FIRST and call.args:
        yield Remade(call.args[0], call.keywords)
    if not isinstance(call.func, ast.Attribute):
        return
    like = call.func.value
    if name in _WITH_FIELDS:
        yield Remade(like, call.keywords)
    elif name in _WITH_UPDATE:
        yield Remade(like, [ast.keyword(None, word.value) for word in call.keywords if word.arg == "update"])
    elif name in _OF_MAPPING and call.args:
        yield Remade(_adapted(like), [ast.keyword(None, call.args[0])])
    elif name == "_make" and call.args:
        yield Remade(like, (), [ast.Starred(call.args[0], ast.Load())])


def _adapted(like: ast.expr) -> ast.expr:
    """The type behind `TypeAdapter(Job)`."""
    is_adapter = isinstance(like, ast.Call) and last_name(like.func) == "TypeAdapter" and like.args
    return like.args[0] if is_adapter and isinstance(like, ast.Call) else like
