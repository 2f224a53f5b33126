"""The node that decides whether a tool loop goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pleach_runtime.audit import Draft
from pleach_runtime.graphs.metadata import Node, NodeMetadata
from pleach_runtime.seams.classes import DECISION_CLASS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams import UtilitySeam

StateT = TypeVar("StateT")


def decision_node(
    *,
    stage_id: str,
    subscribes: tuple[str, ...],
    writes: tuple[str, ...],
    ask: Callable[[StateT], SeamRequest],
    read: Callable[[Draft], Mapping[str, object]],
) -> Node:
    """Return the node of a tool loop's decision: call another tool, or finish. Its answer is never shown.

    Source: the documentation of Pleach, "Why per-runtime only" (D-72).

    Args:
        stage_id: name of the node.
        subscribes: keys that the decision depends on.
        writes: keys that start what was decided, such as a tool's arguments, or that no tool is needed.
        ask: the request for a state.
        read: what an answer means, as keys to write.
    """

    async def decide(state: StateT, seam: UtilitySeam, stage: Stage) -> Mapping[str, object]:
        result = await stage.invoke(seam, ask(state))
        return read(result.row.draft or Draft())

    metadata = NodeMetadata(
        stage_id=stage_id, accepts_seam=DECISION_CLASS, subscribes=subscribes, writes=writes, decides=True
    )
    return Node(metadata, decide)
