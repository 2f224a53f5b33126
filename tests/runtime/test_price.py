"""Tests of prices."""

from __future__ import annotations

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


def test_unknown_model() -> None:
    """A model that is not in the table has no price."""
    assert PriceTable({"a": PLAIN})("b", TokenUsage(input_tokens=1, output_tokens=1)) is None
