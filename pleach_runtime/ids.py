"""What an id may be, so that every ledger can keep it. Who mints ids is in `hooks.py`."""

from __future__ import annotations

import re
from typing import Final

from pleach_runtime.errors import InvalidId

_UNFIT: Final = re.compile("[\0\ud800-\udfff]")
LONGEST_ID: Final = 300
"""Characters. Two ids of this length fit into one key of a PostgreSQL index, whatever the characters are."""


def check_id(name: str, value: object) -> str:
    """Return the id if every ledger can keep it.

    Args:
        name: what the id is called, for the message.
        value: the id as it was given.

    Raises:
        InvalidId: if it is not a str, is empty or longer than `LONGEST_ID`, or holds a NUL or half a surrogate pair.
    """
    if not isinstance(value, str):
        raise InvalidId(f"{name} is a str, not {type(value).__name__}")
    if not 0 < len(value) <= LONGEST_ID:
        raise InvalidId(f"{name} has 1 to {LONGEST_ID} characters, not {len(value)}")
    if _UNFIT.search(value):
        raise InvalidId(f"{name} holds a NUL or half a surrogate pair: {value!r}")
    return value
