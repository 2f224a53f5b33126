"""PCH301 terminal-outside-seam: a row that is marked as the answer of its turn by hand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import words_of
from pleach_lint.flow.objects import given
from pleach_lint.flow.scopes import parameters
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import TERMINAL_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.scopes import FunctionNode

_ASKING: Final = frozenset({
    "all", "assert", "count", "equal", "exclude", "exists", "fetch", "filter", "find", "get", "has", "having",
    "include", "is", "list", "match", "query", "search", "select", "where",
})  # fmt: skip
"""Words of the names of functions that ask for rows, or compare with one."""


class TerminalOutsideSeam(Rule):
    """A row is marked as the answer of its turn outside the seams.

    At most one row of a turn is terminal: the one whose text the user reads. Only the seam knows which that is, since
    it alone holds the slot of the message. A flag that is set elsewhere makes the ledger say one thing and the screen
    another.

    Questions are left alone (`filter(terminal_synthesis=True)`, a comparison), and so are tests.

    Source: the documentation of Pleach, "Call classes", section "Why exactly one terminal synthesis per turn".
    """

    code = "PCH301"
    slug = "terminal-outside-seam"
    signs = ("terminal_synthesis", "terminalSynthesis")
    way_out = "invoke the seam, which marks the row that lands"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "built by hand",
            """
            quality = SynthesisQuality(terminal_synthesis=True, landing=True)  #~ 28
            """,
        ),
        Example(
            "asked for",
            """
            rows = Call.objects.filter(terminal_synthesis=True)
            landed = [row for row in rows if row.terminal_synthesis is True]
            assert rows[0].quality == {"terminalSynthesis": True}
            """,
        ),
        Example(
            "in the JSON of a row, and in an update",
            """
            row["synthesisQuality"] = {"terminalSynthesis": True}  #~ 49
            connection.execute(calls.update().values(terminal_synthesis=True))  #~ 42
            """,
        ),
        Example(
            "not terminal",
            """
            quality = SynthesisQuality(terminal_synthesis=False, landing=False)
            other = {"terminalSynthesis": None}
            """,
        ),
        Example(
            "set on an object, and by a setter",
            """
            row.quality.terminal_synthesis = True  #~ 34
            row["terminal_synthesis"] = True  #~ 29
            object.__setattr__(quality, "terminal_synthesis", True)  #~ 51
            row.terminal_synthesis, row.landing = True, False  #~ 39
            (row.landing, row.terminal_synthesis) = pair
            """,
        ),
        Example(
            "read back from a ledger",
            """
            quality = SynthesisQuality(terminal_synthesis=stored["terminal_synthesis"])
            quality.terminal_synthesis = bool(stored["flag"])
            """,
        ),
        Example(
            "by a constant of another module, and by default",
            """
            from flags import LANDED

            quality = SynthesisQuality(terminal_synthesis=LANDED)  #~ 28

            def row(terminal_synthesis=True):  #~ 28
                return terminal_synthesis
            """,
            files={"flags.py": "LANDED = True\n"},
        ),
        Example(
            "in fields that have a name",
            """
            fields = {"terminal_synthesis": True}  #~ 33
            rows.filter(**fields)
            row.update(**fields)
            """,
        ),
        Example(
            "in a question, or in what is expected, under a name",
            """
            wanted = {"terminal_synthesis": True}
            wanted["landing"] = True
            rows = Call.objects.filter(**wanted)

            def check(row):
                expected = {"terminalSynthesis": True}
                assert row.quality == expected
            """,
        ),
        Example(
            "in a test",
            """
            quality = SynthesisQuality(terminal_synthesis=True)
            fields = {"terminal_synthesis": True}
            quality.terminal_synthesis = True
            """,
            path="tests/rows.py",
        ),
        Example(
            "a column, a question to a table",
            """
            terminal_synthesis = Column("terminal_synthesis", Boolean, nullable=False)
            session.query(Call).filter_by(terminal_synthesis=True).count()
            audit.assert_rows(terminal_synthesis=True)
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        if not view.module.is_test and not _asks(node):
            yield from self._marked(node, view)

    def visit_Dict(self, node: ast.Dict, view: View) -> Iterator[Notice]:
        if view.module.is_test or _is_asked(node, view):
            return
        reads = list(_reads(node, view))
        if not reads or not all(_is_asked(read, view) for read in reads):
            yield from self._marked(node, view)

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign, view: View) -> Iterator[Notice]:
        if not view.module.is_test:
            yield from self._marked(node, view)

    visit_AnnAssign = visit_Assign

    def _marked(self, node: ast.AST, view: View) -> Iterator[Notice]:
        for name, value, place, _ in given(node):
            if name in TERMINAL_FIELDS and view.constant(value) is True:
                yield Notice(place, f"`{name}` is set outside the seams")

    def visit_FunctionDef(self, node: FunctionNode, view: View) -> Iterator[Notice]:
        for argument, default in () if view.module.is_test else parameters(node):
            if argument.arg in TERMINAL_FIELDS and default is not None and view.constant(default) is True:
                yield Notice(default, f"`{argument.arg}` is set outside the seams, by default")

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef


def _is_asked(node: ast.AST, view: View) -> bool:
    """Whether an expression is part of a question or of a comparison."""
    around = view.module.ancestors(node)
    return any(isinstance(outer, ast.Compare) or (isinstance(outer, ast.Call) and _asks(outer)) for outer in around)


def _reads(node: ast.Dict, view: View) -> Iterator[ast.Name]:
    """Where the name is read that a mapping is kept under, but for what adds to it; nothing where it has none."""
    holder = view.module.parents.get(node)
    names = {last_name(target) for target in holder.targets} if isinstance(holder, ast.Assign) else set[str]()
    same = (each for each in view.module.nodes if isinstance(each, ast.Name) and each.id in names)
    for read in same if names else ():
        added_to = isinstance(getattr(view.module.parents[read], "ctx", None), ast.Store)
        if not added_to and any(definition.value is node for definition in view.module.names.definitions(read)):
            yield read


def _asks(call: ast.Call) -> bool:
    return not _ASKING.isdisjoint(words_of(last_name(call.func)).split("_"))
