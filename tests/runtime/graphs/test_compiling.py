"""Tests of what is wrong with the nodes of a graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import pytest
from pydantic import ValidationError

from pleach_runtime.errors import GraphCompileError
from pleach_runtime.graphs.compiling import compile_graph
from pleach_runtime.graphs.metadata import Node, NodeMetadata, node
from tests.runtime.builders import CONVERSE, SYNTHESIZE, UTILITY
from tests.runtime.graphs.flows import CHAT, answer, decide, plan
from tests.runtime.scenes import scene, setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pleach_runtime.graphs.metadata import NodeFunction
    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.seams import CallClass, ProviderSeam, SynthesizeSeam, UtilitySeam

    Missing = int


def declared(function: NodeFunction, accepts_seam: CallClass | None, **fields: Any) -> Node:  # noqa: ANN401 - any field
    """Declare a function as a node, as untyped code may."""
    return Node(NodeMetadata(stage_id="odd", accepts_seam=accepts_seam, **fields), function)


async def takes_utility(_state: object, _seam: UtilitySeam, _stage: Stage) -> Mapping[str, object]:
    """Take one seam."""
    return {}


async def takes_any(_state: object, _seam: ProviderSeam[CallClass], _stage: Stage) -> Mapping[str, object]:
    """Take any seam."""
    return {}


async def takes_unknown(_state: object, _seam: Missing, _stage: Stage) -> Mapping[str, object]:
    """Take something that only a type checker knows."""
    return {}


async def takes_rest(*_rest: object) -> Mapping[str, object]:
    """Take anything."""
    return {}


async def takes_none(_state: object, _stage: Stage) -> Mapping[str, object]:
    """Take no seam."""
    return {}


class Callable:
    """A node that is an object."""

    async def __call__(self, _state: object, _seam: SynthesizeSeam, _stage: Stage) -> Mapping[str, object]:
        """Take one seam."""
        return {}


async def problems(nodes: Sequence[Node], *, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> Sequence[str]:
    """Return what is wrong."""
    async with scene(setting()) as of:
        with pytest.raises(GraphCompileError) as caught:
            compile_graph(of.runtime, nodes, inputs=inputs, outputs=outputs)
    return caught.value.problems


@pytest.mark.parametrize(
    ("odd", "problem"),
    [
        pytest.param(
            declared(takes_utility, SYNTHESIZE),
            "accepts a synthesize seam, but its function takes a utility seam",
            id="a seam of another class",
        ),
        pytest.param(
            declared(Callable(), UTILITY), "takes a synthesize seam", id="an object with a seam of another class"
        ),
        pytest.param(
            declared(takes_utility, None), r"accepts no seam, so it takes \(state, stage\)", id="a seam too many"
        ),
        pytest.param(declared(takes_none, UTILITY), r"so it takes \(state, seam, stage\)", id="no place for the seam"),
        pytest.param(
            declared(cast("NodeFunction", lambda _state, _stage: {}), None),
            "is not async",
            id="not async",
        ),
        pytest.param(declared(takes_any, CONVERSE, decides=True), "decides, so it accepts a utility", id="a decision"),
        pytest.param(
            declared(takes_none, None, decides=True), "a utility seam, not none", id="a decision without a seam"
        ),
        pytest.param(
            declared(takes_utility, UTILITY, recovery=True), "is for recovery", id="a recovery of another class"
        ),
        pytest.param(
            declared(takes_none, None, subscribes=("a",)), "reads 'a', which nobody writes", id="a key not written"
        ),
        pytest.param(declared(takes_none, None, writes=("a",)), "writes 'a', which nobody reads", id="a key not read"),
    ],
)
async def test_problem(odd: Node, problem: str) -> None:
    """What does not fit is the one problem, and names the node."""
    (found,) = await problems([odd])
    assert re.search(problem, found)
    assert "'odd'" in found


@pytest.mark.parametrize(
    "fitting",
    [
        pytest.param(declared(takes_utility, UTILITY), id="the seam that it declares"),
        pytest.param(declared(takes_utility, UTILITY, decides=True), id="a decision"),
        pytest.param(declared(Callable(), SYNTHESIZE), id="an object"),
        pytest.param(declared(Callable(), SYNTHESIZE, recovery=True), id="a recovery"),
        pytest.param(declared(takes_any, SYNTHESIZE), id="a seam of any class"),
        pytest.param(declared(takes_unknown, SYNTHESIZE), id="an annotation that is not there at run time"),
        pytest.param(declared(takes_rest, SYNTHESIZE), id="whatever it is given"),
        pytest.param(declared(takes_none, None), id="no seam"),
    ],
)
async def test_fitting(fitting: Node) -> None:
    """A function that takes what it declares is no problem, and runs."""
    async with scene(setting()) as of:
        assert await compile_graph(of.runtime, [fitting]).run(of.turn) == {}


async def test_all_at_once() -> None:
    """Every problem of every node is told, those of the graph as a whole included."""
    found = await problems([*CHAT, answer, plan], inputs=("question", "mood"), outputs=("answer", "cost"))
    assert found == (
        "2 nodes are called 'plan'",
        "2 nodes are called 'answer'",
        "the input 'mood' is read by nobody",
        "the output 'cost' is written by nobody",
        "only one node is the synthesizer, not answer, answer; is one of them recovery=True?",
    )


@pytest.mark.parametrize(
    ("nodes", "keys", "problems"),
    [
        pytest.param([], (), ["there is no node"], id="no node"),
        pytest.param(
            [takes_none], (), ["<function takes_none at .*> is no node; decorate it with `node`"], id="a function"
        ),
        pytest.param(
            CHAT,
            "question",
            [r"inputs is one text; give a sequence of keys: \('question',\)"],
            id="a text for the keys",
        ),
    ],
)
async def test_what_is_no_graph(nodes: Sequence[Node], keys: Sequence[str], problems: Sequence[str]) -> None:
    """What code without types gets wrong is a problem like any other."""
    async with scene(setting()) as of:
        with pytest.raises(GraphCompileError) as caught:
            compile_graph(of.runtime, nodes, inputs=keys, outputs=("answer",) if nodes is CHAT else ())
    assert [re.fullmatch(*pair) is not None for pair in zip(problems, caught.value.problems, strict=True)] == [True]


def test_message() -> None:
    """The message tells every problem in a line of its own."""
    assert str(GraphCompileError(("one", "two"))) == "these nodes make no graph:\n  one\n  two"


async def test_seams_are_bound() -> None:
    """Each node gets the runtime's own seam of its class, and a node without a class gets none."""
    async with scene(setting()) as of:
        graph = compile_graph(of.runtime, CHAT, inputs=("question",), outputs=("answer",))
        seams = [bound.seam for bound in graph.nodes]
        assert seams == [of.runtime.reasoning_seam, of.runtime.utility_seam, None, of.runtime.synthesize_seam]
    assert decide.metadata.decides


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"accepts_seam": "synthesise"}, id="a class that is none"),
        pytest.param({"stage_id": ""}, id="no name"),
        pytest.param({"stage_id": "a\0b"}, id="a name that no ledger keeps"),
        pytest.param({"stage_id": "a" * 201}, id="a name that leaves no room for its messages"),
        pytest.param({"writes": ("",)}, id="an empty key"),
        pytest.param({"reads": ("a",)}, id="a field that is none"),
    ],
)
def test_metadata_is_checked(fields: Mapping[str, object]) -> None:
    """A declaration that cannot be right is refused where it is written."""
    with pytest.raises(ValidationError):
        NodeMetadata.model_validate({"stage_id": "answer", "accepts_seam": None, **fields})


def test_decorator() -> None:
    """The decorator keeps the function, and says all that it was told."""
    made = node(stage_id="mend", accepts_seam="utility", subscribes=("a",), writes=("b",), decides=True)(takes_utility)
    assert made.function is takes_utility
    assert made.metadata == NodeMetadata(
        stage_id="mend", accepts_seam="utility", subscribes=("a",), writes=("b",), decides=True
    )
