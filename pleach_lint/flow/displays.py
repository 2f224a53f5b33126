"""What stands in displays and in calls that describe a field: elements, keys, choices, defaults."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.module import last_name
from pleach_lint.flow.scopes import Route, Step
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pleach_lint.flow.folding import Folder

Display: TypeAlias = "ast.List | ast.Tuple | ast.Set | ast.Dict"

SPEC_KEYS: Final = frozenset({
    "$eq", "$in", "$ne", "$nin", "allOf", "allowed", "allowed_values", "anyOf", "choices", "const", "default",
    "default_factory", "default_value", "dump_default", "enum", "eq", "equals", "example", "examples",
    "factory", "fallback", "in", "initial", "insert_default", "items", "load_default", "missing", "ne", "new",
    "nin", "not_in", "oneOf", "onupdate", "options", "preset", "return_value", "schema", "server_default",
    "server_onupdate", "side_effect", "type", "validate", "validator", "validators", "value", "values",
})  # fmt: skip
"""Keys and keywords under which the description of a field gives its values. `type` counts for calls only."""

_POSITIONAL_BUILDERS: Final = frozenset({
    "Argument", "AsyncMock", "attrib", "Body", "config_field", "Cookie", "Factory", "field", "Field", "File",
    "Form", "Header", "ib", "MagicMock", "Mock", "Option", "param", "Path", "PropertyMock", "Query",
})  # fmt: skip
_NAMED_BUILDERS: Final = frozenset({"Column", "ContextVar", "mapped_column", "column", "Parameter", "PrivateAttr"})
_FIELD_MODULES: Final = frozenset({"fields", "serializers"})
"""Modules in which every class describes a field: `fields.Str(...)`."""


def is_spec_builder(node: ast.Call) -> bool:
    """Whether a call builds the description of a field: `Field(...)`, `mapped_column(...)`, `CharField(...)`."""
    name = last_name(node.func.value if isinstance(node.func, ast.Subscript) else node.func)
    if name in _POSITIONAL_BUILDERS or name in _NAMED_BUILDERS or name.endswith("Field"):
        return True
    return isinstance(node.func, ast.Attribute) and last_name(node.func.value) in _FIELD_MODULES


def spec_values(node: ast.Call) -> Iterator[ast.expr]:
    """The values that the description of a field gives: its default, its choices, the arguments of its type."""
    positional = last_name(node.func) in _POSITIONAL_BUILDERS
    for argument in node.args:
        if isinstance(argument, ast.Call) or (positional and argument is node.args[0]):
            yield argument
    for keyword in node.keywords:
        if keyword.arg in SPEC_KEYS:
            yield keyword.value.body if isinstance(keyword.value, ast.Lambda) else keyword.value


def table_keys(node: ast.Dict, folder: Folder) -> tuple[ast.expr, ...]:
    """The keys of a mapping that is keyed by class; empty when it is not.

    One is, when all its constant keys are class words, or at least two of them and half.
    """
    keys = [key for key in node.keys if key is not None]
    words = [key for key in keys if folder.text(key) in CLASS_WORDS]
    texts = [key for key in keys if folder.text(key) is not None]
    return tuple(words) if is_class_share(folder, words, texts) or len(words) == len(texts) else ()


def is_class_share(folder: Folder, words: Iterable[ast.expr], texts: Iterable[ast.expr]) -> bool:
    """Whether class words co-occur: two or more distinct ones, and at least half of the constant texts."""
    found = list(words)
    return len({folder.text(word) for word in found}) > 1 and 2 * len(found) >= len(list(texts))


def absorbed(node: Display, folder: Folder) -> Iterator[tuple[ast.expr, Route]]:
    """What a display in a call-class slot holds: elements, first columns of rows, keys of a table, a field's values."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for element in node.elts:
            yield (_class_column(element, folder), ())
    else:
        yield from ((key, ()) for key in table_keys(node, folder))
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None or folder.text(key) in SPEC_KEYS - {"type"}:
                yield value, ()


def _class_column(element: ast.expr, folder: Folder) -> ast.expr:
    if not isinstance(element, (ast.Tuple, ast.List)) or not element.elts:
        return element
    return next((part for part in element.elts if folder.text(part) in CLASS_WORDS), element.elts[0])


def entries(node: ast.expr, route: Route, folder: Folder) -> Iterator[tuple[ast.expr, Route]]:
    """The parts of a display that a non-empty route leads to, each with the rest of the route."""
    step, rest = route[0], route[1:]
    if isinstance(node, ast.Dict):
        yield from _mapping_entries(node, step, rest, folder)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not isinstance(step, str):
        if isinstance(step, int) and not any(isinstance(element, ast.Starred) for element in node.elts):
            yield from ((element, rest) for element in node.elts[step:][:1] if step >= -len(node.elts))
            return
        for element in node.elts:
            yield element, ((Step.EACH, *rest) if isinstance(element, ast.Starred) else rest)


def _mapping_entries(
    node: ast.Dict, step: Step | int | str, rest: Route, folder: Folder
) -> Iterator[tuple[ast.expr, Route]]:
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            yield value, (step, *rest)
        elif step is Step.EACH:
            yield key, rest
        elif step is Step.VALUE or folder.fold(key) in {step, None}:
            yield value, rest
