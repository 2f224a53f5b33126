"""The valid name that a mistaken one is nearest to, for error messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST: Final = 20
"""How many names are compared closely; of those that are alike, the one that begins alike is meant."""


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """Find the valid name that was probably meant, whatever its case; None when nothing is near."""
    from difflib import SequenceMatcher, get_close_matches  # noqa: PLC0415 - only a mistake pays for it

    folded = name.casefold()
    by_folded = {candidate.casefold(): candidate for candidate in valid}

    def likeness(candidate: str) -> tuple[float, int]:
        begins_alike = next((at for at, pair in enumerate(zip(candidate, folded, strict=False)) if len({*pair}) > 1), 0)
        return SequenceMatcher(None, candidate, folded).ratio(), begins_alike

    close = get_close_matches(folded, by_folded, n=_MOST)
    return by_folded[max(sorted(close), key=likeness)] if close else None


def suggestion(name: str, valid: Iterable[str]) -> str:
    """Phrase the nearest name as the end of an error message; empty when nothing is near."""
    found = nearest(name, valid)
    return f"; did you mean `{found}`?" if found else ""
