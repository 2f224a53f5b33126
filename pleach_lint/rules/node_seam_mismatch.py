"""PCH402 node-seam-mismatch: a node that takes another seam than it declares."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import declares_seam, words_of
from pleach_lint.flow.objects import given
from pleach_lint.flow.references import FunctionReference
from pleach_lint.flow.scopes import parameters
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.module import Module

_NONE: Final = ""
"""`accepts_seam=None`: a node that makes no call."""
_METADATA: Final = frozenset({"meta", "metadata"})
"""Words in the name under which a class keeps what it declares."""


class _Declared(NamedTuple):
    """What a node declares, and where."""

    word: str
    place: ast.expr


class _Taken(NamedTuple):
    """A seam that a node takes."""

    module: Module
    place: ast.arg | ast.AnnAssign
    words: frozenset[str]
    """Its classes; the empty string for any class."""


class NodeSeamMismatch(Rule):
    """A node takes a seam of another class than it declares.

    The runtime binds the seam of the class in `accepts_seam` and hands it to the node. A node whose parameter is a seam
    of another class gets one that it was not written for; one that declares None gets no seam at all.

    Looked at are decorators, calls and mappings that join a declaration with a function, and classes that declare one,
    by a field or in their `metadata`.

    Source: the documentation of Pleach, "Call classes", section "How call class flows through a node".
    """

    code = "PCH402"
    slug = "node-seam-mismatch"
    signs = ("accepts_seam", "acceptsSeam")
    way_out = "declare the class of the seam that the node takes"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "by a decorator",
            """
            from pleach_runtime import UtilitySeam

            @node(stage_id="answer", accepts_seam="synthesize")  #~ 39
            async def answer(state, seam: UtilitySeam):
                return await seam.invoke(state)
            """,
        ),
        Example(
            "the seam that is declared",
            """
            from pleach_runtime import SynthesizeSeam

            @node(stage_id="answer", accepts_seam="synthesize")
            async def answer(state, seam: SynthesizeSeam):
                return await seam.invoke(state)
            """,
        ),
        Example(
            "no seam declared, one taken",
            """
            @node(accepts_seam=None)  #~ 20
            def plan(state, *, seam: "ReasoningSeam | None" = None):
                return state

            @node(accepts_seam=None)  #~ 20
            def act(state, seam: ProviderSeam[C]):
                return state
            """,
        ),
        Example(
            "no seam declared, none taken",
            """
            @node(accepts_seam=None)
            def merge(state, other: dict[str, str]):
                return state

            @node(accepts_seam="utility")
            def route(state, seam, note: str):
                return seam
            """,
        ),
        Example(
            "joined in a call and in a mapping, with a function of another module",
            """
            from nodes import answer, plan

            graph.add_node("answer", answer, accepts_seam="utility")  #~ 47
            graph.add_node("plan", plan, accepts_seam="reasoning")
            spec = {"acceptsSeam": "converse", "run": answer}  #~ 24
            """,
            files={
                "nodes.py": "from pleach_runtime import ReasoningSeam, SynthesizeSeam as S\n"
                "def answer(state, seam: S): ...\ndef plan(state, seam: ReasoningSeam): ...\n"
            },
        ),
        Example(
            "a decorator that is called",
            """
            class Ask: ...

            def answer(state, seam: UtilitySeam):
                return state

            answering = node(stage_id="answer", accepts_seam="converse")(answer)  #~ 50
            routing = node(stage_id="route", accepts_seam="utility")(answer)
            asking = node(stage_id="ask", accepts_seam="converse")(Ask())
            """,
        ),
        Example(
            "metadata that is kept under a name",
            """
            META = NodeMetadata(stage_id="answer", accepts_seam="synthesize")  #~ 53

            @node(META)
            def answer(state, seam: ConverseSeam):
                return state
            """,
        ),
        Example(
            "a class",
            """
            class Answer:
                accepts_seam = "synthesize"  #~ 20

                def __init__(self, seam: UtilitySeam):
                    self.seam = seam

            class Plan:
                accepts_seam = None  #~ 20
                seam: ReasoningSeam
            """,
        ),
        Example(
            "a class that takes what it declares, and one that takes any",
            """
            class Answer:
                accepts_seam = "synthesize"

                def __init__(self, seam: SynthesizeSeam, hint: ConverseSeam):
                    self.seam = seam

            class Relay:
                accepts_seam = "converse"

                def run(self, seam: ProviderSeam[C]):
                    return seam
            """,
        ),
        Example(
            "a class by its metadata",
            """
            SHARED = NodeMetadata(stage_id="plan", accepts_seam=None)  #~ 53

            class Answer:
                metadata = NodeMetadata(stage_id="answer", accepts_seam="synthesize")  #~ 61

                async def run(self, state, seam: UtilitySeam):
                    return await seam.invoke(state)

            class Plan:
                metadata: ClassVar[NodeMetadata] = SHARED
                seam: ReasoningSeam

            class Ask:
                META = {"stageId": "ask", "acceptsSeam": "utility"}  #~ 46

                def __call__(self, state, seam: ConverseSeam):
                    return state
            """,
        ),
        Example(
            "a class by its metadata, and one that holds nodes",
            """
            class Answer:
                metadata = NodeMetadata(stage_id="answer", accepts_seam="synthesize")

                async def run(self, state, seam: SynthesizeSeam):
                    return await seam.invoke(state)

            class Graph:
                first = NodeMetadata(stage_id="plan", accepts_seam="reasoning")
                metadata = load()

                def __init__(self, hints: UtilitySeam):
                    self.hints = hints
            """,
        ),
        Example(
            "a declaration that is read at run time",
            """
            @node(accepts_seam=settings.seam)
            def answer(state, seam: ConverseSeam):
                return state

            def answering(state, seam: ConverseSeam, accepts_seam=None):
                return state
            """,
        ),
    )

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, view: View) -> Iterator[Notice]:
        for decorator in node.decorator_list:
            for declared in _of_call(decorator, view):
                yield from _compared(declared, _of_function(view.module, node, view))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        yield from self._joined([*_of_call(node, view), *_of_call(node.func, view)], values, view)

    def visit_Dict(self, node: ast.Dict, view: View) -> Iterator[Notice]:
        yield from self._joined(list(_declarations(node, view)), node.values, view)

    def _joined(self, declared: list[_Declared], values: list[ast.expr], view: View) -> Iterator[Notice]:
        """A declaration that stands beside a function."""
        for value in values if declared else ():
            for reference in view.analysis.references.of(view.module, value):
                if isinstance(reference, FunctionReference):
                    taken = list(_of_function(reference.module, reference.node, view))
                    for each in declared:
                        yield from _compared(each, iter(taken))

    def visit_ClassDef(self, node: ast.ClassDef, view: View) -> Iterator[Notice]:
        declared = [found for statement in node.body for found in _in_body(statement, view)]
        for each in declared:
            yield from _compared(each, _of_class(node, view))


def _of_call(node: ast.expr, view: View) -> Iterator[_Declared]:
    """What a call declares, by a keyword or by metadata that it is given under a name."""
    if not isinstance(node, ast.Call):
        return
    yield from _declarations(node, view)
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        yield from _of_metadata(argument, view)


def _of_metadata(node: ast.expr, view: View) -> Iterator[_Declared]:
    """What metadata declare that stand there, or elsewhere in the file under a name."""
    if isinstance(node, (ast.Call, ast.Dict)):
        yield from _declarations(node, view)
    elif isinstance(node, ast.Name):
        for owner, definition in view.analysis.references.symbols(view.module, node):
            if owner is view.module and isinstance(definition.value, (ast.Call, ast.Dict)):
                yield from _declarations(definition.value, view)


def _in_body(statement: ast.stmt, view: View) -> Iterator[_Declared]:
    """What a class declares in its body, by a field or by its metadata."""
    yield from _declarations(statement, view)
    for name, value, _, _ in given(statement):
        if not _METADATA.isdisjoint(words_of(name).split("_")):
            yield from _of_metadata(value, view)


def _declarations(node: ast.AST, view: View) -> Iterator[_Declared]:
    for name, value, _, _ in given(node):
        constant = view.constant(value)
        if declares_seam(name) and (constant is None or constant in CLASS_WORDS):
            yield _Declared(_NONE if constant is None else str(constant), value)


def _of_function(module: Module, function: ast.AST, view: View) -> Iterator[_Taken]:
    if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for argument, _ in parameters(function):
            yield from _taken(module, argument, view)


def _of_class(node: ast.ClassDef, view: View) -> Iterator[_Taken]:
    for statement in node.body:
        yield from _of_function(view.module, statement, view)
        if isinstance(statement, ast.AnnAssign) and not declares_seam(last_name(statement.target)):
            yield from _taken(view.module, statement, view)


def _taken(module: Module, place: ast.arg | ast.AnnAssign, view: View) -> Iterator[_Taken]:
    words = view.seam_words(place.annotation, module) if place.annotation is not None else frozenset[str]()
    if words:
        yield _Taken(module, place, words)


def _compared(declared: _Declared, taken: Iterator[_Taken]) -> Iterator[Notice]:
    """Nothing, unless each seam that is taken is of another class."""
    seams = list(taken)
    allowed = frozenset(word for seam in seams for word in seam.words)
    if not seams or (declared.word != _NONE and allowed & {declared.word, ""}):
        return
    related = tuple((seam.module, seam.place, "the node takes this seam") for seam in seams)
    kinds = " and ".join(f'"{word}"' if word else "any class" for word in sorted(allowed))
    says = "no seam" if declared.word == _NONE else f'"{declared.word}"'
    yield Notice(declared.place, f"the node declares {says}, and takes a seam of {kinds}", related)
