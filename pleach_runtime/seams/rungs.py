"""The table of rungs, keyed by class without spelling one. Which family is locked is decided in `matrix.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pleach_runtime.seams.classes import CALL_CLASSES, CallClass
from pleach_runtime.seams.routes import ModelId

if TYPE_CHECKING:
    from typing_extensions import Self


def _distinct(models: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted({model for model in models if models.count(model) > 1})
    if twice:
        raise ValueError(f"a rung stands twice: {', '.join(twice)}")
    return models


Rungs = Annotated[tuple[ModelId, ...], Field(min_length=1), AfterValidator(_distinct)]
"""Models in the order in which they are tried: one or more, none of them twice."""


class CallClassRungs(BaseModel):
    """The models of one family for each call class. All four classes are required.

    Source: the documentation of Pleach, "Family lock": the (family x class) matrix.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    utility: Rungs
    """Models of internal classification calls: the cheapest of the family."""
    reasoning: Rungs
    """Models of internal prose that feeds the next call."""
    converse: Rungs
    """Models of short user-facing prose."""
    synthesize: Rungs
    """Models of the final answer."""

    @classmethod
    def uniform(cls, *models: str) -> Self:
        """Give the same models to every class."""
        return cls.model_validate(dict.fromkeys(CALL_CLASSES, models))

    def by_class(self) -> dict[CallClass, tuple[str, ...]]:
        """Return the table as a mapping, in the order of `CALL_CLASSES`."""
        return {
            "utility": self.utility,
            "reasoning": self.reasoning,
            "converse": self.converse,
            "synthesize": self.synthesize,
        }

    def models(self) -> frozenset[str]:
        """Return every model of the family."""
        return frozenset(model for rungs in self.by_class().values() for model in rungs)
