"""PCH102 unknown-call-class: a word where a call class belongs that is none."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.inlets import declaration_of
from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.names import declares_seam
from pleach_lint.flow.objects import given
from pleach_lint.flow.scopes import parameters
from pleach_lint.flow.slots import Notice
from pleach_lint.nearest import nearest
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS, SEAM_FACTORIES, SEAM_GENERICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.scopes import FunctionNode

_LONGEST: Final = 60
"""Characters of a text that a message gives."""


class UnknownCallClass(Rule):
    """A word stands where a call class belongs, and is none of the four.

    A slip such as `"synthesise"` is a class that no seam carries: a node that declares it is never given a seam, and a
    row that says it belongs to no sum. Looked at are `accepts_seam`, what is typed `CallClass`, the argument of
    `ProviderSeam[...]`, and the factories in the seams.

    Source: the documentation of Pleach, "Call classes", section "How call class flows through a node".
    """

    code = "PCH102"
    slug = "unknown-call-class"
    signs = (
        "accepts_seam",
        "acceptsSeam",
        "CallClass",
        "utility_seam",
        "reasoning_seam",
        "converse_seam",
        "synthesize_seam",
        "ProviderSeam",
        "ResolvedModel",
    )
    in_seams = True
    way_out = f"write one of {', '.join(CLASS_WORDS)}"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "a slip in a declaration",
            """
            meta = NodeMetadata(stage_id="answer", accepts_seam="synthesise")  #~ 53
            spec = {"stageId": "answer", "acceptsSeam": "Utility"}  #~ 45
            """,
            fixed="""
            meta = NodeMetadata(stage_id="answer", accepts_seam="synthesize")
            spec = {"stageId": "answer", "acceptsSeam": "utility"}
            """,
        ),
        Example(
            "a class, and none",
            """
            meta = NodeMetadata(stage_id="answer", accepts_seam="synthesize")
            pure = NodeMetadata(stage_id="merge", accepts_seam=None)
            """,
        ),
        Example(
            "what is typed",
            """
            from pleach_runtime import CallClass

            lane: CallClass = "convers"  #~ 19

            def run(lane: CallClass = "reason"):  #~ 27
                return lane

            run(lane="chat")  #~ 10
            """,
            fixed="""
            from pleach_runtime import CallClass

            lane: CallClass = "converse"

            def run(lane: CallClass = "reasoning"):
                return lane

            run(lane="chat")
            """,
        ),
        Example(
            "a result",
            """
            from pleach_runtime import CallClass

            def deep(question) -> CallClass:
                return "reasonin"  #~ 12

            def stage(question) -> str:
                return "reasonin"
            """,
            fixed="""
            from pleach_runtime import CallClass

            def deep(question) -> CallClass:
                return "reasoning"

            def stage(question) -> str:
                return "reasonin"
            """,
        ),
        Example(
            "what is typed otherwise",
            """
            from pleach_runtime import CallClass

            stage: str = "convers"

            def run(lane: CallClass, note: str = "reason"):
                return lane

            run(seam.call_class, note="chat")
            """,
        ),
        Example(
            "in a class, and through a constant of another module",
            """
            from words import DEEP

            class Answer:
                accepts_seam = DEEP  #~ 20
            """,
            files={"words.py": "DEEP = 'deep'\n"},
        ),
        Example(
            "in the type of a seam",
            """
            from pleach_runtime import CallClass, ProviderSeam

            def node(seam: ProviderSeam[Literal["synth"]]) -> CallClass:  #~ 37
                return seam.call_class
            """,
            fixed="""
            from pleach_runtime import CallClass, ProviderSeam, SynthesizeSeam

            def node(seam: SynthesizeSeam) -> CallClass:
                return seam.call_class
            """,
        ),
        Example(
            "a word that is made at run time, and a type that is open",
            """
            meta = NodeMetadata(stage_id="answer", accepts_seam=declared["seam"])

            def node(seam: ProviderSeam[C], other: "ProviderSeam[CallClass]") -> None:
                seam.invoke()
            """,
        ),
        Example(
            "in a factory",
            """
            def utility_seam(deps):
                return make_seam(deps, call_class="utilty")  #~ 39

            def names(deps):
                return label(deps, call_class="any")
            """,
            fixed="""
            def utility_seam(deps):
                return make_seam(deps, call_class="utility")

            def names(deps):
                return label(deps, call_class="any")
            """,
            path="app/seams/factories.py",
            files={"app/seams/__init__.py": "from pleach_runtime.seams import *\n"},
        ),
        Example(
            "in the type of a seam, where nothing else is about classes",
            """
            from typing import Literal
            from pleach_runtime import ProviderSeam

            def node(seam: ProviderSeam[Literal["imagine"]]) -> None: ...  #~ 37

            def other(seam: ProviderSeam[CC]) -> None: ...
            """,
        ),
        Example(
            "another argument of the name",
            """
            Seam(accepts="synthesise")
            weld(accepts_seams=["butt"])
            """,
        ),
    )

    # -- declarations

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        yield from self._declared(node, view)
        for binding in view.analysis.arguments.of(view.module, node) if view.names_slot else ():
            place = declaration_of(binding.key)
            annotation = place.annotation if isinstance(place, (ast.arg, ast.AnnAssign)) else None
            typed = () in view.analysis.types.routes(binding.key.module, annotation)
            if typed and not binding.route and not declares_seam(binding.key.name):
                yield from _judged(binding.argument, f"`{binding.key.name}` is a `CallClass`", view)
        yield from self._in_factory(node, view)

    def visit_Dict(self, node: ast.Dict | ast.Assign, view: View) -> Iterator[Notice]:
        yield from self._declared(node, view)

    visit_Assign = visit_Dict

    def _declared(self, node: ast.AST, view: View) -> Iterator[Notice]:
        for name, value, _, _ in given(node):
            if declares_seam(name):
                yield from _judged(value, f"`{name}` declares the class of a node", view)

    # -- types

    def visit_AnnAssign(self, node: ast.AnnAssign, view: View) -> Iterator[Notice]:
        yield from self._declared(node, view)
        if node.value is not None and () in view.analysis.types.routes(view.module, node.annotation):
            yield from _judged(node.value, f"`{ast.unparse(node.target)}` is a `CallClass`", view)

    def visit_FunctionDef(self, node: FunctionNode, view: View) -> Iterator[Notice]:
        for argument, default in parameters(node):
            if default is not None and () in view.analysis.types.routes(view.module, argument.annotation):
                yield from _judged(default, f"`{argument.arg}` is a `CallClass`", view)

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_Return(self, node: ast.Return, view: View) -> Iterator[Notice]:
        function = view.module.function_of(node)
        declared = None if function is None or isinstance(function, ast.Lambda) else function.returns
        if node.value is not None and () in view.analysis.types.routes(view.module, declared):
            yield from _judged(node.value, "the result is a `CallClass`", view)

    def visit_Subscript(self, node: ast.Subscript, view: View) -> Iterator[Notice]:
        name = last_name(node.value)
        if name not in SEAM_GENERICS:
            return
        for part in ast.walk(node.slice):
            if isinstance(part, ast.Subscript) and last_name(part.value) == "Literal":
                words = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
                for word in words:
                    yield from _judged(word, f"the class of a `{name}`", view)

    # -- factories

    def _in_factory(self, node: ast.Call, view: View) -> Iterator[Notice]:
        function = view.module.function_of(node)
        if view.module.is_seam and getattr(function, "name", "") in SEAM_FACTORIES.values():
            for keyword in node.keywords:
                if view.names_class(keyword.arg):
                    yield from _judged(keyword.value, f"`{keyword.arg}` is the class of a seam", view)


def _judged(value: ast.expr, why: str, view: View) -> Iterator[Notice]:
    text = constant_text(value)
    if text is None:
        constant = view.constant(value)
        text = constant if isinstance(constant, str) else view.text(value)
    if text is not None and text not in CLASS_WORDS:
        meant = nearest(text, CLASS_WORDS)
        probably = f', probably for "{meant}",' if meant else ""
        yield Notice(value, f"{_shown(text)}{probably} is no call class ({why})", meant=meant or "")


def _shown(text: str) -> str:
    """A text as a message gives it: quoted, in one line, and not too long."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if len(quoted) <= _LONGEST else f'{quoted[:_LONGEST]}..."'
