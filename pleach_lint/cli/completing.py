"""What a shell offers for a half-written value of an option or an argument. Completes no names of options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_lint.declarations import declarations
from pleach_lint.selection import selector_names

if TYPE_CHECKING:
    import click


def rule_lists(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of rules for the last entry of a list with commas."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in sorted(selector_names()) if name.startswith(last)]


def rules(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Codes and slugs of rules."""
    names = (name for rule in declarations() for name in (rule.code, rule.slug))
    return [name for name in names if name.startswith(incomplete)]
