"""PCH003 callclass-annotation: a class literal in a type."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.slots import Hit
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS, SEAM_GENERICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View


class CallclassAnnotation(Rule):
    """A class literal is spelled in a type.

    A `Literal` of class words outside the seams is a second definition of the vocabulary, and a type that names one
    class by its spelling can be satisfied by spelling it. Use `CallClass`, or the alias of the seam: `SynthesizeSeam`.

    The fix puts in the alias of the seam, and is safe.

    Source: the documentation of Pleach, "Call classes", section "How call class flows through a node".
    """

    code = "PCH003"
    slug = "callclass-annotation"
    family = "callclass-literals"
    rank = 0
    way_out = "name the type: `CallClass`, or `{seam}` for a seam"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "the vocabulary, defined again",
            """
            from typing import Literal

            CallClass = Literal["utility", "reasoning", "converse", "synthesize"]  #~ 21 32 45 57
            """,
        ),
        Example(
            "a seam of one class",
            """
            from typing import Literal

            from pleach_runtime import ProviderSeam, SeamRequest

            def node(seam: ProviderSeam[Literal["synthesize"]]) -> None:  #~ 37
                seam.invoke(SeamRequest.from_text("Why?"))
            """,
            fixed="""
            from typing import Literal

            from pleach_runtime import ProviderSeam, SeamRequest, SynthesizeSeam

            def node(seam: SynthesizeSeam) -> None:
                seam.invoke(SeamRequest.from_text("Why?"))
            """,
        ),
        Example(
            "a seam by its alias",
            """
            def node(seam: SynthesizeSeam) -> None:
                seam.invoke()
            """,
        ),
        Example(
            "in a string, and by the name of the parameter",
            """
            def run(call_class: "Literal['synthesize']"):  #~ 21
                return call_class
            """,
        ),
        Example(
            "another vocabulary",
            """
            Route = Literal["converse", "invoke", "agent"]

            def speak(kind: Literal["reasoning"]) -> "reasoning":
                return kind
            """,
        ),
    )

    def visit_Subscript(self, node: ast.Subscript, view: View) -> Iterator[Hit]:
        yield from self._generic(node, view, node)

    def _generic(self, node: ast.Subscript, view: View, place: ast.AST) -> Iterator[Hit]:
        name = last_name(node.value)
        if name == "Literal":
            yield from self._literal(node, view, place)
        elif name in SEAM_GENERICS:
            yield from _words(node.slice, f"the class of a `{name}`")

    def _literal(self, node: ast.Subscript, view: View, place: ast.AST) -> Iterator[Hit]:
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        named = _slot_name(place, view)
        if named:
            yield from _words(node.slice, f"the type of `{named}`")
        else:
            together = view.co_occurring(arguments)
            yield from (Hit(argument, "one of several class words in a `Literal`", word) for argument, word in together)

    def visit_Constant(self, node: ast.Constant, view: View) -> Iterator[Hit]:
        """An annotation in a string: every finding in it points at the string."""
        if "Literal[" not in (constant_text(node) or "") or not _is_annotation(node, view):
            return
        quoted = view.module.quoted(node)
        for part in ast.walk(quoted) if quoted is not None else ():
            if isinstance(part, ast.Subscript):
                yield from (Hit(node, hit.why, hit.word) for hit in self._generic(part, view, node))


def _words(node: ast.expr, why: str) -> Iterator[Hit]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and part.value in CLASS_WORDS:
            yield Hit(part, why, str(part.value))


def _slot_name(node: ast.AST, view: View) -> str:
    """The name of the slot whose type holds this node; empty when there is none."""
    holder = node
    while not isinstance(holder, (ast.stmt, ast.arg)):
        holder = view.module.parents[holder]
        if isinstance(holder, (ast.Lambda, ast.Call)):
            return ""
        key = _key_of(holder, node) if isinstance(holder, ast.Dict) else None
        if key is not None:
            return key if view.names_class(key) else ""
    return next((name for name in _names_of(holder) if view.names_class(name)), "")


def _names_of(holder: ast.stmt | ast.arg) -> list[str]:
    """The names that a statement or a parameter gives to what it holds."""
    if isinstance(holder, ast.arg):
        return [holder.arg]
    if isinstance(holder, ast.Assign):
        return [last_name(target) for target in holder.targets]
    if isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [holder.name]
    return [last_name(getattr(holder, "target", getattr(holder, "name", holder)))]


def _key_of(holder: ast.Dict, node: ast.AST) -> str | None:
    """The key under which a mapping holds a node, as in `TypedDict("R", {"call_class": Literal[...]})`."""
    pairs = zip(holder.keys, holder.values, strict=True)
    return next(
        (constant_text(key) or "" for key, value in pairs if any(part is node for part in ast.walk(value))), None
    )


def _is_annotation(node: ast.AST, view: View) -> bool:
    inner = node
    while not isinstance(inner, ast.stmt):
        outer = view.module.parents[inner]
        if isinstance(outer, (ast.arg, ast.AnnAssign)):
            return outer.annotation is inner
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return outer.returns is inner
        if isinstance(outer, ast.Call):
            return last_name(outer.func) == "cast" and outer.args[:1] == [inner]
        inner = outer
    return False
