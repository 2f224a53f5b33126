"""PCH007 callclass-dynamic: a call class of which nobody can tell where it comes from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import declares_seam
from pleach_lint.flow.objects import given
from pleach_lint.flow.openness import Search
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View


class CallclassDynamic(Rule):
    """A call class comes out of a text that is made at run time.

    A class that is read from the environment, a request or a file is a class that anybody can choose. It cannot be
    traced to a seam, to a row or to something that is typed `CallClass`, so neither this linter nor a type checker can
    tell which it is. Let the seam carry it.

    A parameter is left alone, for the callers are looked at.

    Source: the documentation of Pleach, "Call classes", section "The callClass lint".
    """

    code = "PCH007"
    slug = "callclass-dynamic"
    default = False
    way_out = "take the class from a seam, a row or a `CallClass`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "out of the environment, a request, a file",
            """
            import json, os

            resolve_model(call_class=os.environ["LANE"])  #~ 26
            resolve_model(call_class=request.args.get("lane"))  #~ 26
            resolve_model(call_class=json.load(file)["lane"])  #~ 26
            """,
        ),
        Example(
            "of a seam, of a row",
            """
            resolve_model(call_class=seam.call_class)
            resolve_model(call_class=row["call_class"])
            """,
        ),
        Example(
            "of a parameter",
            """
            def ask(prompt, lane, call_class):
                resolve_model(call_class=lane)
                return resolve_model(call_class=call_class)
            """,
        ),
        Example(
            "put together, and under a name",
            """
            lane = input("lane? ")
            resolve_model(call_class=lane)  #~ 26
            resolve_model(call_class=f"{lane}_{tier}")  #~ 26
            """,
        ),
        Example(
            "assigned, and kept in a mapping",
            """
            job.call_class = sys.argv[1]  #~ 18
            job = {"call_class": sys.argv[1]}  #~ 22
            job["call_class"] = read_lane()  #~ 21
            """,
        ),
        Example(
            "what is typed",
            """
            from pleach_runtime import CallClass

            def run(text: str) -> None:
                lane: CallClass = parsed(text)
                resolve_model(call_class=lane)
            """,
        ),
        Example(
            "by position",
            """
            def ask(call_class):
                return resolve_model(call_class=call_class)

            ask(sys.argv[1])  #~ 5
            """,
        ),
        Example(
            "a declaration, and no class at all",
            """
            meta = NodeMetadata(accepts_seam=os.environ["SEAM"])
            resolve_model(call_class=None)
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        yield from self._given(node, view)
        for binding in view.analysis.arguments.of(view.module, node) if view.names_slot else ():
            if view.names_class(binding.key.name) and not binding.route and not declares_seam(binding.key.name):
                yield from _judged(binding.argument, binding.key.name, view)

    def visit_Dict(self, node: ast.Dict | ast.Assign | ast.AnnAssign, view: View) -> Iterator[Notice]:
        yield from self._given(node, view)

    visit_Assign = visit_AnnAssign = visit_Dict

    def _given(self, node: ast.AST, view: View) -> Iterator[Notice]:
        for name, value, _, holder in given(node):
            if view.names_class(name) and not isinstance(holder, ast.AnnAssign):
                yield from _judged(value, name, view)


def _judged(value: ast.expr, name: str, view: View) -> Iterator[Notice]:
    if Search(view.analysis).is_open(view.module, value) and not view.names_class(last_name(value)):
        yield Notice(value, f"`{name}` gets `{ast.unparse(value)}`, which can be any text")
