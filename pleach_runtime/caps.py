"""Caps per turn: what a valid one is, and its JSON and SQL forms. Who counts against a cap is not decided here."""

from __future__ import annotations

import math
from typing import Annotated, Final, TypeAlias

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

Cap: TypeAlias = int | float
"""Calls allowed per turn: an int >= 1, or `math.inf` for no cap. Never a bool, a fraction, NaN or None."""

UNCAPPED_JSON: Final = "Infinity"
"""JSON has no infinity; this string stands for it, and only this string is read back as one."""

LARGEST_SQL_CAP: Final = 2**63 - 1


def checked_cap(value: object) -> Cap:
    """Return the cap as an int, or as `math.inf`.

    Raises:
        ValueError: if the value is anything but an int >= 1, a float equal to one, `math.inf` or `"Infinity"`.
    """
    if value in (math.inf, UNCAPPED_JSON):
        return math.inf
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 1 and value == int(value):
        return int(value)
    raise ValueError(f"a cap per turn is an int >= 1 or math.inf, not {value!r}")


def cap_to_json(cap: Cap) -> int | str:
    """Return the cap as JSON can say it: an int, or the string `"Infinity"`."""
    return UNCAPPED_JSON if cap == math.inf else int(cap)


def cap_to_sql(cap: Cap) -> int | None:
    """Return the cap as a bigint column holds it; NULL is no cap, and an int beyond bigint is its largest value."""
    return None if cap == math.inf else min(int(cap), LARGEST_SQL_CAP)


def cap_from_sql(column: int | None) -> Cap:
    """Return the cap that `cap_to_sql` wrote."""
    return math.inf if column is None else column


MaxPerTurn = Annotated[
    Cap,
    PlainValidator(checked_cap),
    PlainSerializer(cap_to_json, when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1}, {"const": UNCAPPED_JSON}]}),
]
"""A cap as a pydantic field."""
