"""What came of a replay: the calls of both sides, and where they part."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pleach_runtime.audit import AuditableCall
from pleach_runtime.seams.classes import CALL_CLASSES, is_synthesize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pleach_runtime.audit import CallIntent
    from pleach_runtime.errors import PleachError, ReplayDivergence
    from pleach_runtime.seams.classes import CallClass


@dataclass(frozen=True)
class CallCounts:
    """How many attempts a turn made, and how many tools the answers asked for."""

    by_class: Mapping[CallClass, int]
    """Attempts of each class that has any, in the order of `CALL_CLASSES`."""
    tool_calls: int

    @classmethod
    def of(cls, attempts: Iterable[CallIntent | AuditableCall]) -> CallCounts:
        """Count."""
        listed = list(attempts)
        counted = Counter(attempt.call.call_class for attempt in listed)
        drafts = [attempt.draft for attempt in listed if isinstance(attempt, AuditableCall) and attempt.draft]
        of_class: dict[CallClass, int] = {each: counted[each] for each in CALL_CLASSES if counted[each]}
        return cls(of_class, sum(len(draft.tool_calls) for draft in drafts))

    @property
    def synthesize_calls(self) -> int:
        """Attempts of the answer class."""
        return sum(count for call_class, count in self.by_class.items() if is_synthesize(call_class))


@dataclass(frozen=True)
class ReplayReport:
    """What came of a replay."""

    turn_id: str
    recorded: CallCounts
    replayed: CallCounts
    rows: tuple[AuditableCall, ...]
    """The rows of the replay, in the order in which they ended. No ledger has them."""
    divergences: tuple[ReplayDivergence, ...]
    """Attempts of the replay that the record has no answer for, or that ended otherwise than recorded."""
    unconsumed: tuple[CallIntent | AuditableCall, ...]
    """Attempts of the record that the replay did not make, in the order of their starts."""
    failure: PleachError | None
    """What the program raised in the end, if it was an error of the runtime; `None` if it ended by itself."""

    @property
    def is_identical(self) -> bool:
        """Whether the replay made the recorded attempts, each ending as recorded, and no others."""
        return not self.divergences and not self.unconsumed
