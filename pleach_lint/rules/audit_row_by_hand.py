"""PCH303 audit-row-by-hand: a row of the ledger for a call that no seam made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.audit_rows import is_row_class
from pleach_lint.flow.module import last_name
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule

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
    So is a class that has only the name: one of another module than the runtime's, the ledger's or a seam's.

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
            "in a folder of ledgers",
            """
            from pleach_runtime import AuditableCall

            def row(stored):
                return AuditableCall(**stored)
            """,
            path="app/ledgers/redis.py",
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
            "a class that has only the name",
            """
            from collections import namedtuple
            from telephony.models import AuditableCall as PhoneCall
            from .billing import AuditableCall as BilledCall

            class AuditableCall:
                def __init__(self, number):
                    self.number = number

            AuditableCall(number="555")
            PhoneCall(number="555")
            BilledCall(number="555")

            class Odd(odd()): ...

            def odd() -> Odd:
                return Odd()

            def other():
                AuditableCall = namedtuple("AuditableCall", "number")
                return AuditableCall(number="555")
            """,
        ),
        Example(
            "from a ledger of one's own, and unknown",
            """
            from acme.ledger import AuditableCall
            from .seams import AuditableCall as Row
            from ours import *

            AuditableCall(outcome="ok")  #~ 1
            Row(outcome="ok")  #~ 1
            rows.AuditableCall(outcome="ok")  #~ 1
            """,
            files={"app/__init__.py": ""},
            path="app/case.py",
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
        if is_row_class(view.analysis.references, view.module, made):
            yield Notice(node, f"`{ast.unparse(made)}` is an audit row, and it is built by hand")
