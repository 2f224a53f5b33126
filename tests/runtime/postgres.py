"""A private PostgreSQL server for tests: started in a temporary folder, always stopped. Holds no fixture."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

SUPERUSER = "postgres"
START_SECONDS = 30
SETTINGS = {"fsync": "off", "full_page_writes": "off", "max_wal_size": "2GB"}


def program(name: str) -> str:
    """Return the newest PostgreSQL server program of that name; .ci/install-postgres installs them."""
    packaged = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    return str(max(packaged, key=lambda path: int(path.parts[-3]), default=name))


def account() -> str | None:
    """Return the system account that must run the server, or None for the current one: PostgreSQL refuses root."""
    return SUPERUSER if os.geteuid() == 0 else None


def free_port() -> int:
    """Return a TCP port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Server:
    """One cluster in one folder; it trusts whoever connects through the loopback interface or its own socket."""

    folder: Path
    port: int = 5432
    postmaster: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Lay out an empty cluster in the folder."""
        owner = account()
        shutil.chown(self.folder, owner or os.geteuid())
        layout = [program("initdb"), "--pgdata", str(self.folder / "cluster"), "--username", SUPERUSER]
        layout += ["--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"]
        subprocess.run(layout, check=True, capture_output=True, user=owner, group=owner, cwd=self.folder)

    def start(self) -> None:
        """Start the server and return once it answers."""
        settings = SETTINGS | {"port": str(self.port), "unix_socket_directories": str(self.folder)}
        # The kernel stops the server when the test run dies without a word.
        guard = ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []
        command = [*guard, program("postgres"), "-D", str(self.folder / "cluster")]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        owner = account()
        with (self.folder / "log").open("ab") as log:
            self.postmaster = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                user=owner,
                group=owner,
                extra_groups=[] if owner else None,
                cwd=self.folder,
            )
        self._wait_until_ready()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends it in order, SIGQUIT as a crash would."""
        if self.postmaster is not None:
            self.postmaster.send_signal(how)
            self.postmaster.wait(START_SECONDS)

    def url(self, database: str = SUPERUSER, user: str = SUPERUSER) -> str:
        """Return the address of a database as `open_ledger` and psycopg take it."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str, database: str = SUPERUSER) -> None:
        """Run one statement, or several without parameters, as the superuser."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    @contextmanager
    def schema(self) -> Iterator[str]:
        """Create an empty schema, which is quicker than a database; give the address that has it as its only one."""
        name = f"pleach_{uuid.uuid4().hex}"
        self.run(f"CREATE SCHEMA {name}")
        try:
            yield f"{self.url()}?options=-csearch_path%3D{name}"
        finally:
            self.run(f"DROP SCHEMA {name} CASCADE")

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                return self.run("SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.postmaster is None or self.postmaster.poll() is not None:
                    raise
            time.sleep(0.02)


@contextmanager
def running_server(port: int | None = None) -> Iterator[Server]:
    """Give a started server, on a free port unless one is given; on leaving, stop it and delete its folder."""
    with tempfile.TemporaryDirectory(prefix="pleach-postgres-") as folder:
        server = Server(Path(folder), port or free_port())
        server.create()
        try:
            server.start()
            yield server
        finally:
            server.stop()


def wait_for_a_waiter(url: str) -> None:
    """Return when a ledger waits for a lock that another transaction holds."""
    query = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pleach' AND wait_event_type = 'Lock'"
    with psycopg.connect(url, autocommit=True) as superuser:
        while superuser.execute(query).fetchone() is None:
            time.sleep(0.01)
