"""A pipe with one writer and one reader on one event loop. What goes into it is decided elsewhere."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import Final

ROOM: Final = 64
"""How many pieces the writer may be ahead of the reader. Fewer would cost a switch of tasks for each."""


class Channel:
    """Pieces of text on their way to a reader. A writer who is too far ahead waits."""

    def __init__(self) -> None:
        self._pieces: deque[str] = deque()
        self._filled = asyncio.Event()
        self._drained = asyncio.Event()
        self._room: float = ROOM
        self._ended = False
        self._closed = False

    def offer(self, piece: str) -> bool:
        """Add a piece if there is room, and return whether there was. Without a reader it is dropped."""
        pieces = self._pieces
        if self._closed:
            return True
        if len(pieces) >= self._room:
            return False
        if not pieces:
            self._filled.set()
        pieces.append(piece)
        return True

    async def put(self, piece: str) -> None:
        """Add a piece as soon as there is room."""
        while not self.offer(piece):
            self._drained.clear()
            await self._drained.wait()

    def pop(self) -> str | None:
        """Return the next piece; `None` if there is none now."""
        pieces = self._pieces
        if not pieces:
            return None
        if len(pieces) == self._room:
            self._drained.set()
        return pieces.popleft()

    async def get(self) -> str | None:
        """Return the next piece, as soon as there is one; `None` once the writer has ended."""
        while not self._pieces:
            if self._ended:
                return None
            self._filled.clear()
            await self._filled.wait()
        return self.pop()

    def widen(self) -> None:
        """Let the writer be ahead of the reader without limit, from now on."""
        self._room = math.inf
        self._drained.set()

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
