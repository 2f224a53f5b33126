"""The server that the tests start: it is stopped, whatever happens."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.runtime.postgres import Server, running_server

if TYPE_CHECKING:
    from pathlib import Path


def test_is_stopped() -> None:
    """Leaving the block ends the server and deletes its folder."""
    with running_server() as server:
        assert server.postmaster is not None
        server.run("SELECT 1")
    assert server.postmaster.poll() == 0
    assert not server.folder.exists()


def test_port_is_taken() -> None:
    """A server that cannot start says so, and does not stay behind."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        taken: int = other.getsockname()[1]
        with pytest.raises(psycopg.OperationalError), ExitStack() as stack:
            stack.enter_context(running_server(taken))


def test_stopping_twice_is_harmless(tmp_path: Path) -> None:
    """A server that never ran can be stopped."""
    Server(tmp_path).stop()
