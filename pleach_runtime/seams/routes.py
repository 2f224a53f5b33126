"""The table keyed by class without spelling one. Which model a call really gets is decided in `routing.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from pleach_runtime.seams.classes import CALL_CLASSES, CallClass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

ModelId = Annotated[str, StringConstraints(min_length=1)]


class CallClassRoutes(BaseModel):
    """A model id for each call class; a class that is left out is `None` and decides nothing.

    Source: the documentation of Pleach, "Layered per-CallClass routing".
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    utility: ModelId | None = None
    """Model of internal classification calls."""
    reasoning: ModelId | None = None
    """Model of internal prose that feeds the next call."""
    converse: ModelId | None = None
    """Model of short user-facing prose."""
    synthesize: ModelId | None = None
    """Model of the final answer."""

    @classmethod
    def uniform(cls, model: str) -> Self:
        """Give the same model to every class."""
        return cls.of(dict.fromkeys(CALL_CLASSES, model))

    @classmethod
    def of(cls, models: Mapping[CallClass, str | None]) -> Self:
        """Build the table from a mapping whose keys come from `CALL_CLASSES` or from seams."""
        return cls.model_validate(models)

    def model_for(self, call_class: CallClass) -> str | None:
        """Return the model of this class, or `None` if the table does not decide it."""
        return self.by_class()[call_class]

    def by_class(self) -> dict[CallClass, str | None]:
        """Return the table as a mapping, in the order of `CALL_CLASSES`."""
        return {
            "utility": self.utility,
            "reasoning": self.reasoning,
            "converse": self.converse,
            "synthesize": self.synthesize,
        }

    def over(self, base: CallClassRoutes) -> CallClassRoutes:
        """Lay this table over `base`: a class that is decided here wins, the others keep their model."""
        return CallClassRoutes.of(
            {**base.by_class(), **{key: model for key, model in self.by_class().items() if model}}
        )
