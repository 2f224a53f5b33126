"""The one synthesize seam of a runtime. What the seam does is in `seam.py`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from pleach_runtime.errors import HolderError
from pleach_runtime.seams.guards import require_synthesize_seam

if TYPE_CHECKING:
    from pleach_runtime.seams.seam import SynthesizeSeam


class SynthesizeSeamHolder:
    """Holds the seam of the final answer: set once at boot, then read by the synthesizer. Safe between threads.

    Source: the documentation of Pleach, "Why per-runtime only" (D-50).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seam: SynthesizeSeam | None = None

    def init(self, seam: SynthesizeSeam) -> None:
        """Set the seam.

        Raises:
            HolderError: if it is set.
            SeamClassMismatch: if it is not a synthesize seam.
        """
        require_synthesize_seam(seam)
        with self._lock:
            if self._seam is not None:
                raise HolderError("the synthesize seam is set: there is one per runtime")
            self._seam = seam

    def get(self) -> SynthesizeSeam:
        """Return the seam.

        Raises:
            HolderError: if it is not set yet.
        """
        if self._seam is None:
            raise HolderError("the synthesize seam is not set: boot the runtime first")
        return self._seam
