"""Tests of seams: who may build one, and what one can be talked into."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, cast

import pytest

from pleach_runtime.errors import HolderError, SeamClassMismatch
from pleach_runtime.seams import (
    CALL_CLASSES,
    ProviderSeam,
    SeamDeps,
    SynthesizeSeamHolder,
    converse_seam,
    is_converse,
    is_reasoning,
    is_synthesize,
    is_utility,
    reasoning_seam,
    require_converse_seam,
    require_reasoning_seam,
    require_seam,
    require_synthesize_seam,
    require_utility_seam,
    synthesize_seam,
    utility_seam,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.seams import CallClass, Lane, SynthesizeSeam

PREDICATES: tuple[Callable[[str], bool], ...] = (is_utility, is_reasoning, is_converse, is_synthesize)
GUARDS: tuple[Callable[[object], object], ...] = (
    require_utility_seam,
    require_reasoning_seam,
    require_converse_seam,
    require_synthesize_seam,
)


LANE = cast("Lane", object())
"""No test here makes a call."""
DEPS = SeamDeps(unbounded=LANE, bounded=LANE, counted=LANE)


def four_seams() -> list[ProviderSeam[CallClass]]:
    """Return a seam of each class, in the order of `CALL_CLASSES`."""
    answer = synthesize_seam(DEPS, holder=SynthesizeSeamHolder())
    return [utility_seam(DEPS), reasoning_seam(DEPS), converse_seam(DEPS), answer]


def test_factories_carry_their_class() -> None:
    """Each factory makes a seam of its own class."""
    assert tuple(seam.call_class for seam in four_seams()) == CALL_CLASSES


def test_predicates_tell_classes_apart() -> None:
    """Each predicate is true of its own class only, and of no other word."""
    for number, predicate in enumerate(PREDICATES):
        assert [predicate(call_class) for call_class in CALL_CLASSES] == [index == number for index in range(4)]
        assert not predicate("synthesise")


@pytest.mark.parametrize("token", [pytest.param(object(), id="an object"), pytest.param(None, id="nothing")])
def test_not_constructible(token: object) -> None:
    """Only the factories build a seam."""
    with pytest.raises(TypeError, match="four seam factories"):
        ProviderSeam(token, CALL_CLASSES[0], LANE)


def test_subscripted_is_not_constructible_either() -> None:
    """Subscripting works on every Python, and opens no door."""
    with pytest.raises(TypeError, match="four seam factories"):
        ProviderSeam[str](None, CALL_CLASSES[0], LANE)  # type: ignore[type-var]  # untyped code may do so


def test_final() -> None:
    """A seam cannot be subclassed."""
    with pytest.raises(TypeError, match="final"):
        type("Forged", (ProviderSeam,), {})


@pytest.mark.parametrize("name", ["call_class", "_call_class", "_lane", "other"])
def test_read_only(name: str) -> None:
    """A seam cannot be changed into one of another class."""
    with pytest.raises(AttributeError, match=name):
        setattr(utility_seam(DEPS), name, CALL_CLASSES[3])


def test_copies_are_the_seam() -> None:
    """There is one seam, however often it is copied."""
    seam = utility_seam(DEPS)
    assert copy.copy(seam) is seam
    assert copy.deepcopy({"seam": seam})["seam"] is seam


def test_not_picklable() -> None:
    """A seam cannot be smuggled through a pickle."""
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(utility_seam(DEPS))


def test_repr_names_the_class() -> None:
    """Logs show what seam it is."""
    assert repr(utility_seam(DEPS)) == f"<ProviderSeam {CALL_CLASSES[0]}>"


@pytest.mark.parametrize("number", range(4))
def test_guards(number: int) -> None:
    """Each guard lets its own class through and names the two classes when it does not."""
    guard = GUARDS[number]
    for seam in four_seams():
        if seam.call_class == CALL_CLASSES[number]:
            assert guard(seam) is seam
        else:
            with pytest.raises(SeamClassMismatch, match=f"{CALL_CLASSES[number]} seam, not {seam.call_class}"):
                guard(seam)


def test_guards_know_a_seam_from_a_look_alike() -> None:
    """Whatever has a `call_class` is not a seam for that."""

    class LookAlike:
        call_class = CALL_CLASSES[3]

    with pytest.raises(SeamClassMismatch, match="not LookAlike"):
        require_synthesize_seam(LookAlike())
    with pytest.raises(TypeError, match="not LookAlike"):
        require_seam(cast("SynthesizeSeam", LookAlike()))


class TestHolder:
    """One answer seam per runtime."""

    def test_factory_fills_it(self) -> None:
        """The factory puts its seam into the holder."""
        holder = SynthesizeSeamHolder()
        seam = synthesize_seam(DEPS, holder=holder)
        assert holder.get() is seam

    def test_get_before_init(self) -> None:
        """An empty holder says so."""
        with pytest.raises(HolderError, match="not set"):
            SynthesizeSeamHolder().get()

    def test_second_init(self) -> None:
        """A second seam is refused, and the first stays."""
        holder = SynthesizeSeamHolder()
        first = synthesize_seam(DEPS, holder=holder)
        with pytest.raises(HolderError, match="one per runtime"):
            synthesize_seam(DEPS, holder=holder)
        assert holder.get() is first

    def test_other_class(self) -> None:
        """A seam of another class is refused, and the holder stays empty."""
        holder = SynthesizeSeamHolder()
        with pytest.raises(SeamClassMismatch):
            holder.init(cast("SynthesizeSeam", utility_seam(DEPS)))
        with pytest.raises(HolderError):
            holder.get()
