"""Whether the function of a node takes what its declaration says."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import TYPE_CHECKING, get_args, get_origin, get_type_hints

from pleach_runtime import seams
from pleach_runtime.seams import ProviderSeam

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_runtime.graphs.metadata import Node, NodeFunction

_SEAM = 1
"""Position of the seam among the arguments of a node that calls a model."""


def signature_problems(node: Node) -> Iterator[str]:
    """Yield what is wrong with the function of a node. An annotation that cannot be read is not judged."""
    function, accepts = node.function, node.metadata.accepts_seam
    stage = node.metadata.stage_id
    if not (inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)):
        yield f"node {stage!r} is not async"
    wanted = ("state", "stage") if accepts is None else ("state", "seam", "stage")
    if not _can_take(function, len(wanted)):
        yield (
            f"node {stage!r} accepts {'no seam' if accepts is None else f'a {accepts} seam'}, "
            f"so it takes ({', '.join(wanted)}), not {inspect.signature(function)}"
        )
    elif accepts is not None:
        declared = _classes_of(_annotation(function, _SEAM))
        if declared and accepts not in declared:
            yield f"node {stage!r} accepts a {accepts} seam, but its function takes a {' or '.join(declared)} seam"


def _can_take(function: NodeFunction, count: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    return True


def _annotation(function: NodeFunction, position: int) -> object:
    parameters = list(inspect.signature(function).parameters.values())
    if position >= len(parameters):
        return None
    carrier = SimpleNamespace(__annotations__={"seam": parameters[position].annotation})
    known = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        # Modules often import the names of seams for type checkers only.
        return get_type_hints(carrier, {**vars(seams), **known}).get("seam")
    except Exception:  # noqa: BLE001 - an annotation is any expression
        return None


def _classes_of(annotation: object) -> tuple[str, ...]:
    if get_origin(annotation) is not ProviderSeam:
        return ()
    (of,) = get_args(annotation)
    return get_args(of)
