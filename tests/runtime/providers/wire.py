"""A local HTTP server that answers from a script, byte for byte, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


@dataclass(frozen=True)
class Asked:
    """A request, as it came over the wire."""

    path: str
    headers: dict[str, str]
    """By names in lower case."""
    body: dict[str, object]


@dataclass(frozen=True)
class Reply:
    """What to send, and whether to leave the connection open and silent afterwards."""

    content: bytes
    hang: bool = False


@dataclass
class Wire:
    """The server's address, and what came."""

    url: str
    asked: list[Asked] = field(default_factory=list[Asked])


def answer(body: object, *, status: int = 200, **headers: str) -> Reply:
    """Answer with JSON, or with bytes as they are. Underscores in names of headers stand for hyphens."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(_head(status, {"Content-Type": "application/json", **headers}, len(content)) + content)


def cut_answer(content: bytes) -> Reply:
    """Begin an answer, and close the connection in the middle of it."""
    return Reply(_head(200, {"Content-Type": "application/json"}, len(content) + 100) + content)


def silence(*events: object) -> Reply:
    """Begin a stream of events, or with none nothing at all, and say no more."""
    return Reply(_stream(*events) if events else b"", hang=True)


def stream(*events: object) -> Reply:
    """Answer with a stream of events, each JSON, or text as it is, to its proper end."""
    return Reply(_stream(*events) + b"0\r\n\r\n")


def cut_stream(*events: object) -> Reply:
    """Close the connection after some events."""
    return Reply(_stream(*events))


@asynccontextmanager
async def serving(*script: Reply) -> AsyncGenerator[Wire]:
    """Serve on the loopback interface, one reply of the script per request."""
    replies = iter(script)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with suppress(asyncio.CancelledError):
            wire.asked.append(await _read(reader))
            reply = next(replies)
            writer.write(reply.content)
            await writer.drain()
            if reply.hang:
                await asyncio.sleep(60)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    wire = Wire("http://127.0.0.1:{1}".format(*server.sockets[0].getsockname()))
    try:
        yield wire
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): text for name, _, text in (line.partition(": ") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers["content-length"]))
    return Asked(head[0].split()[1], headers, json.loads(body))


def _head(status: int, headers: dict[str, str], length: int) -> bytes:
    named = {**headers, "Content-Length": str(length), "Connection": "close"}
    lines = [f"HTTP/1.1 {status} Status", *(f"{name.replace('_', '-')}: {text}" for name, text in named.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def _stream(*events: object) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(map(_chunk, events))


def _chunk(event: object) -> bytes:
    kind = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
    text = event if isinstance(event, str) else json.dumps(event)
    content = f"{kind}data: {text}\n\n".encode()
    return f"{len(content):x}\r\n".encode() + content + b"\r\n"
