"""What tokens cost. Which model answered and how many tokens it took is on the audit row."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_runtime.audit import TokenUsage

Rate: TypeAlias = int | Decimal
"""Nano-USD per token. Cheap models cost fractions of one."""
Usd: TypeAlias = str | int | float | Decimal
"""USD; a float counts as it is written: 0.1 is a tenth."""
_NANO_PER_MILLIONTH: Final = 1000
_MOST: Final = 1_000_000_000
"""Nano-USD per token: a million USD for a million tokens, over a thousand times what any model costs."""
_NO_ROW_HOLDS: Final = 2**63


class Price(Protocol):
    """Prices one attempt: pure, quick, sync."""

    def __call__(self, model: str, usage: TokenUsage, /) -> int | None:
        """Return nano-USD (1e-9 USD), or `None` if the price is unknown. Never guess 0."""
        ...


def unknown_price(_model: str, _usage: TokenUsage) -> None:
    """Return that the price is unknown: the default."""


@dataclass(frozen=True)
class TokenPrice:
    """Price of one model in nano-USD per token; 1 USD per million tokens is 1,000.

    Raises:
        ValueError: if a price is neither an int nor a finite Decimal, is negative, or above 1 USD per token. A float
            would not be exact.
    """

    input: Rate
    output: Rate
    cache_read: Rate | None = None
    """Price of a token read from the provider's cache; `None` is the price of any input token."""
    cache_write: Rate | None = None
    """Price of a token written to the provider's cache; `None` is the price of any input token."""

    @classmethod
    def per_million(
        cls, input_usd: Usd, output_usd: Usd, *, cache_read_usd: Usd | None = None, cache_write_usd: Usd | None = None
    ) -> TokenPrice:
        """Return the price as providers publish it, in USD per million tokens: `per_million("0.15", "0.60")`.

        Raises:
            ValueError: if a price is no number, not finite, negative, or above a million USD.
        """
        caches = (None if usd is None else _rate(usd) for usd in (cache_read_usd, cache_write_usd))
        return cls(_rate(input_usd), _rate(output_usd), *caches)

    def __post_init__(self) -> None:
        """Refuse what would give costs that no row can hold."""
        for name, rate in vars(self).items():
            if rate is not None and not _is_rate(rate):
                raise ValueError(
                    f"{name} is an int or Decimal from 0 to {_MOST} in nano-USD per token, not {rate!r}; "
                    "see per_million, which takes USD"
                )

    def cost_of(self, usage: TokenUsage) -> int | None:
        """Return nano-USD, rounded half to even, or `None` if the counts are unknown or cannot be.

        They cannot be if they contradict each other, or come to more than a row can hold. A cache count that is unknown
        is taken as no use of the cache.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
        read_price = self.input if self.cache_read is None else self.cache_read
        write_price = self.input if self.cache_write is None else self.cache_write
        plain = usage.input_tokens - read - written
        if plain < 0:
            return None
        cost = round(plain * self.input + read * read_price + written * write_price + usage.output_tokens * self.output)
        return cost if cost < _NO_ROW_HOLDS else None


def _is_rate(rate: object) -> bool:
    if isinstance(rate, bool) or not isinstance(rate, int | Decimal):
        return False
    return Decimal(rate).is_finite() and 0 <= rate <= _MOST


def _rate(usd: Usd) -> Decimal:
    try:
        return Decimal(str(usd)) * _NANO_PER_MILLIONTH
    except ArithmeticError:
        raise ValueError(f"a price in USD is a number, not {usd!r}") from None


@dataclass(frozen=True)
class PriceTable:
    """Prices by model id, exactly as the provider reports it or, if it does not say, as it was asked for."""

    models: Mapping[str, TokenPrice]

    def __call__(self, model: str, usage: TokenUsage, /) -> int | None:
        """Return nano-USD, or `None` if the model or its tokens are unknown."""
        price = self.models.get(model)
        return None if price is None else price.cost_of(usage)

    def is_cheaper(self, model: str, than: str) -> bool:
        """Whether a model costs less than another for input and for output; False if one has no price here."""
        one, other = self.models.get(model), self.models.get(than)
        return one is not None and other is not None and one.input < other.input and one.output < other.output
