"""Tests of nodes in LangGraph itself."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from pleach_runtime.errors import ConfigurationError, ProviderError
from pleach_runtime.graphs.compiling import compile_graph
from pleach_runtime.graphs.langgraph import TurnContext, langgraph_node
from tests.runtime.graphs.flows import CHAT, WORK, Chat, Work
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    from tests.runtime.scenes import Scene


def chat(
    of: Scene, *, retry: RetryPolicy | None = None, saver: BaseCheckpointSaver[str] | None = None
) -> CompiledStateGraph[Chat, TurnContext, Chat, Chat]:
    """Build the chat with LangGraph's edges."""
    builder = StateGraph(Chat, context_schema=TurnContext)
    for bound in compile_graph(of.runtime, CHAT, inputs=("question",), outputs=("answer",)).nodes:
        builder.add_node(bound.metadata.stage_id, langgraph_node(bound), retry_policy=retry)
    builder.add_edge(START, "plan").add_edge("plan", "decide").add_edge("tools", "decide").add_edge("answer", END)
    builder.add_conditional_edges("decide", lambda state: "answer" if state.get("ready") else "tools")
    return builder.compile(checkpointer=saver)


def work(of: Scene) -> CompiledStateGraph[Work, TurnContext, Work, Work]:
    """Build the coding agent with LangGraph's edges."""
    builder = StateGraph(Work, context_schema=TurnContext)
    for bound in compile_graph(of.runtime, WORK, inputs=("task", "phase"), outputs=("done",)).nodes:
        builder.add_node(bound.metadata.stage_id, langgraph_node(bound))
    builder.add_edge(START, "agent").add_edge("agent", "bench").add_edge("retry", "bench")
    builder.add_conditional_edges(
        "bench",
        lambda state: END if state.get("done") else "retry" if state["draft"] == "verify: it fails" else "agent",
    )
    return builder.compile()


async def test_chat() -> None:
    """The chat runs in LangGraph as it does here: the same rows, one of them terminal."""
    async with scene(setting(ScriptedProvider("Look it up.", "search", "done", "Because."))) as of:
        result = await chat(of).ainvoke({"question": "Why?"}, context=TurnContext(of.turn))
        rows = await of.turn.calls()
    assert result["answer"] == "Because."
    assert [row.call.stage_id for row in rows] == ["plan", "decide", "decide", "answer"]
    assert [row.is_terminal for row in rows] == [False, False, False, True]


async def test_reflection() -> None:
    """plan, diff, verify, retry, verify run in LangGraph at cap 5, each visit as a message of its own."""
    provider = ScriptedProvider("steps", "patch", "it fails", "better patch", "good")
    async with scene(setting(provider, cap=5)) as of:
        result = await work(of).ainvoke({"task": "Fix it.", "phase": "plan"}, context=TurnContext(of.turn))
        rows = await of.turn.calls()
    assert result["done"] == "good"
    assert len({row.message_id for row in rows}) == 5


async def test_retried_node() -> None:
    """A node that LangGraph retries asks under the same message id: one slot, two attempts."""
    policy = RetryPolicy(max_attempts=2, initial_interval=0.001, retry_on=Exception)
    provider = ScriptedProvider("Look it up.", "done", ConnectionError("away"), "Because.")
    async with scene(setting(provider)) as of:
        result = await chat(of, retry=policy).ainvoke({"question": "Why?"}, context=TurnContext(of.turn))
        rows = (await of.turn.calls())[2:]
    assert result["answer"] == "Because."
    assert [(row.outcome, row.attempt) for row in rows] == [("error", 1), ("ok", 2)]
    assert rows[0].message_id == rows[1].message_id


async def test_resumed_from_a_checkpoint() -> None:
    """A run that broke off after its answer resumes with the recorded answer, and pays nothing again."""
    provider = ScriptedProvider("Look it up.", "done", ConnectionError("away"), "Because.")
    async with scene(setting(provider)) as of:
        graph, context = chat(of, saver=InMemorySaver()), TurnContext(of.turn)
        with pytest.raises(ProviderError, match="ConnectionError"):
            await graph.ainvoke({"question": "Why?"}, {"configurable": {"thread_id": "1"}}, context=context)
        result = await graph.ainvoke(None, {"configurable": {"thread_id": "1"}}, context=context)
        rows = await of.turn.calls()
    assert result["answer"] == "Because."
    assert [row.attempt for row in rows] == [1, 1, 1, 2]


def test_runtime_does_not_load_it() -> None:
    """Only the module of the adapter loads LangGraph."""
    program = "import sys; from pleach_runtime import *; print('langgraph' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize(
    ("context", "said"),
    [
        pytest.param(None, "it was given no context", id="none"),
        pytest.param({"question": "t1"}, "it was given dict", id="something else"),
    ],
)
async def test_run_without_a_turn(context: Chat | None, said: str) -> None:
    """A graph that is invoked without a turn says what to give it, and calls nobody."""
    provider = ScriptedProvider("Look it up.")
    async with scene(setting(provider)) as of:
        (plan, *_) = compile_graph(of.runtime, CHAT, inputs=("question",), outputs=("answer",)).nodes
        graph = StateGraph(Chat, Chat).add_node("plan", langgraph_node(plan)).add_edge(START, "plan").compile()
        with pytest.raises(ConfigurationError, match=r"node 'plan' .*context=TurnContext\(turn\)") as caught:
            await graph.ainvoke({"question": "Why?"}, context=context)
    assert said in str(caught.value)
    assert provider.calls == []
