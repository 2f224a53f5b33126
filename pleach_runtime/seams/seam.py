"""`ProviderSeam` and its four factories: the only carriers of a call class. How a call runs is the lane's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, NoReturn, Protocol, TypeAlias

from typing_extensions import final

from pleach_runtime.ids import check_id
from pleach_runtime.seams.classes import C_co, CallClass, is_converse, is_synthesize
from pleach_runtime.seams.streaming import open_stream
from pleach_runtime.streams.sink import StreamSink
from pleach_runtime.streams.verdicts import check_observers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractAsyncContextManager

    from pleach_runtime.audit import AuditableCall, Outcome
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams.holder import SynthesizeSeamHolder
    from pleach_runtime.seams.streaming import SeamStream
    from pleach_runtime.streams.verdicts import StreamObserver
    from pleach_runtime.turn import Turn

_TOKEN: Final = object()


@dataclass(frozen=True)
class SeamCall:
    """One call, as it was made on a seam."""

    request: SeamRequest
    turn: Turn
    stage_id: str
    message_id: str | None
    landing: bool | None
    sink: StreamSink | None = None
    """Takes the text of the answer on the way; `None` if it is wanted at the end only."""

    def __post_init__(self) -> None:
        """Refuse ids that a ledger could not keep."""
        check_id("stage_id", self.stage_id)
        if self.message_id is not None:
            check_id("message_id", self.message_id)

    def hurry(self) -> None:
        """Let the answer come to its end without a reader."""
        if self.sink is not None:
            self.sink.channel.widen()


class CallRecord(NamedTuple):
    """What came of a call."""

    row: AuditableCall
    """The row that answers the call."""
    recorded: bool
    """Whether the row was there, or on its way, before this call: no provider was called for it."""


class Lane(Protocol):
    """How calls are carried out: which allotment they draw on, and what is recorded."""

    async def run(self, call_class: CallClass, call: SeamCall, /) -> CallRecord:
        """Carry the call out and record it, or raise a `PleachError`."""
        ...


@dataclass(frozen=True)
class SeamDeps:
    """The lanes of a runtime, by allotment. Each factory picks the one of its class."""

    unbounded: Lane
    """Calls without a limit."""
    bounded: Lane
    """Calls up to a bound per turn."""
    counted: Lane
    """Calls that reserve a slot of their turn."""


@dataclass(frozen=True)
class SeamResult(Generic[C_co]):
    """The answer to a call."""

    call_class: C_co
    row: AuditableCall
    """The audit row of the attempt that answered."""
    recorded: bool
    """Whether this was a duplicate delivery, answered without calling a provider."""

    @property
    def text(self) -> str:
        """The text of the answer; empty if there is none, see `outcome`."""
        return "" if self.row.draft is None else self.row.draft.text

    @property
    def outcome(self) -> Outcome:
        """How the attempt ended. Anything but `ok` is not an answer to show as it is."""
        return self.row.outcome

    @property
    def landed(self) -> bool:
        """Whether this is the answer of its turn."""
        return self.row.is_terminal


@final
class ProviderSeam(Generic[C_co]):
    """A call class made real: whoever holds the seam may make calls of that class, and of no other.

    Nominal, final and covariant: a seam of one class goes where any seam is welcome, never where another class is
    asked for. Only the four factories build one; it is read-only, cannot be pickled, and a copy is the seam itself.
    """

    __slots__ = ("_call_class", "_lane")

    _call_class: C_co
    _lane: Lane

    def __init__(self, token: object, call_class: C_co, lane: Lane) -> None:
        if token is not _TOKEN:
            raise TypeError("a ProviderSeam is built by the four seam factories only")
        object.__setattr__(self, "_call_class", call_class)
        object.__setattr__(self, "_lane", lane)

    @property
    def call_class(self) -> C_co:
        """The class of every call that goes through this seam."""
        return self._call_class

    async def invoke(
        self,
        request: SeamRequest,
        *,
        turn: Turn,
        stage_id: str,
        message_id: str | None = None,
        landing: bool | None = None,
    ) -> SeamResult[C_co]:
        """Call a model of this seam's class, and record it.

        Args:
            request: what is asked.
            turn: the turn that the call belongs to.
            stage_id: the place in the program that makes the call.
            message_id: the message that this call answers: the same for each delivery of the same message. `None`
                makes every call a message of its own.
            landing: whether the answer of the turn is to come from this call. Only for the answer class, where `None`
                is yes at cap 1 and not allowed above it.

        Raises:
            InvalidId: if an id is none that every ledger can keep: 1 to 300 characters, no NUL, no half surrogate pair.
            InvalidRequest: if JSON cannot say the request.
            BudgetError: if the turn's allotment for this class is used up; nothing was spent.
            IdempotencyError: if the message id was used for another request, or is being answered elsewhere.
            LandingError: if `landing` is missing where it must be said, is given where nothing lands, or the turn
                already has its answer.
            TurnError: if the turn is closed or belongs to another runtime.
            ProviderError: if the provider failed; the attempt is recorded.
            LedgerError: if something could not be recorded.
        """
        record = await self._lane.run(self._call_class, SeamCall(request, turn, stage_id, message_id, landing))
        return self._result(record)

    def stream(  # noqa: PLR0913 - the arguments of a call, and who looks on
        self,
        request: SeamRequest,
        *,
        turn: Turn,
        stage_id: str,
        message_id: str | None = None,
        landing: bool | None = None,
        observers: Iterable[StreamObserver] = (),
    ) -> AbstractAsyncContextManager[SeamStream[C_co]]:
        """Call a model, and read its answer while it comes: `async with seam.stream(...) as stream`.

        Everything that holds for `invoke` holds here: the slot is reserved before the first byte, and there is one row,
        also of a stream that is left early (`aborted`). The answer on the row is the text as it was shown. A duplicate
        gets the recorded answer in one piece, past its own observers. Once a byte was shown, nothing is tried again.

        Args:
            request: what is asked.
            turn: the turn that the call belongs to.
            stage_id: the place in the program that makes the call.
            message_id: as for `invoke`.
            landing: as for `invoke`.
            observers: asked about each piece before it is shown, in this order. One that fails aborts the stream where
                a user reads along, and is passed over elsewhere.

        Raises:
            ObserverContractError: if an observer is async or cannot be called.
            InvalidId: as `invoke`. Whatever else `invoke` raises is raised while the stream is read, and:
            StreamAborted: if an observer has aborted the answer.
        """
        user_reads = is_converse(self._call_class) or is_synthesize(self._call_class)
        sink = StreamSink(check_observers(observers), fail_closed=user_reads)
        call = SeamCall(request, turn, stage_id, message_id, landing, sink)
        return open_stream(sink, lambda: self._lane.run(self._call_class, call), self._result)

    def _result(self, record: CallRecord) -> SeamResult[C_co]:
        return SeamResult(self._call_class, record.row, record.recorded)

    def __init_subclass__(cls) -> None:
        """Refuse: a subclass could answer for a class that it was not given.

        Raises:
            TypeError: always.
        """
        raise TypeError("ProviderSeam is final")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: a seam never changes its class.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"a ProviderSeam is read-only: cannot set {name!r}")

    def __copy__(self) -> ProviderSeam[C_co]:
        """Return the seam itself."""
        return self

    def __deepcopy__(self, memo: object) -> ProviderSeam[C_co]:
        """Return the seam itself."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse: a seam belongs to its runtime.

        Raises:
            TypeError: always.
        """
        raise TypeError("a ProviderSeam cannot be pickled")

    def __repr__(self) -> str:
        """Name the class, for logs."""
        return f"<ProviderSeam {self._call_class}>"


UtilitySeam: TypeAlias = ProviderSeam[Literal["utility"]]
"""Seam of internal classification: unbounded."""
ReasoningSeam: TypeAlias = ProviderSeam[Literal["reasoning"]]
"""Seam of internal prose: unbounded."""
ConverseSeam: TypeAlias = ProviderSeam[Literal["converse"]]
"""Seam of short user-facing prose: bounded per turn."""
SynthesizeSeam: TypeAlias = ProviderSeam[Literal["synthesize"]]
"""Seam of the final answer: one per runtime, counted per turn."""


def utility_seam(deps: SeamDeps) -> UtilitySeam:
    """Return a seam of internal classification."""
    return ProviderSeam(_TOKEN, "utility", deps.unbounded)


def reasoning_seam(deps: SeamDeps) -> ReasoningSeam:
    """Return a seam of internal prose that feeds the next call."""
    return ProviderSeam(_TOKEN, "reasoning", deps.unbounded)


def converse_seam(deps: SeamDeps) -> ConverseSeam:
    """Return a seam of short user-facing prose that is not the answer."""
    return ProviderSeam(_TOKEN, "converse", deps.bounded)


def synthesize_seam(deps: SeamDeps, *, holder: SynthesizeSeamHolder) -> SynthesizeSeam:
    """Return the seam of the final answer, and put it into the runtime's holder.

    Source: the documentation of Pleach, "Why exactly one terminal synthesis per turn".

    Raises:
        HolderError: if the holder has its seam: there is one per runtime.
    """
    seam: SynthesizeSeam = ProviderSeam(_TOKEN, "synthesize", deps.counted)
    holder.init(seam)
    return seam
