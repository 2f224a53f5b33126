"""The configuration of a runtime: plain, frozen data. Code that a host plugs in is in `hooks.py`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel, to_snake

from pleach_runtime.caps import MaxPerTurn
from pleach_runtime.matrix import ModelMatrix
from pleach_runtime.seams.cached import CachedClasses
from pleach_runtime.seams.routes import CallClassRoutes

if TYPE_CHECKING:
    from typing_extensions import Self

Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
_ALIKE = 0.85


class SessionRuntimeConfig(BaseModel):
    """What holds for the lifetime of a runtime. No call can override any of it.

    Fields of the host's own are kept as they are; a name that is nearly one of ours is refused as a slip.

    Source: the documentation of Pleach, "Multi-synthesize per turn", "The contract".
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
    )

    max_synthesize_per_turn: MaxPerTurn = 1
    """Synthesize messages allowed per turn: an int >= 1, or infinity for no cap."""
    max_converse_per_turn: MaxPerTurn = 3
    """Converse calls allowed per turn: an int >= 1, or infinity for no bound."""
    max_recovery_attempts: Annotated[int, Field(strict=True, ge=0)] = 1
    """Attempts allowed for a synthesize message beyond the first, whatever the earlier ones failed of. The same number
    of times another streamed call is made again when an observer wants another answer."""
    on_unsupported_cap: Literal["ignore", "warn", "raise"] = "ignore"
    """What to do at boot if the counter cannot take the cap. In each case the cap is 1 and an event says so."""
    family: str | None = None
    """The model family of this runtime; `None` is the only one of the matrix or, without one, the provider's name."""
    models: CallClassRoutes = CallClassRoutes()
    """The model of each class in the family. Not beside a matrix, which says more."""
    matrix: ModelMatrix | None = None
    """The rungs of each class, family by family; `None` is one model for each class, and no cascade."""
    per_call_class_model_routing: CallClassRoutes = CallClassRoutes()
    """Models that win over `models`, or come first in the cell of the matrix, class by class."""
    cached_classes: CachedClasses = CachedClasses()
    """Classes that may be answered from the cache, if the hooks have one."""
    join_timeout_seconds: Seconds = 60.0
    """How long a duplicate waits for the same message in another process before it gives up."""
    orphan_after_seconds: Annotated[Seconds, Field(le=10**9)] = 600.0
    """Age at which an attempt without a row is taken for dead. Longer than the longest call of the provider; at most
    1e9, about 30 years."""

    @model_validator(mode="after")
    def _refuse_slips(self) -> Self:
        fields = type(self).model_fields
        for name in self.model_extra or ():
            near = get_close_matches(to_snake(name), fields, n=1, cutoff=_ALIKE)
            if near:
                raise ValueError(f"unknown field {name!r}; did you mean {near[0]!r}?")
        return self
