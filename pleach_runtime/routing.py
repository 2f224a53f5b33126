"""Which model a seam's calls get. Only the locked family is ever considered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol

from pleach_runtime.errors import ConfigurationError
from pleach_runtime.matrix import FamilyLock
from pleach_runtime.seams.classes import C, C_co
from pleach_runtime.seams.guards import require_seam
from pleach_runtime.seams.routes import CallClassRoutes

if TYPE_CHECKING:
    from pleach_runtime.config import SessionRuntimeConfig
    from pleach_runtime.seams.classes import CallClass
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
    """Routes by class: `per_call_class_model_routing` first, then the matrix or `models`. An `AgentAdapter`.

    Raises:
        ConfigurationError: if a class has no model, if there are both a matrix and `models`, or if the matrix does not
            have the family.
        FamilyLockViolation: if a route leads out of the family of the matrix.
    """

    def __init__(self, config: SessionRuntimeConfig, provider: str) -> None:
        self.lock = None if config.matrix is None else FamilyLock.on(config.matrix, config.family)
        """The lock on a family; `None` without a matrix."""
        self.cells = _cells(config, self.lock)
        """The models of each class, in the order in which they are tried."""
        family = self.lock.family if self.lock else config.family or provider
        self._rungs = {
            call_class: tuple(ResolvedModel(call_class, family, provider, model) for model in models)
            for call_class, models in self.cells.items()
        }

    def rungs(self, call_class: CallClass) -> tuple[ResolvedModel[CallClass], ...]:
        """Return where calls of this class go, in the order in which it is tried."""
        return self._rungs[call_class]

    def decide(self, call_class: C) -> ResolvedModel[C]:
        """Return where calls of this class go first."""
        first = self._rungs[call_class][0]
        return ResolvedModel(call_class, first.family, first.provider, first.model)

    def resolve_model(self, seam: ProviderSeam[C], /) -> ResolvedModel[C]:
        """See `AgentAdapter.resolve_model`."""
        return self.decide(require_seam(seam).call_class)


def _cells(config: SessionRuntimeConfig, lock: FamilyLock | None) -> dict[CallClass, tuple[str, ...]]:
    if lock is None:
        routes = config.per_call_class_model_routing.over(config.models).by_class()
        missing = [call_class for call_class, model in routes.items() if model is None]
        if missing:
            raise ConfigurationError(
                f"no model for {', '.join(missing)}: set `models` or a `matrix` in the configuration"
            )
        return {call_class: (model,) for call_class, model in routes.items() if model is not None}
    if config.models != CallClassRoutes():
        raise ConfigurationError("both `models` and `matrix` say which models answer: keep one")
    return lock.cells(config.per_call_class_model_routing)
