"""Tests of the ladder of verdicts."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleach_runtime.audit import Draft
from pleach_runtime.errors import ObserverContractError
from pleach_runtime.streams.verdicts import REDACTED, Redaction, Seen, StreamVerdict, Watch, check_observers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_runtime.streams.verdicts import StreamObserver

CONTINUE, HOLD, REDACT, RETRY, ABORT = StreamVerdict

Script: TypeAlias = "list[StreamVerdict]"
milds = st.sampled_from([CONTINUE, HOLD])
verdicts = st.sampled_from(StreamVerdict)
pieces = st.lists(st.text("ab ", min_size=1, max_size=3), max_size=6)


class Saying:
    """An observer that says what it was told to, and CONTINUE after that."""

    def __init__(self, *script: StreamVerdict | Redaction) -> None:
        self.saw: list[tuple[str, str, bool]] = []
        self._script: Iterator[StreamVerdict | Redaction] = iter(script)

    def __call__(self, seen: Seen, /) -> StreamVerdict | Redaction:
        """Note what is shown, and say the next verdict."""
        self.saw.append((seen.pending, seen.shown, seen.draft is not None))
        return next(self._script, StreamVerdict.CONTINUE)


class Ruling(NamedTuple):
    """What a watch says of a piece."""

    verdict: StreamVerdict
    text: str
    reason: str = ""


def rulings(observers: Sequence[StreamObserver], *texts: str, fail_closed: bool = True) -> list[Ruling]:
    """Return the rulings on the pieces of an answer and on its end, up to one that stops it."""
    watch, made = Watch(tuple(observers), fail_closed=fail_closed), list[Ruling]()
    for text in (*texts, None):
        shown_now = watch.end(Draft(text="".join(texts))) if text is None else watch.take(text)
        made.append(Ruling(watch.verdict, shown_now, watch.reason))
        if watch.verdict >= StreamVerdict.RETRY:
            break
    return made


def shown(made: Sequence[Ruling]) -> str:
    """Return what the rulings show, if none of them stops the answer."""
    return "".join(ruling.text for ruling in made)


@given(pieces, st.lists(st.lists(milds, max_size=8), max_size=3))
def test_nothing_is_lost(texts: list[str], scripts: list[Script]) -> None:
    """However long text is held back, in the end all of it was shown, in order."""
    made = rulings([Saying(*script) for script in scripts], *texts)
    assert shown(made) == "".join(texts)


@given(st.lists(verdicts, min_size=1, max_size=4))
def test_strictest_holds(said: Script) -> None:
    """Of several verdicts on the first piece the strictest holds, whoever says it."""
    assert rulings([Saying(verdict) for verdict in said], "text")[0].verdict is max(said)


@given(pieces, st.lists(st.lists(verdicts, max_size=8), max_size=3), st.lists(verdicts, max_size=8))
def test_one_more_observer_shows_no_more(texts: list[str], scripts: list[Script], more: Script) -> None:
    """An observer that is added never lets an answer through that was stopped without it."""
    before = rulings([Saying(*script) for script in scripts], *texts)
    after = rulings([*(Saying(*script) for script in scripts), Saying(*more)], *texts)
    if before[-1].verdict >= StreamVerdict.RETRY:
        assert after[-1].verdict >= StreamVerdict.RETRY
        assert len(after) <= len(before)


@given(pieces, st.lists(verdicts, max_size=8))
def test_stopped_shows_nothing(texts: list[str], script: Script) -> None:
    """The piece that an observer stops is not shown, nor what was held back; RETRY turns to ABORT after shown text."""
    made = rulings([Saying(*script)], *texts)
    *before, last = made
    if last.verdict is StreamVerdict.RETRY:
        assert shown(before) == ""
    if last.verdict is StreamVerdict.ABORT:
        assert last.text == ""
    if shown(before) and script[: len(made)][-1:] == [StreamVerdict.RETRY]:
        assert last.verdict is StreamVerdict.ABORT


def test_what_observers_see() -> None:
    """An observer sees held text again with the next piece, what was shown before, and the draft at the end."""
    observer = Saying(HOLD, CONTINUE, HOLD)
    rulings([observer], "a", "b", "c")
    assert observer.saw == [("a", "", False), ("ab", "", False), ("c", "ab", False), ("c", "ab", True)]


def test_redaction() -> None:
    """A redaction takes the place of all pending text; the text of the last one counts, and later observers see it."""
    later = Saying(CONTINUE, CONTINUE)
    made = rulings([Saying(HOLD, Redaction("x")), later], "a", "b")
    assert (shown(made), later.saw[1]) == ("x", ("x", "", False))
    assert shown(rulings([Saying(REDACT)], "a", "b")) == f"{REDACTED}b"


def test_redaction_does_not_let_go_what_another_holds() -> None:
    """What one observer holds back stays back when another one redacts a part of it."""
    made = rulings([Saying(HOLD, CONTINUE), Saying(Redaction("x"))], "a", "b")
    assert [(ruling.verdict, ruling.text) for ruling in made[:2]] == [(REDACT, ""), (CONTINUE, "xb")]


def test_retry_gives_the_text_back() -> None:
    """An answer that is turned down before anything was shown is there to be judged, and says who turned it down."""
    assert rulings([Saying(HOLD, RETRY)], "a", "b")[-1] == Ruling(RETRY, "ab", "Saying")


def raising(_seen: Seen, /) -> StreamVerdict:
    """Fail, with text in the message."""
    raise ValueError("the secret")


def silent(_seen: Seen, /) -> StreamVerdict:
    """Forget to return a verdict."""
    return None  # type: ignore[return-value]  # what untyped code does


def cancelled(_seen: Seen, /) -> StreamVerdict:
    """Raise what a task that is cancelled would."""
    raise asyncio.CancelledError


def numbered(_seen: Seen, /) -> Redaction:
    """Put a number in place of a text."""
    return Redaction(5)  # type: ignore[arg-type]  # what untyped code does


@pytest.mark.parametrize(
    ("observer", "problem"),
    [
        pytest.param(raising, "raised ValueError (", id="raises"),
        pytest.param(cancelled, "raised CancelledError (", id="raises a cancellation"),
        pytest.param(silent, "returned NoneType, which is no verdict", id="returns nothing"),
        pytest.param(numbered, "returned Redaction, which is no verdict", id="redacts with no text"),
    ],
)
def test_failing_observer(observer: StreamObserver, problem: str, caplog: pytest.LogCaptureFixture) -> None:
    """An observer that fails aborts or is passed over; the log names it and its fault, and quotes nothing."""
    with caplog.at_level(logging.WARNING, "pleach_runtime"):
        closed = rulings([observer], "text")[-1]
        assert shown(rulings([observer], "text", fail_closed=False)) == "text"
    assert closed.verdict is StreamVerdict.ABORT
    assert problem in closed.reason
    assert problem in caplog.text
    assert "secret" not in caplog.text + closed.reason


async def late(_seen: Seen, /) -> StreamVerdict:
    """Say it too late."""
    return StreamVerdict.CONTINUE


class Late:
    """Says it too late."""

    async def __call__(self, seen: Seen, /) -> StreamVerdict:
        """Say it."""
        return await late(seen)


@pytest.mark.parametrize("observer", [late, Late(), "no observer"])
async def test_unfit_observers(observer: StreamObserver) -> None:
    """An observer whose verdict would come too late, or never, is refused."""
    with pytest.raises(ObserverContractError, match=r"it is async|cannot be called"):
        check_observers([observer])
    assert await Late()(Seen([])) is StreamVerdict.CONTINUE
