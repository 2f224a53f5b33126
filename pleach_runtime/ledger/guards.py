"""Triggers that make the tables of a ledger append-only, whoever writes to them. The tables are in `schema.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import UniqueConstraint

from pleach_runtime.ledger.schema import METADATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Table

SQLITE_UPDATE_GUARD: Final = """
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only: UPDATE refused'); END
"""

SQLITE_DELETE_GUARD: Final = """
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only: DELETE refused'); END
"""

# INSERT OR REPLACE deletes the old row without a word to the DELETE trigger unless recursive triggers are on.
SQLITE_REPLACE_GUARD: Final = """
CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
WHEN {taken}
BEGIN SELECT RAISE(ABORT, '{table} is append-only: a row with this key exists'); END
"""

SQLITE_KEY_TAKEN: Final = "EXISTS (SELECT 1 FROM {table} WHERE {where})"

POSTGRES_REFUSAL: Final = """
CREATE FUNCTION harness_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$
"""

POSTGRES_CHANGE_GUARD: Final = """
CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION harness_refuse_change()
"""

POSTGRES_TRUNCATE_GUARD: Final = """
CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION harness_refuse_change()
"""


def sqlite_guards() -> Iterator[str]:
    """Give the statements that guard the tables of a SQLite file."""
    for table in METADATA.sorted_tables:
        taken = "\n  OR ".join(_taken(table, key, condition) for key, condition in _unique_keys(table))
        yield SQLITE_UPDATE_GUARD.format(table=table.name)
        yield SQLITE_DELETE_GUARD.format(table=table.name)
        yield SQLITE_REPLACE_GUARD.format(table=table.name, taken=taken)


def postgres_guards() -> Iterator[str]:
    """Give the statements that guard the tables of a PostgreSQL database."""
    yield POSTGRES_REFUSAL
    for table in METADATA.sorted_tables:
        yield POSTGRES_CHANGE_GUARD.format(table=table.name)
        yield POSTGRES_TRUNCATE_GUARD.format(table=table.name)


def _unique_keys(table: Table) -> Iterator[tuple[list[str], str | None]]:
    """Give the columns of each unique key, and the condition under which it is unique; `None` is always."""
    yield [column.name for column in table.primary_key], None
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield [column.name for column in constraint.columns], None
    for index in table.indexes:
        if index.unique:
            yield [column.name for column in index.columns], str(index.dialect_options["sqlite"]["where"])


def _taken(table: Table, key: list[str], condition: str | None) -> str:
    same_key = " AND ".join(f"{column} = NEW.{column}" for column in key)
    if condition is None:
        return SQLITE_KEY_TAKEN.format(table=table.name, where=same_key)
    return f"(NEW.{condition} AND {SQLITE_KEY_TAKEN.format(table=table.name, where=f'{same_key} AND {condition}')})"
