"""The one package that spells a call class: vocabulary, seams and their factories. Calls are run elsewhere."""

from __future__ import annotations

from pleach_runtime.seams.cached import CachedClasses
from pleach_runtime.seams.classes import (
    CALL_CLASSES,
    CallClass,
    is_converse,
    is_reasoning,
    is_synthesize,
    is_utility,
)
from pleach_runtime.seams.guards import (
    require_converse_seam,
    require_reasoning_seam,
    require_seam,
    require_synthesize_seam,
    require_utility_seam,
)
from pleach_runtime.seams.holder import SynthesizeSeamHolder
from pleach_runtime.seams.routes import CallClassRoutes
from pleach_runtime.seams.rungs import CallClassRungs
from pleach_runtime.seams.seam import (
    CallRecord,
    ConverseSeam,
    Lane,
    ProviderSeam,
    ReasoningSeam,
    SeamCall,
    SeamDeps,
    SeamResult,
    SynthesizeSeam,
    UtilitySeam,
    converse_seam,
    reasoning_seam,
    synthesize_seam,
    utility_seam,
)

__all__ = [
    "CALL_CLASSES",
    "CachedClasses",
    "CallClass",
    "CallClassRoutes",
    "CallClassRungs",
    "CallRecord",
    "ConverseSeam",
    "Lane",
    "ProviderSeam",
    "ReasoningSeam",
    "SeamCall",
    "SeamDeps",
    "SeamResult",
    "SynthesizeSeam",
    "SynthesizeSeamHolder",
    "UtilitySeam",
    "converse_seam",
    "is_converse",
    "is_reasoning",
    "is_synthesize",
    "is_utility",
    "reasoning_seam",
    "require_converse_seam",
    "require_reasoning_seam",
    "require_seam",
    "require_synthesize_seam",
    "require_utility_seam",
    "synthesize_seam",
    "utility_seam",
]
