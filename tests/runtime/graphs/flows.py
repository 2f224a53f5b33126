"""The two flows of the documentation of Pleach, as graphs: a chat with tools, and a coding agent that reflects."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from pleach_runtime.graphs.decision import decision_node
from pleach_runtime.graphs.metadata import Node, node
from pleach_runtime.request import SeamRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_runtime.audit import Draft
    from pleach_runtime.graphs.stage import Stage
    from pleach_runtime.seams import ReasoningSeam, SynthesizeSeam


class Chat(TypedDict, total=False):
    """The state of a chat."""

    question: str
    plan: str
    tool: str
    findings: str
    ready: bool
    answer: str


class Work(TypedDict, total=False):
    """The state of a coding agent."""

    task: str
    phase: str
    draft: str
    complaint: str
    done: str


@node(stage_id="plan", accepts_seam="reasoning", subscribes=("question",), writes=("plan", "findings"))
async def plan(state: Chat, seam: ReasoningSeam, stage: Stage) -> Chat:
    """Plan."""
    result = await stage.invoke(seam, SeamRequest.from_text(f"How would you answer: {state['question']}"))
    return {"plan": result.text, "findings": ""}


def _whether_to_go_on(state: Chat) -> SeamRequest:
    return SeamRequest.from_text(f"{state['plan']} Known: {state['findings']}. Which tool, or done?")


def _as_keys(draft: Draft) -> Mapping[str, object]:
    return {"ready": True} if draft.text == "done" else {"tool": draft.text}


decide = decision_node(
    stage_id="decide",
    subscribes=("plan", "findings"),
    writes=("tool", "ready"),
    ask=_whether_to_go_on,
    read=_as_keys,
)


@node(stage_id="tools", accepts_seam=None, subscribes=("tool",), writes=("findings",))
async def tools(state: Chat, stage: Stage) -> Chat:
    """Run the tool."""
    return {"findings": f"{state['tool']} on visit {stage.visit}"}


@node(stage_id="answer", accepts_seam="synthesize", subscribes=("question", "ready"), writes=("answer",))
async def answer(_state: Chat, seam: SynthesizeSeam, stage: Stage) -> Chat:
    """Answer."""
    async with stage.stream(seam, SeamRequest.from_text("Answer.")) as stream:
        return {"answer": "".join([piece async for piece in stream])}


CHAT = (plan, decide, tools, answer)

_PHASES = {"plan": "diff", "diff": "verify", "retry": "verify"}


@node(stage_id="agent", accepts_seam="synthesize", subscribes=("task", "phase"), writes=("draft",))
async def agent(state: Work, seam: SynthesizeSeam, stage: Stage) -> Work:
    """Do one phase of the work."""
    result = await stage.invoke(seam, SeamRequest.from_text(f"{state['phase']}: {state['task']}"), landing=False)
    return {"draft": f"{state['phase']}: {result.text}"}


@node(stage_id="bench", accepts_seam=None, subscribes=("draft",), writes=("phase", "complaint", "done"))
async def bench(state: Work, _stage: Stage) -> Work:
    """Say what comes next."""
    phase, _, text = state["draft"].partition(": ")
    if phase != "verify":
        return {"phase": _PHASES[phase]}
    return {"done": text} if text == "good" else {"complaint": text}


@node(stage_id="retry", accepts_seam="synthesize", subscribes=("complaint",), writes=("draft",), recovery=True)
async def retry(state: Work, seam: SynthesizeSeam, stage: Stage) -> Work:
    """Mend the work."""
    result = await stage.invoke(seam, SeamRequest.from_text(f"Mend: {state['complaint']}"), landing=False)
    return {"draft": f"retry: {result.text}"}


WORK: tuple[Node, ...] = (agent, bench, retry)
