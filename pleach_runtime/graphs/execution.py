"""Running a graph within a turn: which node is due, what it may read and write. No calls are made here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.errors import GraphRunError
from pleach_runtime.graphs.stage import Stage

if TYPE_CHECKING:
    from pleach_runtime.graphs.metadata import Node, NodeMetadata
    from pleach_runtime.seams import CallClass, ProviderSeam
    from pleach_runtime.turn import Turn


@dataclass(frozen=True)
class BoundNode:
    """A node with its seam."""

    node: Node
    seam: ProviderSeam[CallClass] | None
    """`None` for a node that calls no model."""

    @property
    def metadata(self) -> NodeMetadata:
        """What the node declares."""
        return self.node.metadata

    async def visit(self, state: Mapping[str, object], turn: Turn, visit: str) -> dict[str, object]:
        """Run the function on the keys that it subscribes to, and return what it writes.

        Args:
            state: at least those keys, as far as they are there.
            turn: the turn that pays for the calls.
            visit: the same for the same visit made again, another one for each other visit of the turn to this node.

        Raises:
            GraphRunError: if it writes a key that it has not declared, or gives back no mapping.
        """
        declared = self.metadata
        seen = {key: state[key] for key in declared.subscribes if key in state}
        stage = Stage(turn, declared.stage_id, visit, self.seam)
        seams = () if self.seam is None else (self.seam,)
        given: object = await self.node.function(seen, *seams, stage)
        if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped code gives what it likes
            problem = f"node {declared.stage_id!r} gave back {type(given).__name__}, not a mapping of what it writes"
            raise GraphRunError(turn.turn_id, problem)
        written: dict[str, object] = dict(given)
        foreign = sorted(written.keys() - {*declared.writes})
        if foreign:
            raise GraphRunError(turn.turn_id, f"node {declared.stage_id!r} wrote {foreign}, which it does not declare")
        return written


@dataclass(frozen=True)
class CompiledGraph:
    """Nodes with their seams. It may run in any number of turns of its runtime at once."""

    nodes: tuple[BoundNode, ...]
    inputs: frozenset[str]
    outputs: tuple[str, ...]
    max_steps: int

    async def run(self, turn: Turn, **inputs: object) -> dict[str, object]:
        """Visit the first node that is due, again and again, until none is; return the outputs that were written.

        A node is due when all keys that it subscribes to are there, and one of them was written by another node, or
        given, since its last visit. A node that subscribes to nothing is visited once, at the beginning. Run again in
        the same turn, a message of the synthesize class that asks the same gets the recorded answer, and one that asks
        something else is a conflict; calls of the other classes are made again.

        Raises:
            GraphRunError: if the inputs are not those that were declared, a node writes what it has not declared, or
                nodes are still due after `max_steps` visits.
            MessageIdConflict: if the run asks a recorded message something else.
            PleachError: whatever else a call raises.
        """
        if inputs.keys() != self.inputs:
            raise GraphRunError(turn.turn_id, f"the inputs are {sorted(self.inputs)}, not {sorted(inputs)}")
        board = _Board(inputs)
        for _ in range(self.max_steps):
            due = next((each for each in self.nodes if board.is_due(each.metadata)), None)
            if due is None:
                return {key: board.values[key] for key in self.outputs if key in board.values}
            visit = board.begin(due.metadata.stage_id)
            board.write(due.metadata.stage_id, await due.visit(board.values, turn, visit))
        raise GraphRunError(turn.turn_id, f"nodes are still due after {self.max_steps} visits")


class _Board:
    """The keys of one run, and when each was written and each node visited."""

    def __init__(self, inputs: Mapping[str, object]) -> None:
        self.values = dict(inputs)
        self._step = 0
        self._written_at = dict.fromkeys(inputs, 0)
        self._visited_at: dict[str, int] = {}
        self._visits: Counter[str] = Counter()

    def is_due(self, node: NodeMetadata) -> bool:
        if not self.values.keys() >= {*node.subscribes}:
            return False
        visited_at = self._visited_at.get(node.stage_id, -1)
        newest = max((self._written_at[key] for key in node.subscribes), default=0)
        return newest > visited_at

    def begin(self, stage_id: str) -> str:
        self._step += 1
        self._visited_at[stage_id] = self._step
        self._visits[stage_id] += 1
        return str(self._visits[stage_id])

    def write(self, stage_id: str, written: Mapping[str, object]) -> None:
        self.values.update(written)
        self._written_at.update(dict.fromkeys(written, self._visited_at[stage_id]))
