"""Every error that the runtime raises. Each carries its facts as attributes; none holds the text of a prompt.

PleachError
├── ConfigurationError          wrong before any call was made
│   ├── CounterContractError    a host's counter cannot be used
│   ├── CapLockedError          a cap was changed after boot
│   ├── FamilyLockViolation     a class is routed to a model outside the locked family
│   ├── ObserverContractError   an observer of a stream cannot be used
│   ├── GraphCompileError       nodes that do not fit together, with all that is wrong
│   ├── HolderError             the synthesize seam was set twice, or read before it was set
│   └── SyncFromAsyncError      the sync facade was called inside a running event loop
├── SeamClassMismatch           a seam of another class was given (also a TypeError)
├── RuntimeClosed
├── InvalidId                   an id that not every ledger can keep (also a ValueError)
├── InvalidRequest              a request that JSON cannot say, so that it has no fingerprint (also a ValueError)
├── TurnError
│   ├── TurnClosed              a call on a turn that is over
│   └── TurnBusy                a second open turn beside a counter that cannot tell turns apart
├── BudgetError                 refused before any spend
│   ├── SynthesizeCapExceeded
│   ├── ConverseBoundExceeded
│   └── RecoveryExhausted
├── IdempotencyError
│   ├── MessageIdConflict       the same message id with another request
│   └── DuplicateInFlight       the same message is still being answered elsewhere
├── LandingError
│   ├── LandingUnspecified      above cap 1 a call must say whether it lands the answer
│   └── TerminalAlreadyLanded   the turn already has its answer
├── ProviderError               the provider failed; its own exception is the cause
│   └── FamilyExhausted         so did every rung of the locked family
├── HookError                   code of the host's own failed; its exception is the cause
├── GraphRunError               a run of a graph that cannot go on
├── StreamAborted               an observer has stopped a streamed answer
├── InvariantViolation          recorded rows contradict what must always hold
├── ReplayDivergence            a replay parts from its record
└── LedgerError
    ├── UnknownTurn             a call of a turn that was never opened
    ├── LedgerConflict          the same key was recorded with other content
    ├── TerminalConflict        a second terminal row of one turn
    ├── AppendOnlyViolation     a recorded row was about to be changed
    ├── ChainBroken             recorded rows were changed, lost or reordered
    ├── LedgerSchemaMismatch    the ledger was written by another version of this package
    └── LedgerUnavailable       the ledger cannot be opened or written now
        ├── LedgerLocked
        ├── LedgerMissing       there is no ledger at the address, and none was to be made
        ├── LedgerUnreadable    no permission, or the path is not a file
        └── LedgerCorrupt
"""

from __future__ import annotations

from pleach_runtime.errors.base import PleachError
from pleach_runtime.errors.calls import (
    BudgetError,
    ConverseBoundExceeded,
    DuplicateInFlight,
    FamilyExhausted,
    HookError,
    IdempotencyError,
    LandingError,
    LandingUnspecified,
    MessageIdConflict,
    ProviderError,
    RecoveryExhausted,
    StreamAborted,
    SynthesizeCapExceeded,
    TerminalAlreadyLanded,
)
from pleach_runtime.errors.graphs import GraphCompileError, GraphRunError
from pleach_runtime.errors.records import (
    AppendOnlyViolation,
    ChainBroken,
    InvariantViolation,
    LedgerConflict,
    LedgerCorrupt,
    LedgerError,
    LedgerLocked,
    LedgerMissing,
    LedgerSchemaMismatch,
    LedgerUnavailable,
    LedgerUnreadable,
    ReplayDivergence,
    TerminalConflict,
    UnknownTurn,
)
from pleach_runtime.errors.usage import (
    CapLockedError,
    ConfigurationError,
    CounterContractError,
    FamilyLockViolation,
    HolderError,
    InvalidId,
    InvalidRequest,
    ObserverContractError,
    RuntimeClosed,
    SeamClassMismatch,
    SyncFromAsyncError,
    TurnBusy,
    TurnClosed,
    TurnError,
)

__all__ = [
    "AppendOnlyViolation",
    "BudgetError",
    "CapLockedError",
    "ChainBroken",
    "ConfigurationError",
    "ConverseBoundExceeded",
    "CounterContractError",
    "DuplicateInFlight",
    "FamilyExhausted",
    "FamilyLockViolation",
    "GraphCompileError",
    "GraphRunError",
    "HolderError",
    "HookError",
    "IdempotencyError",
    "InvalidId",
    "InvalidRequest",
    "InvariantViolation",
    "LandingError",
    "LandingUnspecified",
    "LedgerConflict",
    "LedgerCorrupt",
    "LedgerError",
    "LedgerLocked",
    "LedgerMissing",
    "LedgerSchemaMismatch",
    "LedgerUnavailable",
    "LedgerUnreadable",
    "MessageIdConflict",
    "ObserverContractError",
    "PleachError",
    "ProviderError",
    "RecoveryExhausted",
    "ReplayDivergence",
    "RuntimeClosed",
    "SeamClassMismatch",
    "StreamAborted",
    "SyncFromAsyncError",
    "SynthesizeCapExceeded",
    "TerminalAlreadyLanded",
    "TerminalConflict",
    "TurnBusy",
    "TurnClosed",
    "TurnError",
    "UnknownTurn",
]
