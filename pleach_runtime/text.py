"""Text that providers say and no encoding can store. Knows nothing of calls."""

from __future__ import annotations


def mended(text: str) -> str:
    """Replace halves of surrogate pairs, which no encoding can store, by U+FFFD; put pairs together."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
