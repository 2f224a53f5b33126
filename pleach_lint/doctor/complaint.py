"""What the doctor says of one thing."""

from __future__ import annotations

from typing import NamedTuple


class Complaint(NamedTuple):
    """One thing that is not as it should be."""

    what: str
    where: str
    """The file, and the row where it is known, as they are shown to people."""
    remedy: str
    """What to do, as an imperative."""
    is_fatal: bool = True
    """Whether the gate is off because of it, wholly or for some files; else it is worth a look."""
