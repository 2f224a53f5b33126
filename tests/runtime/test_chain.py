"""Tests of the hash chain."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace

import pytest

from pleach_runtime.audit import Draft
from pleach_runtime.errors import ChainBroken
from pleach_runtime.ledger.chain import GENESIS, chained, row_hash, verify_chain
from pleach_runtime.seams.rows import row_of
from tests.runtime.builders import UTILITY, ending, intent, row

ROWS = [row(intent(call_class=UTILITY), cost=cost) for cost in (1, 2, 3)]


def test_empty() -> None:
    """An empty chain holds."""
    assert verify_chain("t1", ()) == 0


def test_starts_at_genesis() -> None:
    """The first link follows 32 zero bytes, and each next one the hash before it."""
    links = chained(ROWS)
    assert [link.prev_hash for link in links] == [GENESIS, links[0].row_hash, links[1].row_hash]


def test_hash_is_stable() -> None:
    """The hash of a row is the same in every version of this package: stored chains must go on verifying."""
    fixed = row(intent(call_class=UTILITY).model_copy(update={"call_id": "call-fixed"}))
    assert row_hash(GENESIS, fixed).hex() == "78f4211e55895822157bf48f2c332708d59b17cfaa7d5948525034efff875c2c"


def test_hash_needs_no_library_of_ours() -> None:
    """The hash can be computed from the fields with any JSON encoder, as `row_hash` says."""
    text = "".join(map(chr, range(256))) + "\u2028\ufffd\U0001f600"
    spoken = row_of(intent(cap=math.inf), ending()._replace(draft=Draft(text=text), served_model=None))
    fields = spoken.model_dump(mode="json", by_alias=False)
    content = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    assert row_hash(GENESIS, spoken) == hashlib.sha256(b"pleach-row/1\0" + bytes(32) + content).digest()


@pytest.mark.parametrize("broken", [1, 2, 3])
def test_changed_row(broken: int) -> None:
    """A changed row is found at its place."""
    links = list(chained(ROWS))
    forged = links[broken - 1].row.model_copy(update={"token_cost": 999})
    links[broken - 1] = replace(links[broken - 1], row=forged)
    with pytest.raises(ChainBroken) as caught:
        verify_chain("t1", links)
    assert caught.value.position == broken


def test_changed_and_rehashed() -> None:
    """A forger who recomputes the hash of a row breaks the next link."""
    links = list(chained(ROWS))
    forged = links[0].row.model_copy(update={"token_cost": 999})
    links[0] = replace(links[0], row=forged, row_hash=row_hash(GENESIS, forged))
    with pytest.raises(ChainBroken, match="position 2"):
        verify_chain("t1", links)


def test_reordered() -> None:
    """Swapped rows are found."""
    first, second, third = chained(ROWS)
    with pytest.raises(ChainBroken, match="position 1"):
        verify_chain("t1", (second, first, third))


def test_of_another_turn() -> None:
    """The chain of another turn is not this turn's."""
    with pytest.raises(ChainBroken, match="'t2'"):
        verify_chain("t2", chained(ROWS))
