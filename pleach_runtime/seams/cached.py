"""The classes whose answers may be kept, without spelling one. Keeping them is `cache.py`'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, StrictBool

if TYPE_CHECKING:
    from pleach_runtime.seams.classes import CallClass


class CachedClasses(BaseModel):
    """Which classes may be answered from the cache: internal ones, unless others are switched on.

    What a user reads is not repeated to another user unless the host says so.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    utility: StrictBool = True
    """Internal classification calls."""
    reasoning: StrictBool = True
    """Internal prose that feeds the next call."""
    converse: StrictBool = False
    """Short user-facing prose. An answer from the cache counts against the bound."""
    synthesize: StrictBool = False
    """The final answer. One from the cache takes its slot."""

    def chosen(self) -> frozenset[CallClass]:
        """Return the classes that are switched on."""
        switches: dict[CallClass, bool] = {
            "utility": self.utility,
            "reasoning": self.reasoning,
            "converse": self.converse,
            "synthesize": self.synthesize,
        }
        return frozenset(call_class for call_class, is_on in switches.items() if is_on)
