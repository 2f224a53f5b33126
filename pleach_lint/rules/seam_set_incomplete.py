"""PCH103 seam-set-incomplete: a seam package without one of the factories, or with two for one class."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pleach_lint.flow.scopes import Binding
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import SEAM_FACTORIES

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.module import Module

_IN_FULL = "".join(f"def {name}(): ...\n" for name in SEAM_FACTORIES.values())
_DEFINING = frozenset({Binding.CLASS, Binding.FUNCTION, Binding.VALUE})


class SeamSetIncomplete(Rule):
    """A seam package lacks one of the four factories, or has two for one class.

    The package is complete when each class has exactly one factory: `utility_seam`, `reasoning_seam`, `converse_seam`
    and `synthesize_seam`. Where one is missing, its calls find another way; where there are two, the counter of final
    answers can be got round.

    Reported at the first line of the package: of its `__init__.py`, or of the first file that names a factory. What is
    imported from elsewhere counts. A package that defines none of the four is left alone.

    Source: the documentation of Pleach, "Call classes", section "The callClass lint".
    """

    code = "PCH103"
    slug = "seam-set-incomplete"
    signs = ("utility_seam", "reasoning_seam", "converse_seam", "synthesize_seam")
    in_seams = True
    way_out = "give each class exactly one factory"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "two of the four",
            """
            def utility_seam(): ...  #~ 1
            def synthesize_seam(): ...
            """,
            path="app/seams/__init__.py",
        ),
        Example("all four", _IN_FULL, path="app/seams/__init__.py"),
        Example(
            "one of them in two files",
            """
            from app.seams.made import converse_seam, reasoning_seam, synthesize_seam, utility_seam  #~ 1
            """,
            path="app/seams/__init__.py",
            files={"app/seams/made.py": _IN_FULL, "app/seams/older.py": "def utility_seam(): ...\n"},
        ),
        Example(
            "spread over files",
            """
            from app.seams.more import converse_seam, reasoning_seam

            def utility_seam(): ...
            def synthesize_seam(): ...
            """,
            path="app/seams/__init__.py",
            files={"app/seams/more.py": "def reasoning_seam(): ...\ndef converse_seam(): ...\n"},
        ),
        Example(
            "in a package without an `__init__`",
            """
            utility_seam = make("utility")  #~ 1
            """,
            path="app/seams/cheap.py",
        ),
        Example(
            "some of one's own, the rest of the runtime",
            """
            from pleach_runtime import converse_seam, reasoning_seam, utility_seam

            def synthesize_seam(): ...
            """,
            path="app/seams/__init__.py",
        ),
        Example(
            "imported in full from another package",
            """
            from pleach_runtime import utility_seam as cheap_seam
            from pleach_runtime.seams import utility_seam
            """,
            path="app/seams/__init__.py",
        ),
        Example(
            "one of them is missing, and its name stands in the text",
            """
            # synthesize_seam is to come  #~ 1
            from app.seams.made import utility_seam
            """,
            path="app/seams/__init__.py",
            files={"app/seams/made.py": _IN_FULL.replace("def synthesize_seam", "def synthesize_seam_later")},
        ),
        Example(
            "functions of the names outside a seam package",
            """
            def utility_seam(): ...
            """,
        ),
    )

    def visit_Module(self, node: ast.Module, view: View) -> Iterator[Notice]:
        package = view.analysis.finder.seam_package(view.module) if view.module.is_seam else ()
        modules = tuple(view.module if each.path == view.module.path else each for each in package)
        first = next((each for each in modules if _names_factory(each)), None)
        if first is view.module:
            yield from (Notice(node, problem) for problem in _problems(modules))


def _names_factory(module: Module) -> bool:
    return any(name in module.tree.source.text for name in SEAM_FACTORIES.values())


def _problems(modules: tuple[Module, ...]) -> Iterator[str]:
    defined = {name: [each for each in modules if _binds(each, name, _DEFINING)] for name in SEAM_FACTORIES.values()}
    if not any(defined.values()):
        return
    for name, places in defined.items():
        if len(places) > 1:
            yield f"`{name}` is defined in {' and in '.join(f'`{each.place}`' for each in places)}"
    imported = frozenset({Binding.IMPORT})
    missing = [name for name, places in defined.items() if not places]
    missing = [
        name for name in missing if not any(_binds(each, name, imported) or each.names.stars for each in modules)
    ]
    if missing:
        yield f"the seam package has no {' and no '.join(f'`{name}`' for name in missing)}"


def _binds(module: Module, name: str, bindings: frozenset[Binding]) -> bool:
    """Whether a module gives a name a value of its own, or imports it."""
    return any(definition.binding in bindings for definition in module.names.module.last.get(name, ()))
