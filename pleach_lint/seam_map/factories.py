"""The functions of a seam package that hand out seams, and the class that each carries. Looks at nothing else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.module import decorator_names, last_name, plain_statements
from pleach_lint.flow.scopes import parameters
from pleach_lint.vocabulary import CLASS_WORDS, SEAM_FACTORIES, SEAM_GENERICS, SEAM_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import Analysis
    from pleach_lint.flow.module import Module

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_SEAM: Final = "seam"
_TYPES: Final = SEAM_GENERICS | frozenset(SEAM_TYPES.values())
_BY_TYPE: Final = {name: word for word, name in SEAM_TYPES.items()}
_BY_NAME: Final = {name: word for word, name in SEAM_FACTORIES.items()}


class Carrier(NamedTuple):
    """A function, and a class that its seams are of."""

    name: str
    word: str
    node: ast.FunctionDef | ast.AsyncFunctionDef


def carriers(module: Module, analysis: Analysis) -> Iterator[Carrier]:
    """The factories of a module of a seam package.

    A factory returns a call that is given a class. One of the usual names whose body does not show its class carries
    the class of its return type, or else of its name. What takes a seam is a check, not a factory.
    """
    for node in module.nodes:
        if isinstance(node, _FUNCTIONS) and _hands_out(node):
            owner = module.class_of(node)
            is_plain = module.parents[node] is module.root
            words = _given(module, analysis, node) or (_declared(module, analysis, node) if is_plain else ())
            for word in words:
                yield Carrier(f"{owner.name}.{node.name}" if owner else node.name, word, node)


def _hands_out(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    takes_seam = any(each.arg == _SEAM or _names_seam(each.annotation) for each, _ in parameters(node))
    return not takes_seam and "overload" not in decorator_names(node)


def _names_seam(annotation: ast.expr | None) -> bool:
    return annotation is not None and any(last_name(part) in _TYPES for part in ast.walk(annotation))


def _given(module: Module, analysis: Analysis, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """The classes that stand in the calls whose value is returned."""
    found = {
        word
        for statement in plain_statements(node.body)
        if isinstance(statement, ast.Return) and statement.value is not None
        for call in _calls(module, analysis, statement.value)
        if _builds_seam(call)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if (word := analysis.tracer.word(module, argument)) is not None
    }
    return tuple(word for word in CLASS_WORDS if word in found)


def _calls(module: Module, analysis: Analysis, value: ast.expr) -> Iterator[ast.Call]:
    """The calls that an expression is the value of, directly or by one name."""
    if isinstance(value, ast.Call):
        yield value
    elif isinstance(value, (ast.Name, ast.Attribute)):
        for _, definition in analysis.references.held(module, value):
            if isinstance(definition.value, ast.Call) and not definition.route:
                yield definition.value


def _builds_seam(call: ast.Call) -> bool:
    function = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    takes_class = any((keyword.arg or "").lower().replace("_", "") == "callclass" for keyword in call.keywords)
    return takes_class or _SEAM in last_name(function).lower()


def _declared(module: Module, analysis: Analysis, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """The class by return type or name, of a factory with one of the usual names."""
    if node.name not in _BY_NAME:
        return ()
    parts = list(ast.walk(node.returns)) if node.returns is not None else []
    by_type = [_BY_TYPE.get(last_name(part)) for part in parts]
    spelled = [analysis.tracer.word(module, part) for part in parts if isinstance(part, ast.Constant)]
    return (next(filter(None, (*by_type, *spelled)), _BY_NAME[node.name]),)
