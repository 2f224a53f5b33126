"""Edits put into a text. Knows neither files nor findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_lint.offsets import Offsets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.finding import Edit, Fix


def applied(text: str, fixes: Iterable[Fix]) -> tuple[str, frozenset[Fix]]:
    """Apply fixes to a text, each whole or not at all.

    Of two that get in each other's way, the later one is left out. What several do alike, such as an import, is done
    once.

    Returns:
        The text, and the fixes that are in it.
    """
    offsets = Offsets(text)
    edits: dict[Edit, tuple[int, int]] = {}
    done: set[Fix] = set()
    for fix in fixes:
        more = {edit: offsets.bounds(edit.span) for edit in fix.edits if edit not in edits}
        if not any(_clash(one, other) for one in more.values() for other in edits.values()):
            edits.update(more)
            done.add(fix)
    for edit, (start, end) in sorted(edits.items(), key=_place, reverse=True):
        text = text[:start] + edit.replacement + text[end:]
    return text, frozenset(done)


def _place(item: tuple[Edit, tuple[int, int]]) -> tuple[int, int]:
    return item[1]


def _clash(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches share a character, one is inside the other, or both are the same point."""
    if one == other:
        return True
    return one[0] < other[1] and other[0] < one[1]
