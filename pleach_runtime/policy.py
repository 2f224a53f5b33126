"""Policies: functions from one configuration to another, made to be stacked. Nothing here boots a runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pleach_runtime.caps import Cap, checked_cap
from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.seams.routes import CallClassRoutes

ConfigLike: TypeAlias = SessionRuntimeConfig | Mapping[str, object]
"""A configuration, or the fields of one by name or by camelCase alias."""

CODING_AGENT_CAP = 5
"""Room for plan, diff, verify, retry, verify. Source: the documentation of Pleach, "The coding-agent policy"."""


class SessionRuntimeConfigPolicy(Protocol):
    """Pure and idempotent: the base is never touched, fields it knows nothing of are kept, applying twice is once."""

    def apply(self, base: ConfigLike, /) -> SessionRuntimeConfig:
        """Return the base with this policy's fields laid over it; a subclass of the configuration stays one.

        Raises:
            pydantic.ValidationError: if the result is not a valid configuration.
        """
        ...


@dataclass(frozen=True)
class _Fields:
    fields: Mapping[str, object]

    def apply(self, base: ConfigLike, /) -> SessionRuntimeConfig:
        config = _as_config(base)
        return type(config).model_validate({**dict(config), **self.fields})


@dataclass(frozen=True)
class _Routing:
    routes: CallClassRoutes

    def apply(self, base: ConfigLike, /) -> SessionRuntimeConfig:
        config = _as_config(base)
        routes = self.routes.over(config.per_call_class_model_routing)
        return _Fields({"per_call_class_model_routing": routes}).apply(config)


@dataclass(frozen=True)
class _Composed:
    policies: tuple[SessionRuntimeConfigPolicy, ...]

    def apply(self, base: ConfigLike, /) -> SessionRuntimeConfig:
        config = _as_config(base)
        for policy in self.policies:
            config = policy.apply(config)
        return config


def create_coding_agent_policy(*, max_synthesize_per_turn: Cap = CODING_AGENT_CAP) -> SessionRuntimeConfigPolicy:
    """Return the policy of a coding agent: several synthesize messages per turn.

    Raises:
        ValueError: if the cap is not an int >= 1 or `math.inf`.
    """
    return _Fields({"max_synthesize_per_turn": checked_cap(max_synthesize_per_turn)})


def create_per_call_class_routing(*, routes: CallClassRoutes | Mapping[str, str]) -> SessionRuntimeConfigPolicy:
    """Return a policy that routes classes to models; classes it leaves out keep their route.

    Raises:
        pydantic.ValidationError: if `routes` is a mapping with a key that is no call class.
    """
    return _Routing(CallClassRoutes.model_validate(routes))


def create_family_pick(family: str) -> SessionRuntimeConfigPolicy:
    """Return the policy of a session whose user has picked another family: its routes within the old one are dropped.

    Source: the documentation of Pleach, "What stays invariant", "Family-strict cascade pivot".
    """
    return _Fields({"family": family, "per_call_class_model_routing": CallClassRoutes()})


def compose(*policies: SessionRuntimeConfigPolicy) -> SessionRuntimeConfigPolicy:
    """Return the policy that applies these in order: per field, and per class of a routing, the later one wins."""
    return _Composed(policies)


def _as_config(base: ConfigLike) -> SessionRuntimeConfig:
    return base if isinstance(base, SessionRuntimeConfig) else SessionRuntimeConfig.model_validate(base)
