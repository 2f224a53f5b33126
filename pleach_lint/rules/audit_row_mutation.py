"""PCH302 audit-row-mutation: a row of the ledger that is changed or taken away."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.audit_rows import is_row
from pleach_lint.flow.module import last_name
from pleach_lint.flow.prose import is_prose
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import AUDIT_TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_COPIES: Final = frozenset({"copy", "model_copy"})
_REPLACERS: Final = frozenset({"__replace__", "evolve", "replace"})
_SETTERS: Final = frozenset({"__delattr__", "__setattr__", "delattr", "setattr"})
_GROWERS: Final = frozenset({
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault",
    "sort", "update",
})  # fmt: skip
"""Methods that change a container in its place."""
_HOLE: Final = "\N{REPLACEMENT CHARACTER}"
_TABLE: Final = rf"(?:ONLY\s+|TABLE\s+|IF\s+EXISTS\s+)*(?:[\"'`\[]?\w+[\"'`\]]?\.)?[\"'`\[]?{AUDIT_TABLE}\b"
_CHANGE: Final = re.compile(
    rf"\b(?P<verb>UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM|REPLACE\s+INTO|INSERT\s+OR\s+REPLACE\s+INTO|TRUNCATE|MERGE\s+INTO)"
    rf"\s+{_TABLE}",
    re.IGNORECASE,
)
_UPSERT: Final = re.compile(rf"\bINTO\s+{_TABLE}.*\bDO\s+(?P<verb>UPDATE)\s+SET\b", re.IGNORECASE | re.DOTALL)


class AuditRowMutation(Rule):
    """An audit row is changed, or taken out of the ledger.

    The ledger is append-only: what a row says is what happened. A correction is a new row. That goes for the object
    (`row.usage = ...`, `row.model_copy(update=...)`) as well as for the table (`UPDATE`, `DELETE`, `REPLACE` of
    `harness_auditable_calls`).

    Files and classes that are named after the ledger may copy a row, to chain it to the one before.

    Source: the documentation of Pleach, "Call classes", section "Why exactly one terminal synthesis per turn".
    """

    code = "PCH302"
    slug = "audit-row-mutation"
    signs = ("AuditableCall", "harness_auditable_calls")
    way_out = "append another row: the ledger only grows"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "a field of a row",
            """
            from pleach_runtime import AuditableCall

            def correct(row: AuditableCall, cost):
                row.token_cost = cost  #~ 5
                row.call.call_id = "c2"  #~ 5
                (row.draft, other), *row.tags = cost  #~ 6 26
                setattr(row, "outcome", "ok")  #~ 5
            """,
        ),
        Example(
            "read",
            """
            from pleach_runtime import AuditableCall

            def told(row: AuditableCall, report):
                report.cost = row.token_cost
                report.row = row
                return row.model_copy()
            """,
        ),
        Example(
            "a changed copy",
            """
            import dataclasses
            from pleach_runtime import AuditableCall as Row

            def corrected(rows: list[Row]):
                for row in rows:
                    yield row.model_copy(update={"outcome": "ok"})  #~ 15
                    yield dataclasses.replace(row, outcome="ok")  #~ 15
            """,
        ),
        Example(
            "a changed copy of something else",
            """
            from pleach_runtime import AuditableCall, SessionRuntimeConfig

            def renewed(config: SessionRuntimeConfig, row: AuditableCall):
                config = config.model_copy(update={"family": row.family})
                return row.draft.text.replace("a", "b")
            """,
        ),
        Example(
            "in SQL",
            """
            connection.execute("UPDATE harness_auditable_calls SET outcome = 'ok'")  #~ 20
            connection.execute("delete from public.harness_auditable_calls where turn_id = ?", turn)  #~ 20
            TABLE = "harness_auditable_calls"
            connection.execute(f"DELETE FROM {TABLE} WHERE turn_id = {turn}")  #~ 20
            """,
        ),
        Example(
            "read, appended and guarded in SQL",
            '''
            """DELETE FROM harness_auditable_calls is what nobody may do."""

            connection.execute("SELECT count(*) FROM harness_auditable_calls WHERE updated IS NULL")
            connection.execute("INSERT INTO harness_auditable_calls (turn_id) VALUES (?)", (turn,))
            connection.execute("CREATE TRIGGER t BEFORE UPDATE ON harness_auditable_calls BEGIN SELECT 1; END")
            log.warning("refused: DELETE FROM harness_auditable_calls")
            ''',
        ),
        Example(
            "by an object that holds a row, and one that a function gives",
            """
            from pleach_runtime import AuditableCall

            class Entry:
                row: AuditableCall

            def last() -> AuditableCall: ...

            def mend(entry: Entry):
                entry.row.outcome = "ok"  #~ 5
                last().outcome = "ok"  #~ 5
                del entry.row.draft  #~ 9
            """,
        ),
        Example(
            "a container in a row, in its place",
            """
            from pleach_runtime import AuditableCall

            def grow(row: AuditableCall, rows: list[AuditableCall]):
                row.tags.append("late")  #~ 5
                rows[0].extra["notes"].update(late=True)  #~ 5
            """,
        ),
        Example(
            "a container of rows, and a copy of one in a row",
            """
            from pleach_runtime import AuditableCall

            def gather(row: AuditableCall, rows: list[AuditableCall]):
                rows.append(row)
                rows.sort(key=lambda each: each.started_at)
                list(row.tags).append("late")
                report.tags.append(row.tags.count("late"))
            """,
        ),
        Example(
            "a class derived from a row",
            """
            from pleach_runtime import AuditableCall

            class Shown(AuditableCall):
                title: str = ""

            def retitle(row: Shown):
                row.title = "why"  #~ 5
            """,
        ),
        Example(
            "a class that has only the name",
            """
            class AuditableCall:
                def __init__(self, number):
                    self.number = number

            call = AuditableCall(number="555")
            call.number = "556"
            """,
        ),
        Example(
            "another table, another row",
            """
            class Row:
                cost = 0

            def mend(row: Row):
                row.cost = 1
                connection.execute("UPDATE harness_auditable_calls_copy SET cost = 1")
            """,
        ),
    )

    # -- objects

    def visit_Assign(
        self, node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete, view: View
    ) -> Iterator[Notice]:
        given = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
        for target in (single for each in given for single in _singles(each)):
            if isinstance(target, (ast.Attribute, ast.Subscript)) and _is_within_row(target, view):
                yield Notice(target, f"`{ast.unparse(target)}` is part of an audit row")

    visit_AugAssign = visit_AnnAssign = visit_Delete = visit_Assign

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        name = last_name(node.func)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        changes = any(keyword.arg == "update" for keyword in node.keywords)
        if view.is_of_ledger(node):
            return
        if name in _COPIES and changes and receiver is not None and _is_row(receiver, view):
            yield Notice(node, f"`{ast.unparse(receiver)}` is an audit row, and a copy of it is changed")
        elif name in _GROWERS and isinstance(receiver, (ast.Attribute, ast.Subscript)):
            if _is_within_row(receiver, view):
                yield Notice(node, f"`{ast.unparse(node.func)}(...)` changes a part of an audit row")
        elif name in _REPLACERS | _SETTERS:
            given = [*node.args[:1], *([receiver] if receiver is not None else [])]
            if any(_is_row(each, view) for each in given) and (name in _SETTERS or node.keywords):
                yield Notice(node, f"`{ast.unparse(node.func)}(...)` changes an audit row")

    # -- SQL

    def visit_Constant(self, node: ast.Constant, view: View) -> Iterator[Notice]:
        if isinstance(node.value, str) and not isinstance(view.module.parents.get(node), ast.JoinedStr):
            yield from _told(node, node.value, view)

    def visit_JoinedStr(self, node: ast.JoinedStr, view: View) -> Iterator[Notice]:
        values = (part.value if isinstance(part, ast.FormattedValue) else part for part in node.values)
        yield from _told(node, "".join(view.text(value) or _HOLE for value in values), view)

    def visit_BinOp(self, node: ast.BinOp, view: View) -> Iterator[Notice]:
        pieces = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if not any(AUDIT_TABLE in str(piece.value) and _changed(str(piece.value)) for piece in pieces):
            yield from _told(node, view.text(node) or "", view)


def _singles(target: ast.expr) -> Iterator[ast.expr]:
    """The targets in a target: those that are unpacked into, or itself."""
    if isinstance(target, (ast.Tuple, ast.List)):
        yield from (single for each in target.elts for single in _singles(each))
    else:
        yield target.value if isinstance(target, ast.Starred) else target


def _is_row(node: ast.expr, view: View) -> bool:
    return is_row(view.analysis.references, view.module, node)


def _is_within_row(target: ast.Attribute | ast.Subscript, view: View) -> bool:
    """Whether something to the left of the last dot is a row."""
    node: ast.expr = target
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
        if _is_row(node, view):
            return True
    return False


def _changed(text: str) -> str:
    """What a text of SQL does to the rows; empty when it lets them be."""
    found = (_CHANGE.search(text) or _UPSERT.search(text)) if AUDIT_TABLE in text else None
    return found["verb"].upper() if found else ""


def _told(node: ast.expr, text: str, view: View) -> Iterator[Notice]:
    verb = _changed(text)
    if verb and node not in view.module.bare_strings and not is_prose(view.module, node):
        yield Notice(node, f"`{verb}` of `{AUDIT_TABLE}`")
