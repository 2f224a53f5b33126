"""The defaults that a host may replace."""

from __future__ import annotations

from datetime import timezone
from uuid import RFC_4122, UUID

from pleach_runtime.hooks import random_id, utc_now


def test_ids_are_random_uuids() -> None:
    """Ids are UUIDs of version 4, written as `uuid` writes them, and no two are equal."""
    ids = [random_id() for _ in range(500)]
    parsed = [UUID(each) for each in ids]
    assert {(each.version, each.variant) for each in parsed} == {(4, RFC_4122)}
    assert [str(each) for each in parsed] == ids
    assert len(set(ids)) == len(ids)
    # Each digit but the one of the version varies: no random byte was used for two places or for none.
    assert [len(set(column)) > 1 for column in zip(*(each.hex for each in parsed), strict=True)].count(False) == 1


def test_the_clock_is_in_utc() -> None:
    """The wall clock is aware, and in UTC."""
    assert utc_now().tzinfo is timezone.utc
