"""From nodes to a graph: everything that does not fit is found at once, then each node gets its seam."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pleach_runtime.errors import GraphCompileError
from pleach_runtime.graphs.execution import BoundNode, CompiledGraph
from pleach_runtime.graphs.metadata import Node
from pleach_runtime.graphs.signature import signature_problems
from pleach_runtime.seams.classes import DECISION_CLASS, is_synthesize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_runtime.graphs.metadata import NodeMetadata
    from pleach_runtime.runtime import SessionRuntime
    from pleach_runtime.seams import CallClass, ProviderSeam

MAX_STEPS = 100
"""Visits to nodes in one run, unless told otherwise: a loop that never ends must not spend for ever."""


def compile_graph(
    runtime: SessionRuntime,
    nodes: Sequence[Node],
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    max_steps: int = MAX_STEPS,
) -> CompiledGraph:
    """Bind each node to the runtime's seam of its class.

    Args:
        runtime: whose seams the nodes get.
        nodes: in the order in which those that are due at the same time are visited.
        inputs: keys that a run begins with.
        outputs: keys that a run returns.
        max_steps: how many visits to nodes a run may take.

    Raises:
        GraphCompileError: with all problems: no nodes, or something that is none, a name that stands twice, a function
            that does not take what it declares, a key that nobody writes or nobody reads, a second synthesizer that is
            not for recovery, a decision or a recovery of a wrong class.
    """
    problems = (*_shape_problems(nodes, inputs, outputs), *_problems(_nodes_of(nodes), _keys(inputs), _keys(outputs)))
    if problems:
        raise GraphCompileError(problems)
    seams = _seams_of(runtime)
    bound = [BoundNode(node, None if (of := node.metadata.accepts_seam) is None else seams[of]) for node in nodes]
    return CompiledGraph(tuple(bound), frozenset(inputs), tuple(outputs), max_steps)


def _shape_problems(nodes: Sequence[object], inputs: Sequence[str], outputs: Sequence[str]) -> Iterator[str]:
    """What code without types gets wrong."""
    if not nodes:
        yield "there is no node"
    yield from (f"{each!r} is no node; decorate it with `node`" for each in nodes if not isinstance(each, Node))
    for name, keys in (("inputs", inputs), ("outputs", outputs)):
        if isinstance(keys, str):
            yield f"{name} is one text; give a sequence of keys: ({keys!r},)"


def _nodes_of(nodes: Sequence[object]) -> list[Node]:
    return [each for each in nodes if isinstance(each, Node)]


def _keys(given: Sequence[str]) -> Sequence[str]:
    return (given,) if isinstance(given, str) else given


def _seams_of(runtime: SessionRuntime) -> dict[CallClass, ProviderSeam[CallClass]]:
    seams: tuple[ProviderSeam[CallClass], ...] = (
        runtime.utility_seam,
        runtime.reasoning_seam,
        runtime.converse_seam,
        runtime.synthesize_seam,
    )
    return {seam.call_class: seam for seam in seams}


def _problems(nodes: Sequence[Node], inputs: Sequence[str], outputs: Sequence[str]) -> Iterator[str]:
    declared = [node.metadata for node in nodes]
    for stage_id, count in Counter(each.stage_id for each in declared).items():
        if count > 1:
            yield f"{count} nodes are called {stage_id!r}"
    for node in nodes:
        yield from signature_problems(node)
        yield from _class_problems(node.metadata)
    yield from _key_problems(declared, inputs, outputs)
    synthesizers = [each.stage_id for each in declared if _is_synthesizer(each) and not each.recovery]
    if len(synthesizers) > 1:
        yield f"only one node is the synthesizer, not {', '.join(synthesizers)}; is one of them recovery=True?"


def _class_problems(of: NodeMetadata) -> Iterator[str]:
    if of.decides and of.accepts_seam != DECISION_CLASS:
        yield f"node {of.stage_id!r} decides, so it accepts a {DECISION_CLASS} seam, not {_class_name(of)}"
    if of.recovery and not _is_synthesizer(of):
        yield f"node {of.stage_id!r} is for recovery of the answer, so it accepts the seam of the answer"


def _class_name(of: NodeMetadata) -> str:
    return "none" if of.accepts_seam is None else f"a {of.accepts_seam} seam"


def _key_problems(declared: Sequence[NodeMetadata], inputs: Sequence[str], outputs: Sequence[str]) -> Iterator[str]:
    written = {*inputs, *(key for each in declared for key in each.writes)}
    read = {*outputs, *(key for each in declared for key in each.subscribes)}
    for of in declared:
        yield from (
            f"node {of.stage_id!r} reads {key!r}, which nobody writes" for key in of.subscribes if key not in written
        )
        yield from (f"node {of.stage_id!r} writes {key!r}, which nobody reads" for key in of.writes if key not in read)
    yield from (f"the input {key!r} is read by nobody" for key in inputs if key not in read)
    yield from (f"the output {key!r} is written by nobody" for key in outputs if key not in written)


def _is_synthesizer(of: NodeMetadata) -> bool:
    return of.accepts_seam is not None and is_synthesize(of.accepts_seam)
