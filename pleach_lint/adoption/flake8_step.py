"""The step that lets flake8 report our codes, where its configuration selects others alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pleach_lint.adoption.step import Step, line_end
from pleach_lint.neighbours.flake8 import flake8_settings

if TYPE_CHECKING:
    from pathlib import Path

_CODES: Final = "PCH"
_CODE: Final = "PCH001"
_SELECT: Final = re.compile(
    r"(?P<section>^\[flake8\][^\n]*\n(?:(?!\[)[^\n]*\n)*?)select[ \t]*[=:](?P<value>[^\r\n]*(?:\r?\n[ \t]+[^\r\n]+)*)",
    re.MULTILINE,
)


def flake8_step(root: Path) -> Step | None:
    """Add our codes to `select`; None when flake8 has no settings here."""
    settings = flake8_settings(root)
    if settings is None:
        return None
    if settings.shows(_CODE):
        return Step(
            settings.path, settings.text, None, f"left alone: flake8 reports {_CODES} once the plugin is installed"
        )
    found = _SELECT.search(settings.text)
    if found is None or settings.select is None:
        return Step(settings.path, settings.text, None, f"left alone: flake8 ignores {_CODES}; take it out by hand")
    after = settings.text[: found.end()].rstrip(" \t,") + _addition(found["value"]) + settings.text[found.end() :]
    return Step(settings.path, settings.text, after, f"{_CODES} in `select` of flake8")


def _addition(value: str) -> str:
    """What adds our codes to a value, on a line of its own where the others have theirs."""
    continued = re.search(r"\n([ \t]+)[^\n]+\Z", value)
    return f",{line_end(value)}{continued[1]}{_CODES}" if continued else f",{_CODES}"
