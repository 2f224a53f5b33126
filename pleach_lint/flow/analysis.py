"""The analysis of a project, put together: every question that a rule may ask about a module."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.annotations import ClassTypes
from pleach_lint.flow.calls import Arguments
from pleach_lint.flow.constants import UNKNOWN, constant_of
from pleach_lint.flow.inlets import Inlets
from pleach_lint.flow.module import constant_text, last_name, plain_statements
from pleach_lint.flow.names import Lexicon, words_of
from pleach_lint.flow.objects import class_names_of
from pleach_lint.flow.references import References
from pleach_lint.flow.scopes import parameters
from pleach_lint.flow.seam_types import seam_words
from pleach_lint.flow.slots import Hit, Notice, Slot, Use
from pleach_lint.flow.subjects import Subjects
from pleach_lint.flow.tables import Tables
from pleach_lint.flow.tracing import Tracer
from pleach_lint.vocabulary import CLASS_WORDS, RUNTIME_PACKAGE

_LEDGER: Final = frozenset({"ledger", "ledgers"})

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pleach_lint.flow.constants import Constant, Unknown
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.scopes import FunctionNode
    from pleach_lint.flow.symbols import ModuleFinder

    Visitors = dict[type[ast.AST], list[tuple[str, Callable[[ast.AST, "View"], Iterable[Use]]]]]
    """By node type: the code of a rule, and its visitor."""
    Unconcerned = Callable[[Module], frozenset[str]]
    """Tells the codes of the rules that have no business in a module."""


class Analysis:
    """Everything that is known about one project; modules are read when they are first needed."""

    def __init__(
        self,
        finder: ModuleFinder,
        visitors: Visitors,
        names: Iterable[str] = (),
        *,
        unconcerned: Unconcerned = lambda _: frozenset(),
        strict: bool = False,
    ) -> None:
        self.strict = strict
        self.foreign_slots: dict[str, list[int | str]] = {}
        """By the dotted name of a callable outside the project: the places and keywords that take a class."""
        self.finder = finder
        self.lexicon = Lexicon(names)
        self.references = References(finder)
        self.types = ClassTypes(self.references)
        self.arguments = Arguments(self.references)
        self.subjects = Subjects(self.references, self.types, self.arguments, self.lexicon)
        self.tracer = Tracer(self.references)
        self.tables = Tables(self.tracer, self.subjects)
        self.inlets = Inlets(self.tracer, self.types, self.lexicon, self.slots)
        self._visitors = visitors
        self._unconcerned = unconcerned
        self._uses: dict[tuple[Module, frozenset[str]], tuple[tuple[str, Use], ...]] = {}

    def uses(self, module: Module, without: frozenset[str] = frozenset()) -> tuple[tuple[str, Use], ...]:
        """What the rules find in a module, each with the code of the rule; `without` some rules, by their codes."""
        key = (module, without)
        if key not in self._uses:
            self._uses[key] = tuple(self._visit(View(self, module), without | self._unconcerned(module)))
        return self._uses[key]

    def slots(self, module: Module) -> tuple[Slot, ...]:
        """The slots among them."""
        return tuple(use for _, use in self.uses(module) if isinstance(use, Slot))

    def _visit(self, view: View, out_of_place: frozenset[str]) -> Iterator[tuple[str, Use]]:
        for node in view.module.nodes:
            for code, visitor in self._visitors.get(type(node), ()):
                if code not in out_of_place:
                    yield from ((code, use) for use in visitor(node, view))


class View:
    """One module, with the questions that rules ask."""

    def __init__(self, analysis: Analysis, module: Module) -> None:
        self.analysis = analysis
        self.module = module
        self._declarations: dict[FunctionNode | None, list[tuple[str, ast.expr]]] = {}

    @cached_property
    def spelled_words(self) -> frozenset[str]:
        """The class words that stand in the text of the file."""
        return frozenset(word for word in CLASS_WORDS if word in self.module.tree.source.text)

    @cached_property
    def names_slot(self) -> bool:
        """Whether the file names a slot at all; names put together by computation count only then."""
        return self.analysis.lexicon.is_named_in(self.module.tree.source.text)

    @property
    def strict(self) -> bool:
        """Whether every string that equals a class word is reported."""
        return self.analysis.strict

    @cached_property
    def is_aware(self) -> bool:
        """Whether the module imports the runtime or a seam package."""
        return any(self._is_aware_import(node) for node in self.module.nodes)

    def _is_aware_import(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Import):
            return any(self._is_seam(alias.name, 0) for alias in node.names)
        if not isinstance(node, ast.ImportFrom):
            return False
        inside = (".".join(part for part in (node.module, alias.name) if part) for alias in node.names)
        return self._is_seam(node.module or "", node.level) or any(self._is_seam(name, node.level) for name in inside)

    def _is_seam(self, dotted: str, level: int) -> bool:
        if not level and dotted.partition(".")[0] == RUNTIME_PACKAGE:
            return True
        return getattr(self.analysis.finder.imported(self.module, dotted, level), "is_seam", False)

    def is_of_ledger(self, node: ast.AST) -> bool:
        """Whether the file, or a class around a node, is named after the ledger."""
        names = self.module.place.removesuffix(".py").split("/")
        names += [outer.name for outer in self.module.ancestors(node) if isinstance(outer, ast.ClassDef)]
        return any(not _LEDGER.isdisjoint(words_of(name).split("_")) for name in names)

    def names_class(self, name: str | None) -> bool:
        """Whether a value under this name is a call class, or a container of them."""
        return name is not None and self.analysis.lexicon.names_class(name)

    def holds_class(self, node: ast.expr) -> bool:
        """Whether an expression is a call class: by its name, its type, or what flows into it in this file."""
        return self.analysis.subjects.holds_class(self.module, node)

    def lists_classes(self, node: ast.expr) -> bool:
        """Whether an expression is a container of call classes, or a mapping keyed by them."""
        return self.analysis.subjects.lists_classes(self.module, node)

    def is_class_table(self, node: ast.expr) -> bool:
        """Whether an expression is a mapping keyed by class: by its name, its type, or the display behind it."""
        if self._names_table(node) or self.analysis.subjects.is_typed_table(self.module, node):
            return True
        return self.analysis.tables.is_keyed_by_class(self.module, node)

    def _names_table(self, node: ast.expr) -> bool:
        name = constant_text(node.slice) if isinstance(node, ast.Subscript) else last_name(node)
        return name is not None and self.analysis.lexicon.names_class_table(name)

    def co_occurring(self, nodes: Iterable[ast.expr]) -> Iterator[tuple[ast.expr, str]]:
        """The class words among expressions, when two distinct ones make up half of the constant texts.

        A word counts only if the file spells it: a file without the words must be silent without being parsed.
        """
        texts = [(node, text) for node in nodes if (text := self.text(node)) is not None]
        words = [(node, text) for node, text in texts if text in self.spelled_words]
        if len({word for _, word in words}) > 1 and 2 * len(words) >= len(texts):
            yield from words

    def declared(self, name: ast.Name) -> Iterator[ast.expr]:
        """The annotations that the scope of a name gives it: of a parameter, or of a statement `name: type`."""
        function = self.module.function_of(name)
        if function not in self._declarations:
            self._declarations[function] = list(self._declarations_of(function))
        yield from (annotation for declared, annotation in self._declarations[function] if declared == name.id)

    def _declarations_of(self, function: FunctionNode | None) -> Iterator[tuple[str, ast.expr]]:
        body: list[ast.stmt] = self.module.root.body
        if function is not None:
            yield from ((each.arg, each.annotation) for each, _ in parameters(function) if each.annotation is not None)
            body = [] if isinstance(function, ast.Lambda) else function.body
        for statement in plain_statements(body):
            if isinstance(statement, ast.AnnAssign) and statement.value is None:
                yield last_name(statement.target), statement.annotation

    def text(self, node: ast.expr | None) -> str | None:
        """The constant text that an expression folds to."""
        return None if node is None else self.analysis.tracer.folder(self.module).text(node)

    def constant(self, node: ast.expr) -> Constant | Unknown:
        """The number, truth, None or text that an expression always is."""
        constant = constant_of(self.analysis.references, self.module, node)
        computed = self.analysis.tracer.folder(self.module).fold(node) if constant is UNKNOWN else None
        return computed if isinstance(computed, int) else constant

    def class_names(self, node: ast.expr) -> frozenset[str]:
        """The names of the classes of which an expression can be an object."""
        return class_names_of(self.analysis.references, self.module, node)

    def seam_words(self, annotation: ast.expr, module: Module | None = None) -> frozenset[str]:
        """The classes of the seams that an annotation, of this module or another, allows; the empty string for any."""
        return seam_words(self.analysis.references, module or self.module, annotation)

    def word(self, node: ast.expr) -> str | None:
        """The class word that an expression folds to."""
        return self.analysis.tracer.word(self.module, node)


__all__ = ("Analysis", "Hit", "Notice", "Slot", "Use", "View")
