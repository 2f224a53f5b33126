"""Two families of models, and a provider whose models fail as a test says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.audit import TokenUsage
from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.matrix import ModelMatrix
from pleach_runtime.provider import ProviderResponse, RetryableError
from pleach_runtime.seams import CallClassRungs
from tests.runtime.scenes import Setting
from tests.runtime.stubs import USAGE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pleach_runtime.ledger import Ledger
    from pleach_runtime.provider import ProviderCall

OAK, ELM = ("oak-1", "oak-2", "oak-3"), ("elm-1", "elm-2")
MATRIX = ModelMatrix(families={"oak": CallClassRungs.uniform(*OAK), "elm": CallClassRungs.uniform(*ELM)})
OVERLOADED = RetryableError("overloaded")


class Models:
    """A provider that says which model answered, unless that model fails, or has something else to say."""

    name = "stub"

    def __init__(self, says: Mapping[str, Exception | str]) -> None:
        self.says = dict(says)
        self.asked: list[str] = []

    async def complete(self, call: ProviderCall, /) -> ProviderResponse:
        """Answer with the name of the model, or as it was told."""
        self.asked.append(call.model)
        answer = self.says.get(call.model, f"I am {call.model}")
        if isinstance(answer, Exception):
            raise answer
        return ProviderResponse.of_text(answer, USAGE if answer else TokenUsage())


def failing(*models: str, with_error: Exception = OVERLOADED) -> Models:
    """Return a provider of which these models fail."""
    return Models(dict.fromkeys(models, with_error))


def in_family(family: str = "oak", **fields: object) -> SessionRuntimeConfig:
    """Return a configuration that is locked to a family."""
    return SessionRuntimeConfig.model_validate({"matrix": MATRIX, "family": family, **fields})


def forest(provider: Models, ledger: Ledger, family: str = "oak", **fields: object) -> Setting:
    """Return a setting that is locked to a family."""
    return Setting(provider, in_family(family, **fields), ledger)
