"""The same nodes in LangGraph, which then decides who is due. It is not loaded from here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

from pleach_runtime.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langgraph.runtime import Runtime

    from pleach_runtime.graphs.execution import BoundNode
    from pleach_runtime.turn import Turn


@dataclass(frozen=True)
class TurnContext:
    """The context of a run: made with `context_schema=TurnContext`, invoked with `context=TurnContext(turn)`.

    It is not kept in checkpoints: who resumes a run gives the turn anew.
    """

    turn: Turn


LangGraphNode: TypeAlias = Callable[..., Awaitable[dict[str, object]]]
"""A node of a graph with whatever state."""


def langgraph_node(bound: BoundNode) -> LangGraphNode:
    """Return a node of a compiled graph as LangGraph's `add_node` takes it.

    When LangGraph retries a node, or resumes it from a checkpoint, it asks under the same message ids as before: what
    was answered is not paid again, and a retry takes no second slot.

    Raises:
        ConfigurationError: from the node, if the run was given no `TurnContext`.
        GraphRunError: from the node, if it writes a key that it has not declared.
    """

    async def visit(state: Mapping[str, object], runtime: Runtime[TurnContext]) -> dict[str, object]:
        turn, info = _turn_of(runtime.context, bound.metadata.stage_id), runtime.execution_info
        return await bound.visit(state, turn, str(uuid4()) if info is None else info.task_id)

    return visit


def _turn_of(context: object, stage_id: str) -> Turn:
    if isinstance(context, TurnContext):
        return context.turn
    raise ConfigurationError(
        f"node {stage_id!r} has no turn to make its calls in: invoke the graph with context=TurnContext(turn); "
        f"it was given {'no context' if context is None else type(context).__name__}"
    )
