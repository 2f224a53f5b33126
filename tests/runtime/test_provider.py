"""Tests of what the runtime makes of a provider's failures."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import ProviderError
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.provider import RetryableError, is_retryable
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider

if TYPE_CHECKING:
    from pleach_runtime.audit import Draft, Verdict


@pytest.mark.parametrize(
    ("error", "retryable"),
    [
        pytest.param(RetryableError("429"), True, id="what an adapter says"),
        pytest.param(TimeoutError(), True, id="a timeout"),
        pytest.param(asyncio.TimeoutError(), True, id="a timeout of asyncio"),
        pytest.param(ConnectionResetError(), True, id="a lost connection"),
        pytest.param(PermissionError(), False, id="another failure of the system"),
        pytest.param(ValueError("bad request"), False, id="a bad request"),
    ],
)
async def test_retryable(error: Exception, *, retryable: bool) -> None:
    """Only passing failures are worth another model, and the error that the caller gets says so."""
    assert is_retryable(error) == retryable
    async with scene(setting(ScriptedProvider(error))) as of:
        with pytest.raises(ProviderError) as caught:
            await of.answer()
    assert caught.value.retryable == retryable


async def test_hook_that_times_out() -> None:
    """A failure of a hook is not one of the provider: its answer is paid, and is not paid for again."""

    def judge(_draft: Draft, /) -> Verdict:
        raise TimeoutError

    async with scene(setting(hooks=RuntimeHooks(judge=judge))) as of:
        with pytest.raises(ProviderError) as caught:
            await of.answer()
    assert not caught.value.retryable
