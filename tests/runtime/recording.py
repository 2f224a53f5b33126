"""Recording in a ledger, step by step, as a lane does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.ledger.reservation import Granted
from tests.runtime.builders import (
    row,
    wish,
)

if TYPE_CHECKING:
    from pleach_runtime.audit import AuditableCall, CallIntent, Outcome
    from pleach_runtime.ledger import Ledger


async def granted(ledger: Ledger, of: CallIntent) -> Granted:
    """Reserve, and insist that it was granted."""
    verdict = await ledger.reserve(wish(of))
    assert isinstance(verdict, Granted)
    return verdict


async def recorded(ledger: Ledger, of: CallIntent, outcome: Outcome = "ok") -> AuditableCall:
    """Reserve, then append the row of the attempt."""
    appended = row((await granted(ledger, of)).intent, outcome)
    assert await ledger.append(appended) == "appended"
    return appended
