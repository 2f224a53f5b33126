"""What runtimes record is sound by the word of `verify`, whatever way an answer took."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pleach_runtime.cache import AnswerCache
from pleach_runtime.errors import ProviderError
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger.opening import open_sql_ledger
from tests.runtime.families import failing, forest
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import Clock, ScriptedProvider, ask

if TYPE_CHECKING:
    from pleach_runtime.provider import Provider
    from tests.runtime.auditing.conftest import Audit
    from tests.runtime.scenes import Setting
    from tests.runtime.stores import Store


async def answer(url: str, *, cascade: bool = False, cache: AnswerCache | None = None) -> None:
    """Check twice and answer, in a turn of a runtime of this kind."""
    async with aclosing(await open_sql_ledger(url)) as ledger:
        made: Setting = forest(failing("oak-1"), ledger) if cascade else setting(weak_then_failing(), ledger=ledger)
        hooks = RuntimeHooks(clock=Clock(), cache=cache)
        async with scene(replace(made, hooks=hooks)) as at:
            for _ in range(2):
                await at.runtime.utility_seam.invoke(ask(), turn=at.turn, stage_id="check")
            with suppress(ProviderError):
                await at.answer(text="And now?")


def weak_then_failing() -> Provider:
    """Return a provider that answers twice, then with nothing, and then not at all."""
    return ScriptedProvider("Yes.", "Yes.", "", OSError("gone"))


def test_weak_and_failing(audit: Audit, store: Store) -> None:
    """A weak draft and a failure are attempts like others."""
    asyncio.run(answer(store.url))
    assert audit("verify", store.url) == (0, "verified 1 turn with 4 calls: 0 problems\n", "")


def test_cascade(audit: Audit, store: Store) -> None:
    """Each rung that was tried is an attempt with an event of its own."""
    asyncio.run(answer(store.url, cascade=True))
    assert audit("verify", store.url).code == 0
    assert "oak-2" in audit("replay", store.url, "--turn", "t1").out


def test_cache(audit: Audit, store: Store) -> None:
    """An answer out of the cache is shown as one, and is sound."""
    asyncio.run(answer(store.url, cache=AnswerCache()))
    assert audit("verify", store.url).code == 0
    assert "ok, cached" in audit("replay", store.url, "--turn", "t1").out
