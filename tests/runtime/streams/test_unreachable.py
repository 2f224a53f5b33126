"""What is left of an aborted text: nothing that can be reached from the error, the runtime or the log."""

from __future__ import annotations

import asyncio
import gc
import logging
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, cast

import pytest

from pleach_runtime.errors import StreamAborted
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.streams.verdicts import StreamVerdict
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ask

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from pleach_runtime.provider import Provider, ProviderCall, StreamPart
    from pleach_runtime.streams.verdicts import Seen, StreamObserver

_OPAQUE = (type, ModuleType, FunctionType, CodeType, FrameType, asyncio.AbstractEventLoop, logging.Logger)


def secret() -> str:
    """Return a text that no constant of this file holds."""
    return "".join(reversed("terces eht"))


class Teller:
    """Tells the secret, and keeps nothing of it."""

    name = "teller"

    async def stream(self, _call: ProviderCall, /) -> AsyncGenerator[StreamPart, None]:
        """Tell it."""
        yield "It is "
        yield secret()
        yield ProviderResponse.of_text(f"It is {secret()}")


def hold(seen: Seen) -> StreamVerdict:
    """Hold the text back, so that there is some to be forgotten."""
    return StreamVerdict.HOLD if seen.pending else StreamVerdict.CONTINUE


def stop(seen: Seen) -> StreamVerdict:
    """Stop at the secret."""
    return StreamVerdict.ABORT if secret() in seen.pending else StreamVerdict.CONTINUE


def fall_over(seen: Seen) -> StreamVerdict:
    """Fail at the secret, with the secret in the message and in a local variable."""
    text = seen.pending
    if secret() in text:
        raise ValueError(text)
    return StreamVerdict.CONTINUE


def stop_at_the_end(seen: Seen) -> StreamVerdict:
    """Stop when the whole answer is there."""
    return StreamVerdict.ABORT if seen.draft else StreamVerdict.CONTINUE


def locals_of(error: BaseException | None) -> Iterator[object]:
    """Yield an exception with those it hangs on, and the variables of the frames that it passed outside of tests."""
    while error is not None:
        yield from (error.args, error.__dict__, str(error), repr(error))
        traceback = error.__traceback__
        while traceback is not None:
            if "/tests/" not in traceback.tb_frame.f_code.co_filename:
                yield from traceback.tb_frame.f_locals.values()
            traceback = traceback.tb_next
        error = error.__cause__ or error.__context__


def reachable(roots: Iterator[object]) -> Iterator[str]:
    """Yield the strings that hang on some objects, however far down."""
    waiting, seen = list(roots), set[int]()
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, _OPAQUE):
            continue
        seen.add(id(item))
        if isinstance(item, str):
            yield item
        waiting += gc.get_referents(item)


@pytest.mark.parametrize("observer", [stop, fall_over, stop_at_the_end])
async def test_aborted_text_is_gone(observer: StreamObserver, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the error with its frames, nor the turn and its ledger, nor the log holds a word of it."""
    async with scene(setting(cast("Provider", Teller()))) as of:
        opened = of.runtime.synthesize_seam.stream(ask(), turn=of.turn, stage_id="answer", observers=(hold, observer))
        async with opened as answer:
            with pytest.raises(StreamAborted) as caught:
                await answer.result()
            found = [*reachable(locals_of(caught.value)), *reachable(iter((answer, of.runtime, of.turn)))]
        assert [text for text in found if "secret" in text] == []
        assert len(found) > len(await of.turn.calls())
    assert "secret" not in caplog.text
