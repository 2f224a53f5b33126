"""Tests for `pleach_lint.syntax.cost`."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pleach_lint.syntax import cost

FRAMES = ["{}\n", "f({})\n", "f'{{{}}}'\n", "f'''{{{}:>3}}'''", "lambda a={}: 0", "if {}: b"]


def tokens(text: str) -> int:
    """Count without a limit."""
    return cost.tokens(text, 10**9)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("call(a, b=1)\n", 8, id="names, brackets and commas"),
        pytest.param("'a + b' 'c'\n", 3, id="strings are one token each, whatever they hold"),
        pytest.param('"""a\n+ b\n"""', 1, id="so are long strings"),
        pytest.param("a # + - * /\n", 3, id="and comments"),
        pytest.param("f'a + b'", 2, id="the text of an f-string counts by its quotes"),
    ],
)
def test_plain_code(text: str, count: int) -> None:
    """Plain code costs its tokens."""
    assert tokens(text) == count


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(" + a", id="operators"),
        pytest.param(" or a", id="words"),
        pytest.param(".b", id="attributes"),
        pytest.param("()", id="calls"),
        pytest.param("[0]", id="subscripts"),
        pytest.param(" if a else b", id="conditionals"),
    ],
)
@pytest.mark.parametrize("frame", FRAMES)
def test_chains(piece: str, frame: str) -> None:
    """A chain of ten times the links costs far more than ten times as much, wherever it stands."""
    short, long = (tokens(frame.format("a" + piece * links)) for links in (200, 2_000))
    assert long > 40 * short


@pytest.mark.parametrize(
    "chain",
    [
        pytest.param("'a' " * 1_000, id="adjacent strings"),
        pytest.param("f'a' " * 1_000, id="adjacent f-strings"),
        pytest.param("lambda: " * 1_000 + "a", id="lambdas"),
        pytest.param("lambda a, b: " * 1_000 + "a", id="lambdas with parameters"),
        pytest.param("not " * 1_000 + "a", id="negations"),
        pytest.param("-" * 1_000 + "a", id="signs"),
    ],
)
def test_other_chains(chain: str) -> None:
    """What nests to the right costs the square of its length too."""
    assert tokens(chain) > 100_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a + b, " * 1_000, id="commas"),
        pytest.param("a + b\n" * 1_000, id="rows"),
        pytest.param("a + b; " * 1_000, id="semicolons"),
        pytest.param("f(a + b) + c\n" * 1_000, id="brackets"),
        pytest.param("g(lambda a: a + b, 0)\n" * 1_000, id="lambdas that do not nest"),
        pytest.param("f'{a + b:>{c}}'\n" * 1_000, id="f-strings"),
        pytest.param("lambda a = 1\n" * 1_000, id="lambdas that never end"),
        pytest.param("(lambda a) + b\n" * 1_000, id="lambdas that end with a bracket"),
        pytest.param("f'a\nf'b\n" * 1_000, id="f-strings that never end"),
    ],
)
def test_chains_end(text: str) -> None:
    """Links count together only as long as they are of one expression."""
    assert tokens(text) < 20_000


@pytest.mark.parametrize("pair", ["()", "[]"])
def test_brackets_in_patterns(pair: str) -> None:
    """Each bracket doubles the cost of a pattern, and ends with it."""
    nest = pair[0] * 20 + "a" + pair[1] * 20
    assert tokens(f"match a:\n    case {nest}: b\n") > 2**17
    assert tokens(f"match a:\n    case (b): f{nest}\n    f{nest}\ng = {nest}\n") < 1_000


def test_mappings_in_patterns() -> None:
    """A mapping counts twice among the brackets of a pattern."""
    assert tokens("match a:\n    case " + "{1: " * 10 + "a" + "}" * 10 + ": b\n") > 2**17


def test_counting_stops() -> None:
    """What is known to be too much is not read to its end."""
    start = time.monotonic()
    assert 1_000 < cost.tokens("a, " * 3_000_000, 1_000) < 1_100
    assert time.monotonic() - start < 1


@given(st.text("abf'\"{}()[]:,;\\\n\r#=+. ", max_size=60))
def test_any_text_has_a_cost(text: str) -> None:
    """No text, however broken, stops the count, and each of its characters counts at most once."""
    assert 0 <= tokens(text) <= len(text) + len(text) ** 2
