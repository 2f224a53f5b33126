"""One step of adoption: a file, and what it would hold. Touches no disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Step(NamedTuple):
    """What becomes of one file."""

    path: Path
    before: str | None
    """What it holds; None when it is not there."""
    after: str | None
    """What it would hold; None when it is left alone."""
    said: str
    """What was done, or why nothing was, as the rest of a line that names the file."""

    @property
    def changes(self) -> bool:
        """Whether there is something to write."""
        return self.after is not None and self.after != self.before


def line_end(text: str) -> str:
    """How the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def appended(text: str, block: str) -> str:
    """A text with more lines at its end, an empty one between, in the text's own way to end lines."""
    end = line_end(text)
    kept = text if not text or text.endswith("\n") else text + end
    gap = end if kept.strip() and not kept.endswith(end * 2) else ""
    return f"{kept}{gap}{block.replace(chr(10), end)}"
