"""The hash chain of a turn: every row is bound to the one before it. Where links are stored is each ledger's."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pleach_runtime.errors import ChainBroken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_runtime.audit import AuditableCall

GENESIS: Final = bytes(32)
"""Previous hash of the first row of a turn."""
_VERSION: Final = b"pleach-row/1\0"


@dataclass(frozen=True)
class ChainLink:
    """A row at its place in the chain of its turn."""

    position: int
    """Place of the row in its turn, from 1, without gaps."""
    prev_hash: bytes
    """Hash of the row before it, `GENESIS` for the first."""
    row_hash: bytes
    """SHA-256 over `prev_hash` and the row."""
    row: AuditableCall


def row_hash(prev_hash: bytes, row: AuditableCall) -> bytes:
    """Return the SHA-256 (32 bytes) that binds a row to the hash before it.

    It is taken over `pleach-row/1`, a NUL, `prev_hash`, and the row as JSON in UTF-8: every field by its Python name,
    in the order in which `AuditableCall` declares them, without blanks, and only what JSON must escape is escaped.
    """
    content = row.model_dump_json(by_alias=False)
    return hashlib.sha256(_VERSION + prev_hash + content.encode()).digest()


def chained(rows: Iterable[AuditableCall]) -> tuple[ChainLink, ...]:
    """Link the rows of one turn, in order, from the first."""
    links: list[ChainLink] = []
    prev = GENESIS
    for position, row in enumerate(rows, start=1):
        links.append(ChainLink(position, prev, row_hash(prev, row), row))
        prev = links[-1].row_hash
    return tuple(links)


def verify_chain(turn_id: str, links: Iterable[ChainLink]) -> int:
    """Check the links of one turn, in order of position, and return how many there are.

    A row that was changed, lost from the middle, reordered or slipped in is found. Rows cut off at the end are not:
    compare the number with one that is kept elsewhere.

    Raises:
        ChainBroken: if a link does not fit, with its position.
    """
    prev, count = GENESIS, 0
    for count, link in enumerate(links, start=1):
        fits = link.position == count and link.row.turn_id == turn_id and link.prev_hash == prev
        if not fits or link.row_hash != row_hash(prev, link.row):
            raise ChainBroken(turn_id, count)
        prev = link.row_hash
    return count
