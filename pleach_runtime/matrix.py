"""Families of models: the matrix, and the lock of a runtime on one family. Stepping down rungs is in `lanes/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pleach_runtime.audit import Id
from pleach_runtime.errors import ConfigurationError, FamilyLockViolation
from pleach_runtime.price import PriceTable
from pleach_runtime.seams.classes import is_utility
from pleach_runtime.seams.rungs import CallClassRungs

if TYPE_CHECKING:
    from typing_extensions import Self

    from pleach_runtime.price import Price
    from pleach_runtime.seams.classes import CallClass
    from pleach_runtime.seams.routes import CallClassRoutes


class ModelMatrix(BaseModel):
    """Which models answer, by family and class. A model belongs to one family.

    Source: the documentation of Pleach, "Family lock": the (family x class) matrix.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    families: Annotated[Mapping[Id, CallClassRungs], Field(min_length=1)]
    """The rungs of each family, under its name."""

    @model_validator(mode="after")
    def _one_family_each(self) -> Self:
        home: dict[str, str] = {}
        for family, rungs in self.families.items():
            for model in sorted(rungs.models()):
                if home.setdefault(model, family) != family:
                    raise ValueError(f"{model!r} is in two families: {home[model]}, {family}")
        return self


@dataclass(frozen=True)
class FamilyPick:
    """What can be offered to the user when no model of a family answers: the others. Nobody picks for the user.

    Source: the documentation of Pleach, "What stays invariant", "Family-strict cascade pivot".
    """

    exhausted: str
    """The family that did not answer."""
    choices: tuple[str, ...]
    """The other families, in the order of the matrix; empty if there are none."""


@dataclass(frozen=True)
class FamilyLock:
    """The family of a runtime, chosen once at boot. It has no way to change."""

    family: str
    rungs: CallClassRungs
    pick: FamilyPick

    @classmethod
    def on(cls, matrix: ModelMatrix, family: str | None) -> FamilyLock:
        """Lock on a family of the matrix; `None` will do if there is only one.

        Raises:
            ConfigurationError: if the family is not in the matrix, or it is not said which one.
        """
        known = ", ".join(matrix.families)
        if family is None and len(matrix.families) > 1:
            raise ConfigurationError(f"no family is chosen: set `family` to one of {known}")
        chosen = next(iter(matrix.families)) if family is None else family
        if chosen not in matrix.families:
            raise ConfigurationError(f"family {chosen!r} is not in the matrix, which has {known}")
        others = tuple(name for name in matrix.families if name != chosen)
        return cls(chosen, matrix.families[chosen], FamilyPick(chosen, others))

    def cells(self, routes: CallClassRoutes) -> dict[CallClass, tuple[str, ...]]:
        """Return the rungs of each class. A route comes first; what stands above it in its own cell is left out.

        Raises:
            FamilyLockViolation: if a route leads to a model of no class of the family, with all such routes.
        """
        routed = {call_class: model for call_class, model in routes.by_class().items() if model is not None}
        outside = {call_class: model for call_class, model in routed.items() if model not in self.rungs.models()}
        if outside:
            raise FamilyLockViolation(self.family, tuple(f"{key} to {model}" for key, model in outside.items()))
        return {key: _below(routed.get(key), rungs) for key, rungs in self.rungs.by_class().items()}


def _below(route: str | None, rungs: tuple[str, ...]) -> tuple[str, ...]:
    if route is None:
        return rungs
    return rungs[rungs.index(route) :] if route in rungs else (route, *rungs)


def check_cheapest(cells: Mapping[CallClass, tuple[str, ...]], price: Price) -> None:
    """Check that internal classification goes to no dearer model than another class, where a table has the prices.

    Source: the documentation of Pleach, "utility".

    Raises:
        ConfigurationError: if the first rung of another class is cheaper for input and for output.
    """
    if not isinstance(price, PriceTable):
        return
    ((cheap_class, (cheap, *_)),) = [cell for cell in cells.items() if is_utility(cell[0])]
    for call_class, (model, *_) in cells.items():
        if price.is_cheaper(model, cheap):
            raise ConfigurationError(f"{cheap_class} goes to {cheap!r}, but {model!r} of {call_class} is cheaper")
