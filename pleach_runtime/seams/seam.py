"""`ProviderSeam`: the only way to a model, and the only carrier of a call class. How a call runs is the lane's."""

from __future__ import annotations

from typing import Final, Generic, Literal, NoReturn, TypeAlias

from typing_extensions import final

from pleach_runtime.seams.classes import C, C_co

_TOKEN: Final = object()


@final
class ProviderSeam(Generic[C_co]):
    """A call class made real: whoever holds the seam may make calls of that class, and of no other.

    Nominal, final and covariant: a seam of one class goes where any seam is welcome, never where another class is
    asked for. Only the four factories build one; copying gives the same seam, pickling is refused.
    """

    __slots__ = ("_call_class",)

    _call_class: C_co

    def __init__(self, token: object, call_class: C_co) -> None:
        if token is not _TOKEN:
            msg = "ProviderSeam is built by utility_seam, reasoning_seam, converse_seam and synthesize_seam only"
            raise TypeError(msg)
        object.__setattr__(self, "_call_class", call_class)

    @property
    def call_class(self) -> C_co:
        """The class of every call that goes through this seam."""
        return self._call_class

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: a seam never changes its class.

        Raises:
            AttributeError: always.
        """
        msg = f"a ProviderSeam is read-only: cannot set {name!r}"
        raise AttributeError(msg)

    def __repr__(self) -> str:
        """Name the class, for logs."""
        return f"<ProviderSeam {self._call_class}>"


def make_seam(call_class: C) -> ProviderSeam[C]:
    """Build a seam. For the four factories of this package only."""
    return ProviderSeam(_TOKEN, call_class)


UtilitySeam: TypeAlias = ProviderSeam[Literal["utility"]]
"""Seam of internal classification: unbounded."""
ReasoningSeam: TypeAlias = ProviderSeam[Literal["reasoning"]]
"""Seam of internal prose: unbounded."""
ConverseSeam: TypeAlias = ProviderSeam[Literal["converse"]]
"""Seam of short user-facing prose: bounded per turn."""
SynthesizeSeam: TypeAlias = ProviderSeam[Literal["synthesize"]]
"""Seam of the final answer: one per runtime, counted per turn."""
