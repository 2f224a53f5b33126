"""Tests of digests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleach_runtime.audit import ToolCall
from pleach_runtime.errors import InvalidRequest
from pleach_runtime.fingerprint import fingerprint, request_digest
from pleach_runtime.request import Message, SeamRequest
from pleach_runtime.routing import ResolvedModel
from pleach_runtime.seams import CALL_CLASSES
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask

if TYPE_CHECKING:
    from pydantic import JsonValue

USER = Message(role="user", content="Why?")


def request(*messages: Message, **params: object) -> SeamRequest:
    """Return a request with parameters."""
    return SeamRequest.model_validate({"messages": messages or (USER,), "params": params})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(request(n=1), request(n="1"), id="1 and its text"),
        pytest.param(request(n=1), request(n=True), id="1 and True"),
        pytest.param(request(n=1), request(n=1.0), id="1 and 1.0"),
        pytest.param(request(n=1.0), request(n=True), id="1.0 and True"),
        pytest.param(request(n=0.0), request(n=-0.0), id="zero and minus zero"),
        pytest.param(request(n=None), request(n="null"), id="null and its text"),
        pytest.param(request(n=[]), request(n={}), id="no items and no keys"),
        pytest.param(request(a="b,c"), request(a="b", c=""), id="a separator in a value"),
        pytest.param(request(model="m", user="x"), request(model="muser: x"), id="two values in one"),
        pytest.param(request(n=None), request(), id="null and absent"),
        pytest.param(request(max_tokens=5), request(max_tokens=6), id="another limit"),
        pytest.param(request(a={"b": [1, 2]}), request(a={"b": [2, 1]}), id="another order in a list"),
        pytest.param(
            ask("ab"), request(Message(role="user", content="a"), Message(role="user", content="b")), id="split"
        ),
        pytest.param(ask("x"), request(Message(role="system", content="x")), id="another role"),
        pytest.param(ask("\u00e9"), ask("e\u0301"), id="another normal form"),
        pytest.param(ask("\u00e9"), ask(r"\u00e9"), id="a letter and its escape"),
        pytest.param(ask("\U0001f600"), ask("\ud83d\ude00"), id="a pair and its halves"),
        pytest.param(ask("\ud83d"), ask("\ude00"), id="another half of a pair"),
        pytest.param(ask('["x"]'), request(Message(role="user", content=["x"])), id="a part and its text"),
        pytest.param(
            request(Message(role="a", content="bc")), request(Message(role="ab", content="c")), id="another border"
        ),
        pytest.param(request(USER), request(USER, USER), id="twice"),
        pytest.param(ask("x"), request(Message(role="user", content="x", tool_call_id="t")), id="the answer of a tool"),
        pytest.param(
            ask("x"),
            request(Message(role="user", content="x", tool_calls=(ToolCall(tool_call_id="t", name="f"),))),
            id="a tool asked for",
        ),
    ],
)
def test_different(one: SeamRequest, other: SeamRequest) -> None:
    """Requests that could be answered differently have different digests."""
    assert request_digest(one) != request_digest(other)


params = st.dictionaries(
    st.text(max_size=3), st.none() | st.booleans() | st.integers() | st.text(max_size=3), max_size=4
)


@given(params)
def test_key_order_does_not_matter(given_params: dict[str, object]) -> None:
    """The order of parameters says nothing."""
    backwards = dict(reversed(given_params.items()))
    assert request_digest(request(**given_params)) == request_digest(request(**backwards))


def test_metadata_does_not_matter() -> None:
    """Labels decide nothing."""
    labelled = SeamRequest(messages=(USER,), metadata={"tenant": "acme"})
    assert request_digest(labelled) == request_digest(request())


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_unsayable(value: float) -> None:
    """A parameter that JSON cannot say is an error, not a call without a digest."""
    with pytest.raises(InvalidRequest, match="JSON compliant"):
        request_digest(request(temperature=value))


@pytest.mark.parametrize("content", [pytest.param(b"x", id="bytes"), pytest.param({1, 2}, id="a set")])
def test_unchecked(content: object) -> None:
    """A message that was built past its checks has no digest if JSON cannot say it."""
    with pytest.raises(InvalidRequest, match="not JSON serializable"):
        Message.model_construct(role="user", content=content, tool_calls=(), tool_call_id=None).digest()


async def test_unsayable_is_not_recorded() -> None:
    """A request without a fingerprint reaches neither the provider nor the ledger."""
    provider = ScriptedProvider()
    async with scene(setting(provider)) as of:
        for seam in (of.runtime.utility_seam, of.runtime.synthesize_seam):
            with pytest.raises(InvalidRequest):
                await seam.invoke(request(temperature=math.nan), turn=of.turn, stage_id="s")
        assert (provider.calls, await of.turn.calls()) == ([], ())


CHANGES: list[dict[str, object]] = [
    {"content": "When?"},
    {"role": "system"},
    {"tool_call_id": "t"},
    {"tool_calls": (ToolCall(tool_call_id="t", name="f"),)},
]


@pytest.mark.parametrize("change", [pytest.param(change, id=next(iter(change))) for change in CHANGES])
def test_changed_copy(change: dict[str, object]) -> None:
    """A changed copy of a message never has the digest of its original."""
    USER.digest()
    changed = USER.model_copy(update=change)
    assert changed.digest() == Message.model_validate({**dict(USER), **change}).digest() != USER.digest()


def test_changed_parts() -> None:
    """Content in parts can be changed in place, and its digest follows."""
    parts: list[JsonValue] = [{"type": "text", "text": "Why?"}]
    message = Message.model_construct(role="user", content=parts, tool_calls=(), tool_call_id=None)
    before = message.digest()
    parts.append({"type": "text", "text": "When?"})
    assert message.digest() != before


def test_digest_is_no_difference() -> None:
    """A message that was digested equals one that was not, and says the same."""
    digested, fresh = (Message(role="user", content="x") for _ in range(2))
    digested.digest()
    assert (digested, hash(digested), repr(digested)) == (fresh, hash(fresh), repr(fresh))
    assert digested.model_dump() == fresh.model_dump()


def test_text_is_hashed_once() -> None:
    """The digest of a text is computed once, and handed out again."""
    message = Message(role="user", content="x")
    assert message.digest() is message.digest()


def test_fingerprint_knows_the_class() -> None:
    """The same request of two classes, families or models is never the same call."""
    digest = request_digest(ask())
    routed = [ResolvedModel(call_class, "fam", "p", "m") for call_class in CALL_CLASSES]
    others = [ResolvedModel(CALL_CLASSES[0], "other", "p", "m"), ResolvedModel(CALL_CLASSES[0], "fam", "p", "n")]
    assert len({fingerprint(digest, where) for where in [*routed, *others]}) == 6


def test_fingerprint_ignores_the_seller() -> None:
    """The same model of the same family is the same, whoever sells it."""
    digest = request_digest(ask())
    assert fingerprint(digest, ResolvedModel(CALL_CLASSES[0], "fam", "p", "m")) == fingerprint(
        digest, ResolvedModel(CALL_CLASSES[0], "fam", "q", "m")
    )


def test_stable() -> None:
    """Digests are stored: they are the same in every version of this package."""
    digest = request_digest(ask())
    assert digest.hex() == "be2a129e0d5c0c8248f95a609664410676fb0fedbcbb036ee14d162522d049bd"
    assert (
        fingerprint(digest, ResolvedModel(CALL_CLASSES[0], "fam", "p", "m"))
        == "fc7dc506d30e981b70fd96c4dd962218b91bb0908529ae859a2f825ceb554991"
    )
