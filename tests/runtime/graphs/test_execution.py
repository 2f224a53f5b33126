"""Tests of graphs that run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_runtime.errors import GraphRunError, SynthesizeCapExceeded
from pleach_runtime.graphs.compiling import compile_graph
from pleach_runtime.graphs.metadata import Node, NodeMetadata, node
from pleach_runtime.request import SeamRequest
from tests.runtime.builders import REASONING, SYNTHESIZE, UTILITY
from tests.runtime.graphs.flows import CHAT, WORK
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_runtime.graphs.execution import CompiledGraph
    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.seams import SynthesizeSeam
    from tests.runtime.scenes import Scene


def chat(of: Scene) -> CompiledGraph:
    """Compile the chat."""
    return compile_graph(of.runtime, CHAT, inputs=("question",), outputs=("answer",))


def work(of: Scene) -> CompiledGraph:
    """Compile the coding agent."""
    return compile_graph(of.runtime, WORK, inputs=("task", "phase"), outputs=("done",))


async def stages(of: Scene) -> list[tuple[str, str]]:
    """Return stage and message of each row of the turn."""
    return [(row.call.stage_id, row.message_id) for row in await of.turn.calls()]


async def test_canonical_chat() -> None:
    """A chat plans, loops over its tools and answers: at cap 1, with one terminal row and decisions without a slot."""
    provider = ScriptedProvider("Look it up.", "search", "read", "done", "Because.")
    async with scene(setting(provider)) as of:
        assert await chat(of).run(of.turn, question="Why?") == {"answer": "Because."}
        rows = await of.turn.calls()
    assert [row.call.call_class for row in rows] == [REASONING, UTILITY, UTILITY, UTILITY, SYNTHESIZE]
    assert [row.message_id for row in rows] == ["plan:1", "decide:1", "decide:2", "decide:3", "answer:1"]
    assert [row.is_terminal for row in rows] == [False, False, False, False, True]
    assert "read on visit 2" in str(provider.calls[3].request.messages[0].content)


async def test_reflection() -> None:
    """plan, diff, verify, retry, verify are five answers of one turn, and fit the cap of a coding agent."""
    provider = ScriptedProvider("steps", "patch", "it fails", "better patch", "good")
    async with scene(setting(provider, cap=5)) as of:
        assert await work(of).run(of.turn, task="Fix it.", phase="plan") == {"done": "good"}
        assert await stages(of) == [
            ("agent", "agent:1"),
            ("agent", "agent:2"),
            ("agent", "agent:3"),
            ("retry", "retry:1"),
            ("agent", "agent:4"),
        ]


async def test_reflection_beyond_the_cap() -> None:
    """A flow that reflects once more than the cap allows is stopped before the spend."""
    provider = ScriptedProvider("steps", "patch", "it fails", "better patch", "it still fails")
    async with scene(setting(provider, cap=5)) as of:
        with pytest.raises(SynthesizeCapExceeded):
            await work(of).run(of.turn, task="Fix it.", phase="plan")
    assert len(provider.calls) == 5


async def test_run_again() -> None:
    """A run that broke off goes on in the same turn: what was answered is not paid again."""
    provider = ScriptedProvider("steps", "patch", RuntimeError("away"), "good")
    async with scene(setting(provider, cap=5, max_recovery_attempts=2)) as of:
        with pytest.raises(Exception, match="RuntimeError"):
            await work(of).run(of.turn, task="Fix it.", phase="plan")
        assert await work(of).run(of.turn, task="Fix it.", phase="plan") == {"done": "good"}
    assert len(provider.calls) == 4


async def test_inputs() -> None:
    """A run that begins with other keys than those declared is refused."""
    async with scene(setting()) as of:
        with pytest.raises(GraphRunError, match=r"the inputs are \['question'\], not \['query'\]"):
            await chat(of).run(of.turn, query="Why?")


async def stray(_state: Mapping[str, object], _stage: Stage) -> Mapping[str, object]:
    """Write what was not declared."""
    return {"b": 1}


async def test_undeclared_write() -> None:
    """A node that writes a key of which it said nothing is stopped."""
    lone = Node(NodeMetadata(stage_id="stray", accepts_seam=None, writes=("a",)), stray)
    async with scene(setting()) as of:
        graph = compile_graph(of.runtime, [lone], outputs=("a",))
        with pytest.raises(GraphRunError, match=r"node 'stray' wrote \['b'\]"):
            await graph.run(of.turn)


async def test_endless() -> None:
    """Two nodes that wake each other for ever are stopped after so many visits."""

    @node(stage_id="ping", accepts_seam=None, subscribes=("pong",), writes=("ping",))
    async def ping(_state: Mapping[str, object], stage: Stage) -> Mapping[str, object]:
        return {"ping": stage.visit}

    @node(stage_id="pong", accepts_seam=None, subscribes=("ping",), writes=("pong",))
    async def pong(_state: Mapping[str, object], stage: Stage) -> Mapping[str, object]:
        return {"pong": stage.visit}

    async with scene(setting()) as of:
        graph = compile_graph(of.runtime, [ping, pong], inputs=("pong",), max_steps=7)
        with pytest.raises(GraphRunError, match="still due after 7 visits"):
            await graph.run(of.turn, pong="0")


async def test_without_subscriptions() -> None:
    """A node that subscribes to nothing is visited once; an output that nobody wrote is left out."""
    visits: list[str] = []

    @node(stage_id="start", accepts_seam=None, writes=("a", "b"))
    async def start(_state: Mapping[str, object], stage: Stage) -> Mapping[str, object]:
        visits.append(stage.visit)
        return {"a": 1}

    async with scene(setting()) as of:
        assert await compile_graph(of.runtime, [start], outputs=("a", "b")).run(of.turn) == {"a": 1}
    assert visits == ["1"]


async def test_several_calls_of_a_visit() -> None:
    """Calls of one visit have message ids of their own."""

    @node(stage_id="twice", accepts_seam="synthesize", writes=("text",))
    async def twice(_state: Mapping[str, object], seam: SynthesizeSeam, stage: Stage) -> Mapping[str, object]:
        results = [await stage.invoke(seam, SeamRequest.from_text(text), landing=False) for text in "ab"]
        return {"text": "".join(result.text for result in results)}

    async with scene(setting(ScriptedProvider("A", "B"), cap=2)) as of:
        assert await compile_graph(of.runtime, [twice], outputs=("text",)).run(of.turn) == {"text": "AB"}
        assert await stages(of) == [("twice", "twice:1"), ("twice", "twice:1.2")]


async def test_a_node_reaches_no_other_seam() -> None:
    """A node that declares no seam, or another, cannot call one that it comes by."""
    async with scene(setting()) as of:

        @node(stage_id="a", accepts_seam=None, subscribes=("question",), writes=("x",))
        async def reaching(_state: Mapping[str, object], stage: Stage) -> Mapping[str, object]:
            await stage.invoke(of.runtime.synthesize_seam, SeamRequest.from_text("hi"))
            return {"x": True}

        graph = compile_graph(of.runtime, [reaching], inputs=("question",), outputs=("x",))
        with pytest.raises(GraphRunError, match="node 'a' called another seam: it declares no seam"):
            await graph.run(of.turn, question="Why?")
        assert await of.turn.calls() == ()


@pytest.mark.parametrize("given", [pytest.param(None, id="nothing"), pytest.param(["x"], id="a list")])
async def test_what_a_node_gives_back_is_a_mapping(given: object) -> None:
    """A node that gives back anything else is named."""

    @node(stage_id="a", accepts_seam=None, subscribes=("question",), writes=("x",))
    async def strange(_state: Mapping[str, object], _stage: Stage) -> Mapping[str, object]:
        return given  # type: ignore[return-value]  # what untyped code does

    async with scene(setting()) as of:
        graph = compile_graph(of.runtime, [strange], inputs=("question",), outputs=("x",))
        with pytest.raises(GraphRunError, match=f"node 'a' gave back {type(given).__name__}"):
            await graph.run(of.turn, question="Why?")
