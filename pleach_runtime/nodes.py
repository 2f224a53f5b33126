"""Nodes that call a model: the decision of a tool loop. Wiring nodes into a graph is not done here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pleach_runtime.audit import Draft
from pleach_runtime.seams import require_utility_seam

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams import UtilitySeam
    from pleach_runtime.turn import Turn

StateT = TypeVar("StateT")
DecisionT = TypeVar("DecisionT")


@dataclass(frozen=True)
class LlmDecisionNode(Generic[StateT, DecisionT]):
    """Asks a cheap model what to do next. Its answer is read by the program and never shown."""

    seam: UtilitySeam
    stage_id: str
    ask: Callable[[StateT], SeamRequest]
    read: Callable[[Draft], DecisionT]

    async def __call__(self, state: StateT, turn: Turn) -> DecisionT:
        """Ask, and return what the answer means.

        Raises:
            ProviderError: if the provider failed.
        """
        result = await self.seam.invoke(self.ask(state), turn=turn, stage_id=self.stage_id)
        return self.read(result.row.draft or Draft())


def create_llm_decision_node(
    seam: UtilitySeam,
    *,
    stage_id: str,
    ask: Callable[[StateT], SeamRequest],
    read: Callable[[Draft], DecisionT],
) -> LlmDecisionNode[StateT, DecisionT]:
    """Return the node that decides whether a tool loop goes on. It is on its own seam and never near the counter.

    Source: the documentation of Pleach, "Why per-runtime only" (D-72).

    Args:
        seam: the seam of internal classification; no other class will do.
        stage_id: the name of the node, as audit rows say it.
        ask: the request for a state of the loop.
        read: what an answer means.

    Raises:
        SeamClassMismatch: if the seam is of another class.
    """
    return LlmDecisionNode(require_utility_seam(seam), stage_id, ask, read)
