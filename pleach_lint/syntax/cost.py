"""What a text would cost libcst, told from its tokens before libcst sees it."""

from __future__ import annotations

from typing import Final

_MOST_CHARACTERS: Final = 1_000_000


def is_bearable(text: str) -> bool:
    """Tell whether libcst reads a text in moderate time and memory."""
    return len(text) <= _MOST_CHARACTERS
