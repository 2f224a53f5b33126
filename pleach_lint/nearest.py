"""The valid name that a mistaken one is nearest to, for error messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """Find the valid name that was probably meant, whatever its case; None when nothing is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake pays for it

    by_folded = {candidate.casefold(): candidate for candidate in valid}
    close = get_close_matches(name.casefold(), by_folded, n=1)
    return by_folded[close[0]] if close else None


def suggestion(name: str, valid: Iterable[str]) -> str:
    """Phrase the nearest name as the end of an error message; empty when nothing is near."""
    found = nearest(name, valid)
    return f"; did you mean `{found}`?" if found else ""
