"""What a node declares of itself. Whether the declarations of a graph fit together is checked in `compiling.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar, overload

from pydantic import Field

from pleach_runtime.audit import AuditModel
from pleach_runtime.seams.classes import C, CallClass

if TYPE_CHECKING:
    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.seams import ProviderSeam

StageId = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
Key = Annotated[str, Field(min_length=1)]
NodeFunction: TypeAlias = Callable[..., Awaitable[Mapping[str, object]]]
"""`async def node(state, seam, stage)`, or `(state, stage)` for a node that calls no model. It gets the keys that it
subscribes to, and returns those that it writes; it may leave out any of them."""

StateT = TypeVar("StateT")
"""What a node takes its state for: a `TypedDict`, or any mapping."""


class NodeMetadata(AuditModel):
    """What a node is called, which class it calls, and what it reads and writes.

    Source: the documentation of Pleach, "Nodes": the node-metadata contract.
    """

    stage_id: StageId
    """Name of the node, as audit rows say it."""
    accepts_seam: CallClass | None
    """The class whose seam the node gets; `None` for a node that calls no model."""
    subscribes: tuple[Key, ...] = ()
    """Keys that the node reads: it is visited when all of them are there and one is new."""
    writes: tuple[Key, ...] = ()
    """Keys that the node may write."""
    recovery: bool = False
    """Whether the node only mends what the synthesizer gave: it may share the seam of the answer. Source: D-72."""
    decides: bool = False
    """Whether the node decides if a tool loop goes on. Source: D-72."""


@dataclass(frozen=True)
class Node:
    """A function with its declaration."""

    metadata: NodeMetadata
    function: NodeFunction


@overload
def node(
    *,
    stage_id: str,
    accepts_seam: None,
    subscribes: tuple[str, ...] = ...,
    writes: tuple[str, ...] = ...,
) -> Callable[[Callable[[StateT, Stage], Awaitable[Mapping[str, object]]]], Node]: ...  # pyright: ignore[reportInvalidTypeVarUse] - any state
@overload
def node(
    *,
    stage_id: str,
    accepts_seam: C,
    subscribes: tuple[str, ...] = ...,
    writes: tuple[str, ...] = ...,
    recovery: bool = ...,
    decides: bool = ...,
) -> Callable[[Callable[[StateT, ProviderSeam[C], Stage], Awaitable[Mapping[str, object]]]], Node]: ...  # pyright: ignore[reportInvalidTypeVarUse] - any state
def node(  # noqa: PLR0913 - the fields of a declaration
    *,
    stage_id: str,
    accepts_seam: CallClass | None,
    subscribes: tuple[str, ...] = (),
    writes: tuple[str, ...] = (),
    recovery: bool = False,
    decides: bool = False,
) -> Callable[[NodeFunction], Node]:
    """Declare a function as a node; see `NodeMetadata`. Type checkers compare its seam with what it declares.

    Raises:
        pydantic.ValidationError: if there is no such class, or a name is empty or too long.
    """
    metadata = NodeMetadata(
        stage_id=stage_id,
        accepts_seam=accepts_seam,
        subscribes=subscribes,
        writes=writes,
        recovery=recovery,
        decides=decides,
    )
    return lambda function: Node(metadata, function)
