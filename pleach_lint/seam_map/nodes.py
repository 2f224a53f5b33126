"""The nodes of a module: whatever declares with `accepts_seam` which class it calls. Judges no declaration."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.vocabulary import CLASS_WORDS, DECISION_NODES, DECISION_WORD, DECLARATION_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pleach_lint.flow.analysis import Analysis
    from pleach_lint.flow.module import Module

_STAGES: Final = ("stage_id", "stageId", "stage", "name", "id")
"""What the name of a node stands under, the surest first."""
_NAMED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Declaration(NamedTuple):
    """One node."""

    place: ast.expr
    stage: str
    is_named: bool
    """Whether the source gives the stage; else it is the nearest name around it."""
    words: tuple[str, ...] | None
    """The classes; empty for none; None when the source does not tell."""


def declarations_of(module: Module, analysis: Analysis) -> Iterator[Declaration]:
    """Every node that a module declares, in no particular order."""
    for node in module.nodes:
        for value, beside in _declared(node):
            words = _words(module, analysis, value)
            if words is not None or not analysis.tracer.trace(module, value).inlets:
                yield _declaration(module, analysis, value, beside, words)
        if isinstance(node, ast.Call) and last_name(node.func) in DECISION_NODES:
            beside = _keywords(node)
            if "stage_id" in beside:
                yield _declaration(module, analysis, node, beside, (DECISION_WORD,))


def _declared(node: ast.AST) -> Iterator[tuple[ast.expr, Mapping[str, ast.expr]]]:
    """The values that stand under a name of ours, each with what stands beside it by its name."""
    if isinstance(node, ast.Call):
        beside = _keywords(node)
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        beside = {text: value for key, value in pairs if (text := constant_text(key)) is not None}
    elif isinstance(node, ast.ClassDef):
        beside = dict(_attributes(node))
    else:
        return
    yield from ((beside[name], beside) for name in sorted(DECLARATION_NAMES & beside.keys()))


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}


def _attributes(cls: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The values of a class's attributes; a typed one whose value is None is a field that instances fill."""
    for statement in cls.body:
        if isinstance(statement, ast.Assign):
            yield from ((last_name(target), statement.value) for target in statement.targets)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None and not _is_none(statement.value):
            yield last_name(statement.target), statement.value


def _words(module: Module, analysis: Analysis, value: ast.expr) -> tuple[str, ...] | None:
    if _is_none(value):
        return ()
    found = {arrival.word for arrival in analysis.tracer.trace(module, value).arrivals}
    if isinstance(value, (ast.Name, ast.Attribute)):
        symbols = analysis.references.held(module, value)
        values = ((owner, definition.value) for owner, definition in symbols if definition.value is not None)
        found.update(filter(None, (analysis.tracer.word(owner, each) for owner, each in values)))
    return tuple(word for word in CLASS_WORDS if word in found) or None


def _declaration(
    module: Module,
    analysis: Analysis,
    value: ast.expr,
    beside: Mapping[str, ast.expr],
    words: tuple[str, ...] | None,
) -> Declaration:
    folder = analysis.tracer.folder(module)
    given = next((text for key in _STAGES if key in beside and (text := folder.text(beside[key]))), None)
    return Declaration(value, given or _name_around(module, value), given is not None, words)


def _name_around(module: Module, value: ast.expr) -> str:
    """The nearest name: of an assignment, or of the function or class that holds or is decorated by it."""
    for outer in module.ancestors(value):
        if isinstance(outer, _NAMED):
            return outer.name
        if isinstance(outer, ast.Assign) and last_name(outer.targets[0]) not in DECLARATION_NAMES:
            return last_name(outer.targets[0])
        if isinstance(outer, ast.AnnAssign) and last_name(outer.target) not in DECLARATION_NAMES:
            return last_name(outer.target)
    return module.path.stem


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
