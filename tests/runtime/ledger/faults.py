"""A database whose connection breaks at the worst moments. It stands in front of a real one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import psycopg
from typing_extensions import override

from pleach_runtime.ledger.postgres import PostgresDatabase

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from pleach_runtime.ledger.columns import Columns, Row
    from pleach_runtime.ledger.connection import Connection
    from pleach_runtime.ledger.statements import Statements


class FaultyConnection:
    """A real connection that is lost just before or just after a commit, once for each planned fault."""

    def __init__(self, real: Connection, faults: list[str]) -> None:
        self._real = real
        self._faults = faults
        self.is_lost = False

    @property
    def statements(self) -> Statements:
        """The statements of the real connection."""
        return self._real.statements

    @contextmanager
    def transaction(self, *turn_ids: str) -> Generator[None]:
        """Run a real transaction, and lose the connection as planned."""
        fault = self._faults.pop() if self._faults else None
        with self._real.transaction(*turn_ids):
            yield
            if fault == "before commit":
                self._lose()
        if fault == "after commit":
            self._lose()

    def fetch(self, statement: str, parameters: Columns) -> list[Row]:
        """Run a query on the real connection."""
        return self._real.fetch(statement, parameters)

    def execute(self, statement: str, parameters: Columns) -> int:
        """Run a write on the real connection."""
        return self._real.execute(statement, parameters)

    def execute_all(self, statement: str, parameters: Sequence[Columns]) -> None:
        """Run writes on the real connection."""
        self._real.execute_all(statement, parameters)

    def close(self) -> None:
        """Close the real connection."""
        self._real.close()

    def _lose(self) -> None:
        self.is_lost = True
        raise psycopg.OperationalError("server closed the connection unexpectedly")


@dataclass(frozen=True)
class FaultyDatabase(PostgresDatabase):
    """A database whose transactions meet the planned faults, the last of the list first."""

    faults: list[str] = field(default_factory=list[str])
    threads: ClassVar[int] = 1

    @override
    def connect(self) -> Connection:
        """Open a real connection, to lose it later."""
        return FaultyConnection(super().connect(), self.faults)
