"""The small typed runtime that makes the seam discipline real: its public names. Errors are in `errors`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pleach_runtime.audit import (
        AuditableCall,
        CallSubject,
        Draft,
        SynthesisQuality,
        TokenUsage,
        ToolCall,
        at_most_one_terminal_synthesis,
    )
    from pleach_runtime.cache import AnswerCache
    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.counter import (
        InMemoryTurnSynthesizeCounter,
        SupportsForgetTurn,
        SupportsSetMaxPerTurn,
        TurnlessSynthesizeCounter,
        TurnSynthesizeCounter,
    )
    from pleach_runtime.errors import PleachError
    from pleach_runtime.graphs.compiling import compile_graph
    from pleach_runtime.graphs.decision import decision_node
    from pleach_runtime.graphs.execution import CompiledGraph
    from pleach_runtime.graphs.metadata import Node, NodeMetadata, node
    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.hooks import RuntimeHooks
    from pleach_runtime.judge import DraftJudge, judge_by_length, judge_by_visible_text
    from pleach_runtime.ledger import Ledger, MemoryLedger, open_ledger
    from pleach_runtime.matrix import FamilyLock, FamilyPick, ModelMatrix
    from pleach_runtime.nodes import create_llm_decision_node
    from pleach_runtime.policy import (
        SessionRuntimeConfigPolicy,
        compose,
        create_coding_agent_policy,
        create_family_pick,
        create_per_call_class_routing,
    )
    from pleach_runtime.price import PriceTable, TokenPrice
    from pleach_runtime.provider import (
        Provider,
        ProviderCall,
        ProviderResponse,
        RetryableError,
        StreamingProvider,
        StreamPart,
    )
    from pleach_runtime.replaying.report import ReplayReport
    from pleach_runtime.replaying.run import replay
    from pleach_runtime.request import Message, SeamRequest
    from pleach_runtime.routing import AgentAdapter, ResolvedModel
    from pleach_runtime.runtime import CapIgnoredWarning, SessionRuntime
    from pleach_runtime.seams import (
        CALL_CLASSES,
        CachedClasses,
        CallClass,
        CallClassRoutes,
        CallClassRungs,
        ConverseSeam,
        ProviderSeam,
        ReasoningSeam,
        SeamDeps,
        SeamResult,
        SynthesizeSeam,
        SynthesizeSeamHolder,
        UtilitySeam,
        converse_seam,
        is_converse,
        is_reasoning,
        is_synthesize,
        is_utility,
        reasoning_seam,
        synthesize_seam,
        utility_seam,
    )
    from pleach_runtime.seams.streaming import SeamStream
    from pleach_runtime.streams.verdicts import Redaction, Seen, StreamObserver, StreamVerdict
    from pleach_runtime.sync import SyncRuntime, SyncTurn
    from pleach_runtime.sync_stream import SyncStream
    from pleach_runtime.turn import Turn

__all__ = [
    "CALL_CLASSES",
    "AgentAdapter",
    "AnswerCache",
    "AuditableCall",
    "CachedClasses",
    "CallClass",
    "CallClassRoutes",
    "CallClassRungs",
    "CallSubject",
    "CapIgnoredWarning",
    "CompiledGraph",
    "ConverseSeam",
    "Draft",
    "DraftJudge",
    "FamilyLock",
    "FamilyPick",
    "InMemoryTurnSynthesizeCounter",
    "Ledger",
    "MemoryLedger",
    "Message",
    "ModelMatrix",
    "Node",
    "NodeMetadata",
    "PleachError",
    "PriceTable",
    "Provider",
    "ProviderCall",
    "ProviderResponse",
    "ProviderSeam",
    "ReasoningSeam",
    "Redaction",
    "ReplayReport",
    "ResolvedModel",
    "RetryableError",
    "RuntimeHooks",
    "SeamDeps",
    "SeamRequest",
    "SeamResult",
    "SeamStream",
    "Seen",
    "SessionRuntime",
    "SessionRuntimeConfig",
    "SessionRuntimeConfigPolicy",
    "Stage",
    "StreamObserver",
    "StreamPart",
    "StreamVerdict",
    "StreamingProvider",
    "SupportsForgetTurn",
    "SupportsSetMaxPerTurn",
    "SyncRuntime",
    "SyncStream",
    "SyncTurn",
    "SynthesisQuality",
    "SynthesizeSeam",
    "SynthesizeSeamHolder",
    "TokenPrice",
    "TokenUsage",
    "ToolCall",
    "Turn",
    "TurnSynthesizeCounter",
    "TurnlessSynthesizeCounter",
    "UtilitySeam",
    "at_most_one_terminal_synthesis",
    "compile_graph",
    "compose",
    "converse_seam",
    "create_coding_agent_policy",
    "create_family_pick",
    "create_llm_decision_node",
    "create_per_call_class_routing",
    "decision_node",
    "is_converse",
    "is_reasoning",
    "is_synthesize",
    "is_utility",
    "judge_by_length",
    "judge_by_visible_text",
    "node",
    "open_ledger",
    "reasoning_seam",
    "replay",
    "synthesize_seam",
    "utility_seam",
]

_HOMES: Final = {
    "audit": (
        "AuditableCall",
        "CallSubject",
        "Draft",
        "SynthesisQuality",
        "TokenUsage",
        "ToolCall",
        "at_most_one_terminal_synthesis",
    ),
    "cache": ("AnswerCache",),
    "config": ("SessionRuntimeConfig",),
    "counter": (
        "FamilyLock",
        "FamilyPick",
        "InMemoryTurnSynthesizeCounter",
        "SupportsForgetTurn",
        "SupportsSetMaxPerTurn",
        "TurnSynthesizeCounter",
        "TurnlessSynthesizeCounter",
    ),
    "errors": ("PleachError",),
    "graphs.compiling": ("compile_graph",),
    "graphs.decision": ("decision_node",),
    "graphs.execution": ("CompiledGraph",),
    "graphs.metadata": ("Node", "NodeMetadata", "node"),
    "graphs.stage": ("Stage",),
    "hooks": ("RuntimeHooks",),
    "judge": ("DraftJudge", "judge_by_length", "judge_by_visible_text"),
    "ledger": ("Ledger", "MemoryLedger", "open_ledger"),
    "matrix": ("FamilyLock", "FamilyPick", "ModelMatrix"),
    "nodes": ("create_llm_decision_node",),
    "policy": (
        "SessionRuntimeConfigPolicy",
        "compose",
        "create_coding_agent_policy",
        "create_family_pick",
        "create_per_call_class_routing",
    ),
    "price": ("PriceTable", "TokenPrice"),
    "provider": ("Provider", "ProviderCall", "ProviderResponse", "RetryableError", "StreamPart", "StreamingProvider"),
    "replaying.report": ("ReplayReport",),
    "replaying.run": ("replay",),
    "request": ("Message", "SeamRequest"),
    "routing": ("AgentAdapter", "ResolvedModel"),
    "runtime": ("CapIgnoredWarning", "SessionRuntime"),
    "seams": (
        "CALL_CLASSES",
        "CachedClasses",
        "CallClass",
        "CallClassRoutes",
        "CallClassRungs",
        "ConverseSeam",
        "ProviderSeam",
        "ReasoningSeam",
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
        "synthesize_seam",
        "utility_seam",
    ),
    "seams.streaming": ("SeamStream",),
    "streams.verdicts": ("Redaction", "Seen", "StreamObserver", "StreamVerdict"),
    "sync": ("SyncRuntime", "SyncTurn"),
    "sync_stream": ("SyncStream",),
    "turn": ("Turn",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: importing the package alone loads nothing of it."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
