"""How answers look on a terminal: tables, money, times, and what must not be shown. Decides nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from unicodedata import combining, east_asian_width
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

_NANO: Final = 1_000_000_000
_SECRETS: Final = (re.compile(r"://[^:/?]*:(.*)@", re.DOTALL), re.compile(r"password=([^&\s]+)", re.IGNORECASE))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return lines of columns, under their heads; a column of nothing but numbers and `unknown` stands to the right."""
    cells = [[printable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    numeric = [all(_is_number(row[at]) for row in cells[1:]) for at in range(len(head))]
    lines = ("  ".join(map(_padded, row, widths, numeric)).rstrip() for row in cells)
    return "\n".join(lines)


def usd(nano: int | None) -> str:
    """Return an amount of nano-USD in USD, exactly; `unknown` for `None`."""
    return "unknown" if nano is None else f"{nano // _NANO}.{nano % _NANO:09}"


def amount(count: int, noun: str) -> str:
    """Return a number of things, in words."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def clock(moment: datetime) -> str:
    """Return a UTC moment to the second."""
    return f"{moment:%Y-%m-%d %H:%M:%S}Z"


def printable(text: str) -> str:
    """Escape what would move the cursor or colour the terminal: ids and reasons come from anywhere."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def without_secrets(text: str, sources: Iterable[str]) -> str:
    """Return a text in which no password of these URLs is left, as it was written or as it is meant."""
    found = (match for source in sources for secret in _SECRETS for match in secret.findall(source))
    forms = {form for match in found for form in (match, unquote(match), repr(match)[1:-1]) if form}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "***")
    return text


def _is_number(cell: str) -> bool:
    return cell in {"", "unknown", "none"} or cell.replace(".", "", 1).isdigit()


def _width(cell: str) -> int:
    return sum(0 if combining(char) else 1 + (east_asian_width(char) in "WF") for char in cell)


def _padded(cell: str, width: int, is_number: bool) -> str:  # noqa: FBT001 - one column of three
    gap = " " * (width - _width(cell))
    return gap + cell if is_number else cell + gap
