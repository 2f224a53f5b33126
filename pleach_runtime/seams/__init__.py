"""The one package that spells a call class: vocabulary, seams and their factories. Calls are run elsewhere."""

from __future__ import annotations

from pleach_runtime.seams.classes import (
    CALL_CLASSES,
    CallClass,
    is_converse,
    is_reasoning,
    is_synthesize,
    is_utility,
)
from pleach_runtime.seams.routes import CallClassRoutes
from pleach_runtime.seams.seam import ConverseSeam, ProviderSeam, ReasoningSeam, SynthesizeSeam, UtilitySeam

__all__ = [
    "CALL_CLASSES",
    "CallClass",
    "CallClassRoutes",
    "ConverseSeam",
    "ProviderSeam",
    "ReasoningSeam",
    "SynthesizeSeam",
    "UtilitySeam",
    "is_converse",
    "is_reasoning",
    "is_synthesize",
    "is_utility",
]
