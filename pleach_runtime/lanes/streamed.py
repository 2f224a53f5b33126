"""One attempt whose text is shown on the way. What is recorded of it is the same as of any attempt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pleach_runtime.answers import Answer
from pleach_runtime.audit import UNKNOWN_USAGE, Draft
from pleach_runtime.provider import ProviderResponse
from pleach_runtime.streams.sink import Stopped
from pleach_runtime.streams.verdicts import StreamVerdict

if TYPE_CHECKING:
    from pleach_runtime.answers import Answers
    from pleach_runtime.audit import CallIntent, TokenUsage
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.streams.sink import StreamSink


async def streamed_answer(answers: Answers, intent: CallIntent, request: SeamRequest, sink: StreamSink) -> Answer:
    """Return the answer as it was shown, or what is left of it when an observer has stopped it."""
    sink.begin()
    answer: Answer | None = None
    try:
        answer = await answers.answer(intent, request, sink.tell)
        text = await sink.end(answer.response.draft)
    except Stopped as stopped:
        answer = answer or Answer(ProviderResponse(Draft(), usage_so_far(sink)))
        response = replace(answer.response, draft=Draft(text=stopped.text))
        return answer._replace(response=response, outcome="aborted" if sink.verdict is StreamVerdict.ABORT else "thin")
    except BaseException:
        sink.forget()
        raise
    draft = answer.response.draft.model_copy(update={"text": text})
    return answer._replace(response=replace(answer.response, draft=draft))


def usage_so_far(sink: StreamSink | None) -> TokenUsage:
    """Return the tokens of the attempt that is under way, as far as they are known."""
    return UNKNOWN_USAGE if sink is None or sink.usage is None else sink.usage
