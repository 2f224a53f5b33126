"""Tests of digests."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleach_runtime.audit import ToolCall
from pleach_runtime.fingerprint import fingerprint, request_digest
from pleach_runtime.request import Message, SeamRequest
from pleach_runtime.routing import ResolvedModel
from pleach_runtime.seams import CALL_CLASSES
from tests.runtime.stubs import ask

USER = Message(role="user", content="Why?")


def request(*messages: Message, **params: object) -> SeamRequest:
    """Return a request with parameters."""
    return SeamRequest.model_validate({"messages": messages or (USER,), "params": params})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(request(n=1), request(n="1"), id="1 and its text"),
        pytest.param(request(n=1), request(n=True), id="1 and True"),
        pytest.param(request(n=None), request(), id="null and absent"),
        pytest.param(request(max_tokens=5), request(max_tokens=6), id="another limit"),
        pytest.param(request(a={"b": [1, 2]}), request(a={"b": [2, 1]}), id="another order in a list"),
        pytest.param(
            ask("ab"), request(Message(role="user", content="a"), Message(role="user", content="b")), id="split"
        ),
        pytest.param(ask("x"), request(Message(role="system", content="x")), id="another role"),
        pytest.param(ask("\u00e9"), ask("e\u0301"), id="another normal form"),
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


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_unsayable(value: float) -> None:
    """A parameter that JSON cannot say is an error, not a call without a digest."""
    with pytest.raises(ValueError, match="JSON compliant"):
        request_digest(request(temperature=value))


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
