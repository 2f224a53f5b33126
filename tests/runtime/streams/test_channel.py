"""Tests of the pipe between an attempt and its reader."""

from __future__ import annotations

import asyncio

from pleach_runtime.streams.channel import ROOM, Channel


async def read(channel: Channel) -> list[str]:
    """Read to the end."""
    pieces = list[str]()
    while (piece := await channel.get()) is not None:
        pieces.append(piece)
    return pieces


async def write(channel: Channel, count: int, written: list[str]) -> None:
    """Write so many pieces, and say what was taken."""
    for number in range(count):
        await channel.put(str(number))
        written.append(str(number))
    channel.end()


async def test_order() -> None:
    """What is written is read in order, by a reader who came first or last."""
    channel = Channel()
    reader = asyncio.create_task(read(channel))
    await write(channel, 100, [])
    assert await reader == [str(number) for number in range(100)]


async def test_writer_waits() -> None:
    """Without anybody reading, a writer gets no further ahead than there is room."""
    channel, written = Channel(), list[str]()
    writer = asyncio.create_task(write(channel, 100, written))
    await asyncio.sleep(0.01)
    assert len(written) == ROOM
    await channel.get()
    await asyncio.sleep(0.01)
    assert len(written) == ROOM + 1
    channel.close()
    await writer
    assert await read(channel) == []


async def test_widened() -> None:
    """Once nobody is waited for, the writer comes to its end, and nothing that it wrote is lost."""
    channel = Channel()
    writer = asyncio.create_task(write(channel, 3 * ROOM, []))
    await asyncio.sleep(0.01)
    channel.widen()
    await writer
    assert await read(channel) == [str(number) for number in range(3 * ROOM)]


async def test_dropped() -> None:
    """What is dropped before it was read is gone, and the writer goes on."""
    channel = Channel()
    writer = asyncio.create_task(write(channel, ROOM + 1, []))
    await asyncio.sleep(0.01)
    channel.drop()
    await writer
    assert await read(channel) == [str(ROOM)]
