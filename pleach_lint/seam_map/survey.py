"""A project to its seam map: checks its files, and reads those that carry, declare or leave open a class."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.names import Lexicon
from pleach_lint.flow.openness import open_values
from pleach_lint.flow.tracing import TooFar
from pleach_lint.notebooks import read_notebook
from pleach_lint.project import Project
from pleach_lint.seam_map.factories import carriers
from pleach_lint.seam_map.leaks import Sightings
from pleach_lint.seam_map.model import ClassPart, Factory, Node, Place, SeamMap, Undecided
from pleach_lint.seam_map.nodes import declarations_of
from pleach_lint.source import UnreadableSource, decode
from pleach_lint.syntax import UnparsableSource, with_deep_stack
from pleach_lint.vocabulary import DECISION_NODES, DECLARATION_NAMES, RUNTIME_PACKAGE, SEAM_FACTORIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pleach_lint.baseline.entries import Entry
    from pleach_lint.flow.analysis import Analysis
    from pleach_lint.flow.module import Module
    from pleach_lint.notebooks import Notebook
    from pleach_lint.project import Settings
    from pleach_lint.verdict import Results
    from pleach_lint.walk import Target

_SIGNS: Final = tuple(name.encode() for name in (*sorted(DECLARATION_NAMES | DECISION_NODES), RUNTIME_PACKAGE))
_LONGEST: Final = 60
"""Characters that are shown of an expression."""


class Surroundings(NamedTuple):
    """What a map is said to be of, and what is known already."""

    root: str
    """As it is shown to people."""
    seams: tuple[str, ...]
    entries: tuple[Entry, ...] = ()
    """The baseline."""
    home: Path = Path()
    """The folder of the baseline, absolute."""


def seam_map(targets: Sequence[Target], results: Results, surroundings: Surroundings) -> SeamMap:
    """Draw the map of the files of one project.

    Args:
        targets: The files, all of one project; at least one.
        results: What the check of them found, whatever hides it.
        surroundings: What the map is called, and what hides leaks beside comments and configuration.
    """
    survey = _Survey(targets[0].configuration.settings)
    for target in targets:
        survey.take(target)
    sightings = Sightings.of(targets, results, surroundings.entries, surroundings.home)
    return SeamMap(
        root=surroundings.root,
        files=len(targets),
        seams=surroundings.seams,
        classes=tuple(
            ClassPart(
                word,
                survey.factories_of(word, factory),
                tuple(node for node in survey.nodes if word in node.words),
                tuple(leak for leak in sightings.leaks if leak.word == word and not leak.hidden_by),
                tuple(leak for leak in sightings.leaks if leak.word == word and leak.hidden_by),
            )
            for word, factory in SEAM_FACTORIES.items()
        ),
        seam_free=tuple(node for node in survey.nodes if not node.words),
        undecided=tuple(survey.undecided),
        not_analysed=_once(sightings.not_analysed, survey.unread),
    )


def _once(found: Iterable[Undecided], more: Iterable[Undecided]) -> tuple[Undecided, ...]:
    by_path = {each.place.path: each for each in (*more, *found)}
    return tuple(sorted(by_path.values()))


class _Survey:
    """Collects what stands in the files of a project."""

    def __init__(self, settings: Settings) -> None:
        self._project = Project(settings)
        self._lexicon = Lexicon(settings.names)
        self._factories: dict[str, list[Factory]] = defaultdict(list)
        self._knows_runtime = False
        self.nodes: list[Node] = []
        self.undecided: list[Undecided] = []
        self.unread: list[Undecided] = []

    def factories_of(self, word: str, usual: str) -> tuple[Factory, ...]:
        """The project's own factories of a class; where it has none and knows the runtime, the usual one is there."""
        if self._factories[word] or not self._knows_runtime:
            return tuple(self._factories[word])
        return (Factory(f"{RUNTIME_PACKAGE}.{usual}", None),)

    def take(self, target: Target) -> None:
        """Look at one file; one that cannot be read is told by the check, unless it holds no class word."""
        path = Path(target.real)
        try:
            data = path.read_bytes()
            notebook = read_notebook(data) if target.is_notebook else None
            data = data if notebook is None else notebook.code.encode(errors="replace")
            if target.problem or not self._matters(path, data):
                return
            module = self._project.read(path, decode(data))
            with_deep_stack(lambda: self._look(target, notebook, module, self._project.analysis_of(module)))
        except (OSError, UnreadableSource, UnparsableSource) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else problem.reason
            self.unread.append(Undecided(Place(target.path, 1, 1), f"not analysed: {reason}"))
        except (TooFar, RecursionError):
            self.unread.append(Undecided(Place(target.path, 1, 1), "not analysed: its values come from too far away"))
        self._project.make_room()

    def _matters(self, path: Path, data: bytes) -> bool:
        signs = any(sign in data for sign in _SIGNS)
        return signs or self._project.is_seam(path) or self._lexicon.is_named_in(data.decode(errors="replace"))

    def _look(self, target: Target, notebook: Notebook | None, module: Module, analysis: Analysis) -> None:
        self._knows_runtime = self._knows_runtime or _imports_runtime(module)

        def at(node: ast.expr | ast.stmt) -> Place:
            return Place.of(target.path, module.tree.span(node), notebook)

        if module.is_seam and not _is_stub_of_source(module.path):
            for carrier in carriers(module, analysis):
                self._factories[carrier.word].append(Factory(carrier.name, at(carrier.node)))
        for found in declarations_of(module, analysis):
            if found.words is None:
                self.undecided.append(Undecided(at(found.place), f"declares {_written(found.place)}"))
            else:
                self.nodes.append(Node(found.stage, at(found.place), found.words, found.is_named))
        if not module.is_seam:
            self.undecided += (Undecided(at(node), _written(node)) for node in open_values(module, analysis))


def _imports_runtime(module: Module) -> bool:
    names = (node.module or "" for node in module.nodes if isinstance(node, ast.ImportFrom) and not node.level)
    return any(name.partition(".")[0] == RUNTIME_PACKAGE for name in (*names, *module.dotted_imports))


def _is_stub_of_source(path: Path) -> bool:
    return path.suffix == ".pyi" and path.with_suffix(".py").exists()


def _written(node: ast.expr) -> str:
    """An expression as source, shortened."""
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
