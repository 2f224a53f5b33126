"""The four call classes and their predicates. No seam is built here."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from typing_extensions import TypeIs, TypeVar

CallClass: TypeAlias = Literal["utility", "reasoning", "converse", "synthesize"]
"""What an LLM call is for. Source: the documentation of Pleach, "Call classes"."""

CALL_CLASSES: Final[tuple[CallClass, ...]] = get_args(CallClass)
"""The four classes, from internal classification to the final answer."""

DECISION_CLASS: Final = CALL_CLASSES[0]
"""The class of a tool loop's "call another tool or finish?". Source: the documentation of Pleach, "utility"."""

C = TypeVar("C", bound=CallClass)
C_co = TypeVar("C_co", bound=CallClass, covariant=True)


def is_utility(call_class: str) -> TypeIs[Literal["utility"]]:
    """Whether this is the class of internal classification: read by the graph, never rendered."""
    return call_class == "utility"


def is_reasoning(call_class: str) -> TypeIs[Literal["reasoning"]]:
    """Whether this is the class of intermediate prose that feeds the next call."""
    return call_class == "reasoning"


def is_converse(call_class: str) -> TypeIs[Literal["converse"]]:
    """Whether this is the class of short user-facing prose that is not the answer."""
    return call_class == "converse"


def is_synthesize(call_class: str) -> TypeIs[Literal["synthesize"]]:
    """Whether this is the class of the final user-facing answer."""
    return call_class == "synthesize"
