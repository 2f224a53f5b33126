"""The words and names that the rules know, as data. The only link between the linter and the runtime."""

from __future__ import annotations

from typing import Final

CLASS_WORDS: Final = ("utility", "reasoning", "converse", "synthesize")
"""The four call classes. Source: the documentation of Pleach, "Call classes"."""

CLASS_TYPE: Final = "CallClass"
"""Name of the type that a call-class slot is annotated with."""

SEAM_TYPES: Final = {
    "utility": "UtilitySeam",
    "reasoning": "ReasoningSeam",
    "converse": "ConverseSeam",
    "synthesize": "SynthesizeSeam",
}
"""Alias of `ProviderSeam[...]` for each class."""

SEAM_FACTORIES: Final = {
    "utility": "utility_seam",
    "reasoning": "reasoning_seam",
    "converse": "converse_seam",
    "synthesize": "synthesize_seam",
}
"""The factories that alone may spell a class."""

PREDICATES: Final = {
    "utility": "is_utility",
    "reasoning": "is_reasoning",
    "converse": "is_converse",
    "synthesize": "is_synthesize",
}
"""What a comparison with a class becomes outside the seams."""

CLASS_TABLE: Final = "CallClassRoutes"
"""The table that is keyed by class without spelling one."""

DECLARATION_NAMES: Final = frozenset({"accepts_seam", "acceptsSeam"})
"""The one public place where a node declares its class."""

DECISION_NODES: Final = frozenset({"create_llm_decision_node", "decision_node"})
"""The functions of the runtime that make a node without saying a class, for the decision of a tool loop."""
DECISION_WORD: Final = CLASS_WORDS[0]

RUNTIME_PACKAGE: Final = "pleach_runtime"
RUNTIME_MODULES: Final = frozenset({"pleach_runtime", "pleach_runtime.seams"})
"""Where the names of seams, of predicates and of the table of models can be imported from."""
SEAM_DIRECTORY: Final = "seams"
"""Directory name of a seam package when none is configured."""

SEAM_GENERIC: Final = "ProviderSeam"
"""The type of seams."""

SEAM_GENERICS: Final = frozenset({SEAM_GENERIC, "ResolvedModel"})
"""Types of the runtime that are generic over the class."""

CLASS_CARRIERS: Final = frozenset({*SEAM_GENERICS, *SEAM_TYPES.values(), "CallSubject"})
"""Types of the runtime whose `call_class` is the class that they are for."""

ROUTED: Final = {
    "SessionRuntimeConfig": frozenset({"models", "per_call_class_model_routing"}),
    "create_per_call_class_routing": frozenset({"routes"}),
}
"""By callable of the runtime: the keywords that take a table of models by class."""

RESOLVER: Final = "resolve_model"
"""The method that takes a seam and tells its model."""

SYNTHESIZE_CAPS: Final = frozenset({"max_synthesize_per_turn", "maxSynthesizePerTurn"})
"""The field of the runtime's configuration that caps final answers."""
CAPS: Final = SYNTHESIZE_CAPS | {"max_converse_per_turn", "maxConversePerTurn"}
"""The fields that take an int >= 1 or infinity."""

COUNTER_ASKS: Final = "should_allow_synthesize"
COUNTER_SETS: Final = "set_max_per_turn"
"""Methods of a counter: one that every counter has, one that takes the cap."""
TURN_ID: Final = "turn_id"
"""The keyword that the first of them may take."""

AUDIT_ROW: Final = "AuditableCall"
AUDIT_TABLE: Final = "harness_auditable_calls"
TERMINAL_FIELDS: Final = frozenset({"terminal_synthesis", "terminalSynthesis"})
"""The field of an audit row that marks the answer of its turn."""
