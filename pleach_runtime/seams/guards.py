"""Run-time checks that a seam is what its annotation says, for code that no type checker has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pleach_runtime.errors import SeamClassMismatch
from pleach_runtime.seams.classes import CALL_CLASSES, C
from pleach_runtime.seams.seam import ProviderSeam

if TYPE_CHECKING:
    from pleach_runtime.seams.classes import CallClass
    from pleach_runtime.seams.seam import ConverseSeam, ReasoningSeam, SynthesizeSeam, UtilitySeam


def require_seam(seam: ProviderSeam[C]) -> ProviderSeam[C]:
    """Return the seam, of whatever class.

    Raises:
        SeamClassMismatch: if it is not a seam.
    """
    _check(seam, CALL_CLASSES)
    return seam


def require_utility_seam(seam: object) -> UtilitySeam:
    """Return the seam of internal classification.

    Raises:
        SeamClassMismatch: if it is anything else.
    """
    return cast("UtilitySeam", _check(seam, ("utility",)))


def require_reasoning_seam(seam: object) -> ReasoningSeam:
    """Return the seam of internal prose.

    Raises:
        SeamClassMismatch: if it is anything else.
    """
    return cast("ReasoningSeam", _check(seam, ("reasoning",)))


def require_converse_seam(seam: object) -> ConverseSeam:
    """Return the seam of short user-facing prose.

    Raises:
        SeamClassMismatch: if it is anything else.
    """
    return cast("ConverseSeam", _check(seam, ("converse",)))


def require_synthesize_seam(seam: object) -> SynthesizeSeam:
    """Return the seam of the final answer.

    Raises:
        SeamClassMismatch: if it is anything else.
    """
    return cast("SynthesizeSeam", _check(seam, ("synthesize",)))


def _check(seam: object, expected: tuple[CallClass, ...]) -> ProviderSeam[CallClass]:
    if not isinstance(seam, ProviderSeam):
        raise SeamClassMismatch(" or ".join(expected), type(seam).__name__)
    known = cast("ProviderSeam[CallClass]", seam)
    if known.call_class not in expected:
        raise SeamClassMismatch(" or ".join(expected), known.call_class)
    return known
