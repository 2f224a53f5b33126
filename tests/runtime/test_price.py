"""Tests of prices."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import cast

import pytest

from pleach_runtime.audit import TokenUsage
from pleach_runtime.price import PriceTable, TokenPrice

PLAIN, CACHED = TokenPrice(100, 500), TokenPrice(100, 500, cache_read=10, cache_write=125)


@pytest.mark.parametrize(
    ("price", "usage", "cost"),
    [
        pytest.param(PLAIN, TokenUsage(input_tokens=3, output_tokens=2), 1300, id="input and output"),
        pytest.param(PLAIN, TokenUsage(input_tokens=0, output_tokens=0), 0, id="nothing was used"),
        pytest.param(PLAIN, TokenUsage(input_tokens=3), None, id="output unknown"),
        pytest.param(PLAIN, TokenUsage(output_tokens=3), None, id="input unknown"),
        pytest.param(PLAIN, TokenUsage(input_tokens=9, output_tokens=0, cache_read_tokens=4), 900, id="no cache price"),
        pytest.param(
            CACHED,
            TokenUsage(input_tokens=9, output_tokens=1, cache_read_tokens=4, cache_write_tokens=2),
            3 * 100 + 4 * 10 + 2 * 125 + 500,
            id="cache prices",
        ),
        pytest.param(
            CACHED, TokenUsage(input_tokens=1, output_tokens=0, cache_read_tokens=2), None, id="contradiction"
        ),
    ],
)
def test_cost(price: TokenPrice, usage: TokenUsage, cost: int | None) -> None:
    """Costs are exact, and unknown where a count is."""
    assert price.cost_of(usage) == cost


FRACTION = TokenPrice.per_million("0.0375", 0.15, cache_read_usd=Decimal("0.01"))


@pytest.mark.parametrize(
    ("tokens", "cost"),
    [
        pytest.param(2, 75, id="fractions add up"),
        pytest.param(1, 38, id="a half goes to the even number: up"),
        pytest.param(3, 112, id="a half goes to the even number: down"),
        pytest.param(10**15, 37_500_000_000_000_000, id="exact however many"),
    ],
)
def test_fractions(tokens: int, cost: int) -> None:
    """Prices below a nano-USD per token are exact until the cost of the attempt is rounded, once."""
    assert FRACTION.cost_of(TokenUsage(input_tokens=tokens, output_tokens=0)) == cost


def test_per_million() -> None:
    """Published prices are taken as they are written, floats too."""
    assert TokenPrice(Decimal("37.5"), 150, cache_read=10) == FRACTION


@pytest.mark.parametrize("value", [-1, True, 1.5, Decimal("NaN"), Decimal("Infinity"), "1", 10**9 + 1])
def test_no_price(value: object) -> None:
    """What would give costs that no row can hold is refused when the table is made."""
    with pytest.raises(ValueError, match="output is an int or Decimal"):
        TokenPrice(1, cast("int", value))


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        pytest.param("cheap", "is a number, not 'cheap'", id="no number"),
        pytest.param("-1", "input is an int or Decimal", id="negative"),
        pytest.param(math.nan, "input is an int or Decimal", id="NaN"),
        pytest.param("Infinity", "input is an int or Decimal", id="infinity"),
        pytest.param("1e400", "from 0 to 1000000000 in nano-USD", id="more than a row can hold"),
        pytest.param("1000000.01", "from 0 to 1000000000 in nano-USD", id="dearer than any model"),
        pytest.param("1e999999", "is a number, not '1e999999'", id="more than a Decimal can hold"),
    ],
)
def test_no_published_price(value: str | float, problem: str) -> None:
    """A published price is a number, not negative, and one that a model could have."""
    with pytest.raises(ValueError, match=problem):
        TokenPrice.per_million(value, 1)


@pytest.mark.parametrize(
    ("model", "than", "cheaper"),
    [
        pytest.param("a", "b", True, id="for both"),
        pytest.param("b", "a", False, id="dearer"),
        pytest.param("a", "a", False, id="itself"),
        pytest.param("a", "c", False, id="for input alone"),
        pytest.param("a", "unknown", False, id="unknown price"),
        pytest.param("unknown", "a", False, id="unknown price, the other way"),
    ],
)
def test_cheaper(model: str, than: str, *, cheaper: bool) -> None:
    """A model is cheaper if it costs less both ways, and both prices are known."""
    table = PriceTable({"a": TokenPrice(1, 5), "b": TokenPrice(2, 6), "c": TokenPrice(2, 5)})
    assert table.is_cheaper(model, than) == cheaper


def test_unknown_model() -> None:
    """A model that is not in the table has no price."""
    assert PriceTable({"a": PLAIN})("b", TokenUsage(input_tokens=1, output_tokens=1)) is None


def test_cost_that_no_row_holds() -> None:
    """Token counts that come to more than a ledger can hold are not believed: the cost is unknown."""
    most = TokenPrice(10**9, 0)
    assert most.cost_of(TokenUsage(input_tokens=9 * 10**9, output_tokens=0)) == 9 * 10**18
    assert most.cost_of(TokenUsage(input_tokens=10**10, output_tokens=0)) is None
