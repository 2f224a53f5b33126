"""Tests of answers that no row can hold as they are: the call is paid, so it is recorded all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from pydantic import ValidationError

from pleach_runtime.audit import Draft, TokenUsage, ToolCall
from pleach_runtime.errors import ProviderError
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger.chain import verify_chain
from pleach_runtime.provider import ProviderResponse
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider

if TYPE_CHECKING:
    from pleach_runtime.audit import Verdict
    from pleach_runtime.ledger import Ledger

TEXT = Draft(text="The answer.")


async def test_words_are_mended(ledger: Ledger) -> None:
    """NULs and halves of surrogate pairs become U+FFFD where a column could not hold them."""
    response = ProviderResponse(TEXT, model="m\0\ud800", response_id="\0")
    async with scene(setting(ScriptedProvider(response), ledger=ledger)) as of:
        row = (await of.answer()).row
        assert (row.served_model, row.provider_response_id) == ("m\ufffd\ufffd", "\ufffd")
        assert await of.turn.calls() == (row,)
        assert verify_chain("t1", await ledger.chain("t1")) == 1


async def test_drafts_are_mended(ledger: Ledger) -> None:
    """In a draft a pair of halves becomes its character, a lone half U+FFFD, and a NUL stays."""
    tool = ToolCall(tool_call_id="\0", name="find\udc00", arguments='{"q": "\ud83d\ude00"}')
    response = ProviderResponse(Draft(text="\ud83d\ude00 \ud83d \0", tool_calls=(tool,), finish_reason="\ud800"))
    async with scene(setting(ScriptedProvider(response), ledger=ledger)) as of:
        await of.answer()
        (row,) = await of.turn.calls()
    mended = ToolCall(tool_call_id="\0", name="find\ufffd", arguments='{"q": "\U0001f600"}')
    assert row.draft == Draft(text="\U0001f600 \ufffd \0", tool_calls=(mended,), finish_reason="\ufffd")


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(ProviderResponse(TEXT, token_cost=-1), id="negative cost"),
        pytest.param(ProviderResponse(TEXT, token_cost=2**63), id="cost beyond the column"),
        pytest.param(ProviderResponse(TEXT, token_cost=cast("int", 0.5)), id="fraction"),
        pytest.param(ProviderResponse(TEXT, model=cast("str", 7)), id="model is a number"),
        pytest.param(ProviderResponse(TEXT, response_id=cast("str", ["id"])), id="id is a list"),
        pytest.param(ProviderResponse(TEXT, usage=cast("TokenUsage", None)), id="no usage"),
        pytest.param(ProviderResponse(cast("Draft", "text")), id="draft is text"),
        pytest.param(cast("ProviderResponse", {"text": "hi"}), id="another type"),
    ],
)
async def test_nonsense_is_an_error_with_a_row(response: ProviderResponse) -> None:
    """What a row cannot say at all is the provider's failure: one row, no answer."""
    async with scene(setting(ScriptedProvider(response))) as of:
        with pytest.raises(ProviderError):
            await of.answer()
        assert [row.outcome for row in await of.turn.calls()] == ["error"]


@pytest.mark.parametrize(
    "hooks",
    [
        pytest.param(RuntimeHooks(judge=lambda _: cast("Verdict", "great")), id="judge"),
        pytest.param(RuntimeHooks(price=lambda _model, _usage: cast("int", 0.1)), id="price"),
    ],
)
async def test_nonsense_of_a_hook(hooks: RuntimeHooks) -> None:
    """A hook that says what no row can hold leaves an error row too."""
    async with scene(setting(hooks=hooks)) as of:
        with pytest.raises(ProviderError):
            await of.answer()
        assert [row.outcome for row in await of.turn.calls()] == ["error"]


async def test_most_tokens(ledger: Ledger) -> None:
    """Token counts go up to what a column holds, and no further."""
    usage = TokenUsage(input_tokens=2**63 - 1)
    async with scene(setting(ScriptedProvider(ProviderResponse(TEXT, usage)), ledger=ledger)) as of:
        await of.answer()
        assert [row.usage for row in await of.turn.calls()] == [usage]
    with pytest.raises(ValidationError, match="less than"):
        TokenUsage(input_tokens=2**63)
