"""What a SQL ledger needs from a database. The two databases are in `sqlite.py` and `postgres.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy import Dialect

    from pleach_runtime.errors import LedgerError
    from pleach_runtime.ledger.columns import Columns, Row
    from pleach_runtime.ledger.statements import Statements

Access: TypeAlias = Literal["create", "write", "read"]
"""What a ledger is opened for: `create` makes its tables if there are none, `write` and `read` need them there."""


class Connection(Protocol):
    """An open connection to a ledger of the right schema. One thread uses it at a time."""

    @property
    def statements(self) -> Statements:
        """The statements in this database's dialect."""
        ...

    @property
    def is_lost(self) -> bool:
        """Whether the server went away, so that only a new connection can go on."""
        ...

    def transaction(self, *turn_ids: str) -> AbstractContextManager[None]:
        """Hold the locks of these turns, then commit; roll back if the block raises.

        What is read inside the block was committed before the locks were had: no other holder can change it.
        """
        ...

    def fetch(self, statement: str, parameters: Columns) -> list[Row]:
        """Run a query. Outside of a transaction it is one by itself."""
        ...

    def execute(self, statement: str, parameters: Columns) -> int:
        """Run a write, and return how many rows it wrote."""
        ...

    def execute_all(self, statement: str, parameters: Sequence[Columns]) -> None:
        """Run a write for each set of parameters, in order."""
        ...

    def close(self) -> None:
        """Let go of the database. From any thread, once no other uses the connection."""
        ...


class Database(Protocol):
    """Where a ledger is kept."""

    threads: ClassVar[int]
    """How many connections may be open at once, each on a thread of its own."""
    error: ClassVar[type[Exception]]
    """The base of the driver's errors."""

    @property
    def address(self) -> str:
        """Where it is, for messages: without a password."""
        ...

    @property
    def dialect(self) -> Dialect:
        """How its statements are written."""
        ...

    def connect(self) -> Connection:
        """Open a connection; make the tables if there are none and the access is `create`.

        Raises:
            LedgerMissing: if there are no tables, and none were to be made.
            LedgerSchemaMismatch: if the tables are of another version.
        """
        ...

    def meaning(self, error: Exception) -> LedgerError:
        """Return what an error of the driver means to the caller."""
        ...

    def is_collision(self, error: Exception) -> bool:
        """Whether a write was refused because a unique key is taken: reading again tells by what."""
        ...
