"""The step that tells Ruff that our codes are not its mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pleach_lint.adoption.step import Step
from pleach_lint.adoption.toml_text import with_list_entry
from pleach_lint.neighbours.ruff import ruff_settings
from pleach_lint.neighbours.toml import read_text

if TYPE_CHECKING:
    from pathlib import Path

_CODES: Final = "PCH"
_ADVICE: Final = f'add `lint.external = ["{_CODES}"]` to its settings by hand'


def ruff_step(root: Path, pending: Step) -> Step | None:
    """Add our codes to `lint.external`; None when Ruff has no settings here.

    Args:
        root: The project.
        pending: What becomes of the file with our own settings, which may be the same file.
    """
    settings = ruff_settings(root)
    if settings is None:
        return None
    if settings.spares_us:
        return Step(settings.path, None, None, f"left alone: `lint.external` holds {_CODES} already")
    is_same = pending.path == settings.path and pending.after is not None
    before = pending.after if is_same else read_text(settings.path)
    after = with_list_entry(before or "", (*settings.keys, "lint", "external"), _CODES)
    if after is None:
        return Step(settings.path, before, None, f"left alone: {_ADVICE}")
    return Step(settings.path, before, after, f"{_CODES} in `lint.external`, so that ruff keeps `noqa: {_CODES}001`")
