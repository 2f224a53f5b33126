"""A pipe with one writer and one reader on one event loop. What goes into it is decided elsewhere."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

ROOM: Final = 16
"""How many pieces the writer may be ahead of the reader. Fewer would cost a switch of tasks for each."""


class Channel:
    """Pieces of text on their way to a reader. A writer who is too far ahead waits."""

    def __init__(self) -> None:
        self._pieces: deque[str] = deque()
        self._filled = asyncio.Event()
        self._drained = asyncio.Event()
        self._ended = False
        self._closed = False

    async def put(self, piece: str) -> None:
        """Add a piece, as soon as there is room. Without a reader it is dropped."""
        while len(self._pieces) >= ROOM and not self._closed:
            self._drained.clear()
            await self._drained.wait()
        if not self._closed:
            self._pieces.append(piece)
            self._filled.set()

    async def get(self) -> str | None:
        """Return the next piece, as soon as there is one; `None` once the writer has ended."""
        while not self._pieces:
            if self._ended:
                return None
            self._filled.clear()
            await self._filled.wait()
        self._drained.set()
        return self._pieces.popleft()

    def drop(self) -> None:
        """Drop what was not read yet."""
        self._pieces.clear()
        self._drained.set()

    def end(self) -> None:
        """Say that nothing more is written."""
        self._ended = True
        self._filled.set()

    def close(self) -> None:
        """Say that nothing more is read."""
        self._closed = True
        self.drop()
