"""PCH303 audit-row-by-hand: a row of the ledger for a call that no seam made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.module import last_name
from pleach_lint.flow.references import ClassReference, ForeignReference
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import AUDIT_ROW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_MAKERS: Final = frozenset({"construct", "model_construct"})
"""Methods of the class that make a row without checking it."""


class AuditRowByHand(Rule):
    """An audit row is built outside the seams and the ledger.

    A row is the record of a call that a seam made. One that is built by hand says that something happened, and nothing
    proves it. Rows are read with the ledger's own readers; tests may build what they like.

    Files and classes that are named after the ledger are left alone, as is a row that is read: `model_validate(...)`.

    Source: the documentation of Pleach, "Call classes", section "callClass on the audit row".
    """

    code = "PCH303"
    slug = "audit-row-by-hand"
    signs = ("AuditableCall",)
    way_out = "invoke a seam, which writes the row, or read it from the ledger"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "built in a node",
            """
            from pleach_runtime import AuditableCall

            async def node(state, ledger):
                await ledger.append(AuditableCall(outcome="ok", draft=state.text))  #~ 25
            """,
        ),
        Example(
            "written by a seam",
            """
            async def node(state, seam, turn):
                result = await seam.invoke(state.request, turn=turn)
                return result.row
            """,
        ),
        Example(
            "under other names",
            """
            import pleach_runtime
            from pleach_runtime import AuditableCall as Row

            Row(outcome="ok")  #~ 1
            pleach_runtime.audit.AuditableCall(outcome="ok")  #~ 1
            Row.model_construct(outcome="ok")  #~ 1
            """,
        ),
        Example(
            "a type, and a row that is read",
            """
            from pleach_runtime import AuditableCall

            def costs(rows: list[AuditableCall]) -> float:
                return sum(row.token_cost for row in rows if isinstance(row, AuditableCall))

            def read(text) -> AuditableCall:
                return AuditableCall.model_validate_json(text)
            """,
        ),
        Example(
            "by a partial application, and by a class made from it",
            """
            from functools import partial
            from pleach_runtime import AuditableCall

            class Shown(AuditableCall):
                title: str = ""

            make = partial(AuditableCall, outcome="ok")  #~ 8
            Shown(outcome="ok")  #~ 1
            """,
        ),
        Example(
            "in a ledger of one's own",
            """
            from pleach_runtime import AuditableCall

            class RedisLedger:
                def row(self, stored):
                    return AuditableCall(**stored)
            """,
        ),
        Example(
            "in a test",
            """
            from pleach_runtime import AuditableCall

            def a_row(**fields):
                return AuditableCall(**fields)
            """,
            path="tests/rows.py",
        ),
        Example(
            "a row of another kind",
            """
            class Call:
                outcome = "ok"

            call = Call(outcome="ok")  # not an AuditableCall
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        if view.module.is_test or view.is_of_ledger(node):
            return
        made = node.args[0] if last_name(node.func) == "partial" and node.args else node.func
        if isinstance(made, ast.Attribute) and made.attr in _MAKERS:
            made = made.value
        if _is_row_class(made, view):
            yield Notice(node, f"`{ast.unparse(made)}` is an audit row, and it is built by hand")


def _is_row_class(node: ast.expr, view: View) -> bool:
    """Whether an expression is the class of the rows or one derived from it; by its name where nothing is known."""
    references = list(view.analysis.references.of(view.module, node))
    for reference in references:
        if isinstance(reference, ClassReference):
            lineage = list(view.analysis.references.lineage(reference))
            bases = (last_name(base) for cls in lineage for base in cls.node.bases)
            if AUDIT_ROW in {*(cls.node.name for cls in lineage), *bases}:
                return True
        elif isinstance(reference, ForeignReference) and reference.dotted.rpartition(".")[2] == AUDIT_ROW:
            return True
    return not references and last_name(node) == AUDIT_ROW
