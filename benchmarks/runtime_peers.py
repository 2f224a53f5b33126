"""What a user would otherwise call: a model request, a graph node, an agent run, each over a free stub."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.models.interface import Model
from langgraph.graph import END, START, StateGraph
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, TextPart
from pydantic_ai.messages import ModelResponse as PydanticResponse
from pydantic_ai.models.function import FunctionModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

PIECES = 400
TEXT = "Because of the tides."
QUESTION = "Why does the sea move?"


class State(TypedDict):
    """The state of the graph."""

    answer: str


class StubModel(Model):
    """Answers at once, in the shape that the agents SDK wants."""

    async def get_response(self, *_args: object, **_kwargs: object) -> ModelResponse:
        """Answer."""
        content = ResponseOutputText(text=TEXT, type="output_text", annotations=[])
        message = ResponseOutputMessage(id="m", content=[content], role="assistant", status="completed", type="message")
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    async def stream_response(self, *_args: object, **_kwargs: object) -> AsyncIterator[object]:
        """Answer in pieces."""
        place = {"content_index": 0, "item_id": "m", "output_index": 0, "logprobs": []}
        for number in range(PIECES):
            yield ResponseTextDeltaEvent(
                **place, delta="word ", sequence_number=number, type="response.output_text.delta"
            )
        content = ResponseOutputText(text="word " * PIECES, type="output_text", annotations=[])
        message = ResponseOutputMessage(id="m", content=[content], role="assistant", status="completed", type="message")
        response = Response(
            id="r",
            created_at=0,
            model="stub",
            object="response",
            output=[message],
            parallel_tool_calls=False,
            tool_choice="auto",
            tools=[],
        )
        yield ResponseCompletedEvent(response=response, sequence_number=PIECES, type="response.completed")


def pydantic_ai_request() -> Callable[[], Awaitable[object]]:
    """Return a call of `pydantic_ai.direct.model_request`, the thinnest peer: it records nothing."""
    model = FunctionModel(lambda _messages, _info: PydanticResponse(parts=[TextPart(TEXT)]))
    return lambda: model_request(model, [ModelRequest.user_text_prompt(QUESTION)])


def langgraph_node() -> Callable[[], Awaitable[object]]:
    """Return a run of a graph of one node, without a checkpointer."""

    async def answer(_state: State) -> State:
        return {"answer": TEXT}

    graph = StateGraph(State)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    compiled = graph.compile()
    return lambda: compiled.ainvoke({"answer": ""})


def agents_run() -> Callable[[], Awaitable[object]]:
    """Return a run of an agent of the agents SDK, tracing off."""
    set_tracing_disabled(disabled=True)
    agent = Agent(name="stub", model=StubModel())
    return lambda: Runner.run(agent, QUESTION)


def agents_stream() -> Callable[[], Awaitable[object]]:
    """Return a streamed run of an agent of the agents SDK, tracing off, read to its end."""
    set_tracing_disabled(disabled=True)
    agent = Agent(name="stub", model=StubModel())

    async def read() -> None:
        async for _ in Runner.run_streamed(agent, QUESTION).stream_events():
            pass

    return read
