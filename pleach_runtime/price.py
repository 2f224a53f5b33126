"""What tokens cost. Which model answered and how many tokens it took is on the audit row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_runtime.audit import TokenUsage


class Price(Protocol):
    """Prices one attempt: pure, quick, sync."""

    def __call__(self, model: str, usage: TokenUsage, /) -> int | None:
        """Return nano-USD (1e-9 USD), or `None` if the price is unknown. Never guess 0."""
        ...


def unknown_price(_model: str, _usage: TokenUsage) -> None:
    """Return that the price is unknown: the default."""


@dataclass(frozen=True)
class TokenPrice:
    """Price of one model in nano-USD per token; 1 USD per million tokens is 1,000."""

    input: int
    output: int
    cache_read: int | None = None
    """Price of a token read from the provider's cache; `None` is the price of any input token."""
    cache_write: int | None = None
    """Price of a token written to the provider's cache; `None` is the price of any input token."""

    def cost_of(self, usage: TokenUsage) -> int | None:
        """Return nano-USD, or `None` if the counts are unknown or contradict each other.

        A cache count that is unknown is taken as no use of the cache.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
        read_price = self.input if self.cache_read is None else self.cache_read
        write_price = self.input if self.cache_write is None else self.cache_write
        plain = usage.input_tokens - read - written
        if plain < 0:
            return None
        return plain * self.input + read * read_price + written * write_price + usage.output_tokens * self.output


@dataclass(frozen=True)
class PriceTable:
    """Prices by model id, exactly as the provider reports it or, failing that, as it was asked for."""

    models: Mapping[str, TokenPrice]

    def __call__(self, model: str, usage: TokenUsage, /) -> int | None:
        """Return nano-USD, or `None` if the model or its tokens are unknown."""
        price = self.models.get(model)
        return None if price is None else price.cost_of(usage)
