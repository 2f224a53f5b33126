"""One visit to a node: the calls that it makes, under its name and with ids of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_runtime.errors import GraphRunError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractAsyncContextManager

    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams import CallClass, ProviderSeam, SeamResult
    from pleach_runtime.seams.classes import C
    from pleach_runtime.seams.streaming import SeamStream
    from pleach_runtime.streams.verdicts import StreamObserver
    from pleach_runtime.turn import Turn


class Stage:
    """What a node makes its calls with. The same visit made again makes the same message ids.

    So a turn that broke off can be run once more: an answer of the synthesize class comes from the record, as long as
    the same is asked. Calls of the other classes are made again.
    """

    def __init__(self, turn: Turn, stage_id: str, visit: str, seam: ProviderSeam[CallClass] | None) -> None:
        self.turn = turn
        self.stage_id = stage_id
        self.visit = visit
        """Which visit of the turn to the node it is."""
        self._seam = seam
        self._calls = 0

    async def invoke(
        self, seam: ProviderSeam[C], request: SeamRequest, *, landing: bool | None = None
    ) -> SeamResult[C]:
        """Call a model. See `ProviderSeam.invoke`.

        Raises:
            GraphRunError: if the seam is not the one that the node was given.
        """
        self._check_own(seam)
        return await seam.invoke(
            request, turn=self.turn, stage_id=self.stage_id, message_id=self._next_message(), landing=landing
        )

    def stream(
        self,
        seam: ProviderSeam[C],
        request: SeamRequest,
        *,
        landing: bool | None = None,
        observers: Iterable[StreamObserver] = (),
    ) -> AbstractAsyncContextManager[SeamStream[C]]:
        """Call a model and read its answer while it comes. See `ProviderSeam.stream`.

        Raises:
            GraphRunError: if the seam is not the one that the node was given.
        """
        self._check_own(seam)
        return seam.stream(
            request,
            turn=self.turn,
            stage_id=self.stage_id,
            message_id=self._next_message(),
            landing=landing,
            observers=observers,
        )

    def _check_own(self, seam: ProviderSeam[CallClass]) -> None:
        if seam is not self._seam:
            own = "no seam" if self._seam is None else f"a {self._seam.call_class} seam"
            raise GraphRunError(self.turn.turn_id, f"node {self.stage_id!r} called another seam: it declares {own}")

    def _next_message(self) -> str:
        self._calls += 1
        return f"{self.stage_id}:{self.visit}" + (f".{self._calls}" if self._calls > 1 else "")
