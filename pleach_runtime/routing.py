"""Which model a seam's calls get. Only the locked family is ever considered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol

from pleach_runtime.errors import ConfigurationError
from pleach_runtime.seams.classes import C, C_co
from pleach_runtime.seams.guards import require_seam

if TYPE_CHECKING:
    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.seams.seam import ProviderSeam


@dataclass(frozen=True)
class ResolvedModel(Generic[C_co]):
    """Where the calls of one class go; the class travels as a type."""

    call_class: C_co
    family: str
    provider: str
    model: str


class AgentAdapter(Protocol):
    """How code outside the seams reaches a model: by the seam it was given.

    Source: the documentation of Pleach, "The callClass lint".
    """

    def resolve_model(self, seam: ProviderSeam[C], /) -> ResolvedModel[C]:
        """Return the model of the seam's class.

        Raises:
            SeamClassMismatch: if it is not a seam.
        """
        ...


class RoutingDecisionEngine:
    """Routes by class: `per_call_class_model_routing` first, then `models`. An `AgentAdapter`.

    Raises:
        ConfigurationError: if a class has no model in either, with all such classes.
    """

    def __init__(self, config: SessionRuntimeConfig, provider: str) -> None:
        self._family = config.family or provider
        self._provider = provider
        routes = config.per_call_class_model_routing.over(config.models).by_class()
        missing = [call_class for call_class, model in routes.items() if model is None]
        if missing:
            raise ConfigurationError(f"no model for {', '.join(missing)}: set `models` in the configuration")
        self._models = {call_class: model for call_class, model in routes.items() if model is not None}

    def decide(self, call_class: C) -> ResolvedModel[C]:
        """Return where calls of this class go."""
        return ResolvedModel(call_class, self._family, self._provider, self._models[call_class])

    def resolve_model(self, seam: ProviderSeam[C], /) -> ResolvedModel[C]:
        """See `AgentAdapter.resolve_model`."""
        return self.decide(require_seam(seam).call_class)
