"""PCH101 seam-class-mismatch: a factory that makes a seam of another class than its own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.module import last_name
from pleach_lint.flow.objects import given
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS, SEAM_FACTORIES, SEAM_GENERIC, SEAM_TYPES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from pleach_lint.flow.analysis import View

_FACTORIES: Final = {name: word for word, name in SEAM_FACTORIES.items()}
_TYPES: Final = {name: word for word, name in SEAM_TYPES.items()}
_REST: Final = {"app/seams/__init__.py": "from pleach_runtime.seams import *\n"}
"""The other factories of the package, from the runtime."""


class SeamClassMismatch(Rule):
    """A seam factory carries another class than its name or its type says.

    The four factories are the one place where a class is spelled, so nothing else can notice that two of them were
    mixed up: every caller of `utility_seam` would then make final answers, past the counter.

    Source: the documentation of Pleach, "Call classes", section "The callClass lint".
    """

    code = "PCH101"
    slug = "seam-class-mismatch"
    signs = ("utility_seam", "reasoning_seam", "converse_seam", "synthesize_seam")
    in_seams = True
    way_out = "spell the class that the factory is named after"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "another class in the call",
            """
            def utility_seam(deps) -> UtilitySeam:
                return make_seam(deps, call_class="synthesize")  #~ 39
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "the class of the name",
            """
            def utility_seam(deps) -> UtilitySeam:
                return make_seam(deps, call_class="utility")

            def synthesize_seam(deps) -> ProviderSeam[Literal["synthesize"]]:
                seam = ProviderSeam("synthesize", deps)
                return seam
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "another class in the type of the result",
            """
            def converse_seam(deps) -> ReasoningSeam:  #~ 28
                return ProviderSeam("converse", deps)

            def reasoning_seam(deps) -> "ProviderSeam[Literal['converse']]":  #~ 29
                return ProviderSeam("reasoning", deps)
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "a constant, by position, from another module",
            """
            from .words import DEEP

            def utility_seam(deps):
                seam = ProviderSeam(DEEP, deps)  #~ 25
                return seam
            """,
            path="app/seams/factories.py",
            files={**_REST, "app/seams/words.py": "DEEP = 'reasoning'\n"},
        ),
        Example(
            "by another factory, and by the alias of another type",
            """
            def utility_seam(deps):
                return reasoning_seam(deps)  #~ 12

            def reasoning_seam(deps):
                return ConverseSeam(deps)  #~ 12
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "kept under a name, and by the class in the brackets",
            """
            def utility_seam(deps):
                seam = make_seam("reasoning", deps, timeout=5)  #~ 22
                return seam

            def converse_seam(deps):
                return ProviderSeam[Literal["utility"]](deps)  #~ 12

            def reasoning_seam(deps):
                seam, _ = make_pair("utility", deps)
                return seam
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "factories that are assigned",
            """
            from functools import partial
            from pleach_runtime.seams import reasoning_seam as converse_seam  #~ 34

            utility_seam = lambda deps: make_seam("synthesize", deps)  #~ 39
            reasoning_seam = partial(make_seam, call_class="converse")  #~ 48
            synthesize_seam = utility_seam  #~ 19
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "factories that are assigned, each of its class",
            """
            from functools import partial
            from pleach_runtime.seams import converse_seam as converse_seam, reasoning_seam as deep

            utility_seam = lambda deps: make_seam("utility", deps)
            reasoning_seam = partial(make_seam, call_class="reasoning")
            synthesize_seam = load("synthesize")
            words = {"utility": utility_seam("converse")}
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "a comparison with another class, and a message",
            """
            def converse_seam(deps) -> ConverseSeam:
                if deps.call_class == "synthesize":
                    raise ValueError("synthesize", deps)
                log.debug("converse, not synthesize")
                return make_seam(deps, call_class=CONVERSE)
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "a helper of all factories",
            """
            def any_seam(call_class: CallClass) -> ProviderSeam[CallClass]:
                return ProviderSeam(call_class or "utility")

            def utility_seam() -> ProviderSeam[CallClass]:
                return any_seam("utility")
            """,
            path="app/seams/factories.py",
            files=_REST,
        ),
        Example(
            "a function of the name outside the seams",
            """
            def utility_seam(deps) -> ReasoningSeam:
                return reasoning_seam(deps)
            """,
        ),
    )

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, view: View) -> Iterator[Notice]:
        own = _FACTORIES.get(node.name) if view.module.is_seam else None
        if own is None:
            return
        types = view.seam_words(node.returns) if node.returns is not None else frozenset[str]()
        if node.returns is not None and types and not types & {own, ""}:
            yield Notice(node.returns, f'`{node.name}` is declared to give a seam of "{min(types)}"')
        given_back = {value for part in ast.walk(node) for value in _given_back(part, view)}
        yield from _judged(node.name, ast.walk(node), given_back, view)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign, view: View) -> Iterator[Notice]:
        """`utility_seam = partial(make_seam, call_class="synthesize")`, `utility_seam = synthesize_seam`."""
        for name, value, _, _ in given(node) if view.module.is_seam else ():
            made = value.body if isinstance(value, ast.Lambda) else value
            if name in _FACTORIES:
                yield from _judged(name, ast.walk(value), {made}, view)
                yield from _renamed(name, last_name(made), made)

    visit_AnnAssign = visit_Assign

    def visit_ImportFrom(self, node: ast.ImportFrom, view: View) -> Iterator[Notice]:
        for alias in node.names if view.module.is_seam else ():
            if alias.asname in _FACTORIES:
                yield from _renamed(alias.asname, alias.name, alias)


def _renamed(name: str, other: str, place: ast.AST) -> Iterator[Notice]:
    if other in _FACTORIES and other != name:
        yield Notice(place, f'`{name}` makes a seam of "{_FACTORIES[other]}"')


def _judged(name: str, parts: Iterable[ast.AST], given_back: Container[ast.AST], view: View) -> Iterator[Notice]:
    """The classes that the parts of a factory give to its seam, where they are not its own."""
    for place, word in (found for part in parts for found in _carried(part, given_back, view)):
        if word != _FACTORIES[name]:
            yield Notice(place, f'`{name}` makes a seam of "{word}"')


def _given_back(node: ast.AST, view: View) -> Iterator[ast.AST]:
    """What a statement returns, also by the name that it has."""
    value = node.value if isinstance(node, ast.Return) else None
    if value is not None:
        yield value
    for _, definition in view.analysis.references.symbols(view.module, value) if isinstance(value, ast.Name) else ():
        if definition.value is not None and not definition.route:
            yield definition.value


def _carried(node: ast.AST, given_back: Container[ast.AST], view: View) -> Iterator[tuple[ast.expr, str]]:
    """The classes that a part of a factory gives to the seam."""
    if not isinstance(node, ast.Call) or isinstance(view.module.parents.get(node), ast.Raise):
        return
    for keyword in node.keywords:
        if view.names_class(keyword.arg):
            yield from _words(keyword.value, view)
    name = last_name(node.func)
    other = _FACTORIES.get(name, _TYPES.get(name))
    is_returned = node in given_back
    if other is not None and (is_returned or name in _TYPES):
        yield node, other
    for word in view.seam_words(node.func) if isinstance(node.func, ast.Subscript) else ():
        yield from ((node.func, word),) if word else ()
    for argument in node.args if is_returned or name == SEAM_GENERIC else ():
        yield from _words(argument, view)


def _words(node: ast.expr, view: View) -> Iterator[tuple[ast.expr, str]]:
    word = view.constant(node)
    if isinstance(word, str) and word in CLASS_WORDS:
        yield node, word
