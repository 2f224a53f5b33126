"""The rules, one file each. A new file in this package is a new rule; rules never import each other."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from pleach_lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Collection

    from pleach_lint.flow.analysis import Visitors

_PREFIX = "visit_"


@cache
def all_rules() -> tuple[type[Rule], ...]:
    """Every rule, in the order of their codes."""
    found: list[type[Rule]] = []
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        found += [
            each
            for each in vars(module).values()
            if isinstance(each, type) and issubclass(each, Rule) and each.__module__ == module.__name__
        ]
    return tuple(sorted(found, key=lambda rule: rule.code))


@cache
def rules_by_code() -> dict[str, type[Rule]]:
    """The rules by their code."""
    return {rule.code: rule for rule in all_rules()}


def unconcerned(text: str, optional: Collection[str]) -> frozenset[str]:
    """The codes of the rules that cannot report in a file with this text.

    Args:
        text: The whole file.
        optional: The codes of the rules that are on although they are off by default.
    """
    signless = (rule.code for rule in all_rules() if rule.signs and not any(sign in text for sign in rule.signs))
    return frozenset(
        (*signless, *(rule.code for rule in all_rules() if not rule.default and rule.code not in optional))
    )


@cache
def about_classes() -> frozenset[str]:
    """The codes of the rules that look for class words, and for nothing else."""
    return frozenset(rule.code for rule in all_rules() if not rule.signs)


@cache
def visitors() -> Visitors:
    """The visitors of all rules by the type of node that they look at, in the order of the rules' codes."""
    table: Visitors = {}
    for rule in all_rules():
        instance = rule()
        for name in dir(rule):
            node_type = getattr(ast, name.removeprefix(_PREFIX), None) if name.startswith(_PREFIX) else None
            if node_type is not None:
                table.setdefault(node_type, []).append((rule.code, getattr(instance, name)))
    return table
