"""Tests of judges."""

from __future__ import annotations

import pytest

from pleach_runtime.audit import Draft, ToolCall
from pleach_runtime.judge import judge_by_length, judge_by_visible_text

TOOL = ToolCall(tool_call_id="t1", name="search")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(" \t\r\n\u00a0\u3000", id="spaces"),
        pytest.param("\u200b\u200c\u200d\u2060\ufeff", id="zero width"),
        pytest.param("\u202e\u2066\u2069", id="directions"),
        pytest.param("\x00\x07\x1b", id="controls"),
        pytest.param("\u3164\u115f\u1160\uffa0\u2800", id="letters drawn as nothing"),
        pytest.param("\ufe0f\u034f", id="marks without a letter"),
        pytest.param("\u2028\u2029", id="separators"),
    ],
)
def test_empty(text: str) -> None:
    """A draft that shows nothing is empty."""
    assert judge_by_visible_text(Draft(text=text)) == "empty"


@pytest.mark.parametrize("text", ["0", ".", "e\u0301", "\u00e9", "\U0001f642", "\u0627", "\u200b.", "(empty)"])
def test_visible(text: str) -> None:
    """A single visible character is an answer for this judge."""
    assert judge_by_visible_text(Draft(text=text)) == "ok"


def test_tool_call_is_an_answer() -> None:
    """A draft that asks for a tool needs no text."""
    assert judge_by_visible_text(Draft(tool_calls=(TOOL,))) == "ok"


def test_refusal() -> None:
    """A refusal is one, with or without text."""
    assert {judge_by_visible_text(Draft(text=text, refused=True)) for text in ("", "No.")} == {"refused"}


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        pytest.param(Draft(text="12345"), "ok", id="long enough"),
        pytest.param(Draft(text=" 1234 "), "thin", id="too short when stripped"),
        pytest.param(Draft(text=" "), "empty", id="empty stays empty"),
        pytest.param(Draft(text="1", tool_calls=(TOOL,)), "ok", id="a tool call is never thin"),
        pytest.param(Draft(text="1", refused=True), "refused", id="a refusal is never thin"),
    ],
)
def test_by_length(draft: Draft, verdict: str) -> None:
    """The stricter judge calls short answers thin."""
    assert judge_by_length(5)(draft) == verdict
