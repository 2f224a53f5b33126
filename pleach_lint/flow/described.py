"""Calls that name a call-class slot in a text argument: setters, lookups, options, columns, generated classes."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.annotations import ALIASES
from pleach_lint.flow.calls import Key
from pleach_lint.flow.displays import SPEC_KEYS, is_spec_builder
from pleach_lint.flow.module import last_name
from pleach_lint.flow.scopes import Step
from pleach_lint.flow.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pleach_lint.flow.analysis import View

PAIRED: Final = frozenset({
    "__setattr__", "__setitem__", "add_attribute", "add_field", "add_header", "add_metadata", "add_query_param",
    "add_tag", "annotate", "bind_param", "bindparam", "get", "getattr", "getenv", "hset", "hsetnx", "object",
    "patch", "pop", "put", "put_annotation", "put_metadata", "putenv", "set", "set_attribute", "set_context",
    "set_cookie", "set_data", "set_default", "set_extra", "set_field", "set_header", "set_item", "set_label",
    "set_metadata", "set_option", "set_param", "set_property", "set_tag", "set_value", "setattr", "setdefault",
    "setenv", "setitem", "str", "update", "with_field", "with_metadata", "with_tag",
})  # fmt: skip
"""Calls in which a name and its value are adjacent arguments. A fixed list: other calls take two columns so."""

_IDENTIFIER: Final = re.compile(r"[\w.:/\[\]-]{1,120}\Z")
_OPTION: Final = re.compile(r"--?\w[\w-]*\Z")
_NAMING: Final = frozenset({"db_column", "dest", "env", "key", "name"}) | ALIASES
"""Keywords that give the name of what a call describes."""

_GENERATED: Final = frozenset({"make_dataclass", "NamedTuple", "make_class", "define"})


def slot_text(view: View, node: ast.expr | None) -> str | None:
    """The text of an argument, if it is the name of a call-class slot and no prose."""
    text = view.text(node)
    is_name = text is not None and _IDENTIFIER.match(text) is not None
    return text if is_name and view.names_slot and view.names_class(text) else None


def paired(node: ast.Call, view: View) -> Iterator[Slot]:
    """`setattr(x, "call_class", value)`, `cfg.get("call_class", default)`."""
    name = last_name(node.func)
    for before, value in pairwise(node.args):
        text = slot_text(view, before)
        if text is not None and (name in PAIRED or _OPTION.match(text)):
            yield Slot(value, f"value of `{text}` in `{name}(...)`")


def described(node: ast.Call, view: View) -> Iterator[Slot]:
    """The description of a slot: `add_argument("--call-class", choices=...)`, `Enum("utility", name="call_class")`."""
    named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg in _NAMING}
    by_keyword = next((text for value in named.values() if (text := slot_text(view, value))), None)
    text = next((found for argument in node.args if (found := slot_text(view, argument))), by_keyword)
    if text is None or last_name(node.func) == "parametrize":
        return
    why = f"`{last_name(node.func)}(...)` describes `{text}`"
    for keyword in node.keywords:
        if keyword.arg in SPEC_KEYS and (keyword.arg != "type" or isinstance(keyword.value, ast.Call)):
            yield Slot(keyword.value, why)
    for argument in node.args:
        if isinstance(argument, ast.Call) or (by_keyword is not None and slot_text(view, argument) is None):
            yield Slot(argument, why)


def metadata(annotation: ast.expr) -> list[ast.Call]:
    """The calls in `Annotated[str, Field(default="utility")]` that describe a field."""
    if not isinstance(annotation, ast.Subscript) or last_name(annotation.value) != "Annotated":
        return []
    parts = annotation.slice.elts[1:] if isinstance(annotation.slice, ast.Tuple) else []
    return [part for part in parts if isinstance(part, ast.Call) and is_spec_builder(part)]


def parametrized(node: ast.Call, view: View) -> Iterator[Slot]:
    """`parametrize("effort, call_class", rows)`: one column of the rows, by its name or by where the test takes it."""
    if last_name(node.func) == "fixture":
        yield from _fixture(node, view)
    if last_name(node.func) != "parametrize":
        return
    given = [*node.args, *(word.value for word in node.keywords if word.arg in {"argnames", "argvalues"})]
    if len(given) < len(("names", "rows")):
        return
    columns = _columns(given[0], view)
    for place, column in enumerate(columns):
        single = len(columns) == 1 and not isinstance(given[0], (ast.List, ast.Tuple))
        route = (Step.EACH,) if single else (Step.EACH, place)
        if view.names_class(column):
            yield Slot(given[1], f"column `{column}` of `parametrize(...)`", route=route, absorb=False)
        else:
            yield from (Slot(given[1], "", route=route, absorb=False, key=key) for key in _tests(node, view, column))


def _fixture(node: ast.Call, view: View) -> Iterator[Slot]:
    """`@fixture(params=[...])` over a fixture that is named after the class."""
    holder = view.module.parents.get(node)
    if isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)) and view.names_class(holder.name):
        params = (keyword.value for keyword in node.keywords if keyword.arg == "params")
        yield from (Slot(value, f"parameter of the fixture `{holder.name}`") for value in params)


def _columns(node: ast.expr, view: View) -> list[str]:
    if isinstance(node, (ast.Tuple, ast.List)):
        return [view.text(element) or "" for element in node.elts]
    return [name.strip() for name in (view.text(node) or "").split(",")]


def _tests(node: ast.Call, view: View, column: str) -> Iterator[Key]:
    holder = view.module.parents.get(node)
    if isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield Key(view.module, holder, column)


def generated(node: ast.Call, view: View) -> Iterator[Slot]:
    """Generated classes: `make_dataclass("A", [("call_class", str, ...)])`, `namedtuple("B", "call_class", ...)`."""
    name = last_name(node.func)
    if name in _GENERATED:
        for fields in node.args[1:2]:
            rows = fields.elts if isinstance(fields, (ast.List, ast.Tuple)) else []
            for row in rows:
                if isinstance(row, (ast.Tuple, ast.List)) and row.elts and (text := slot_text(view, row.elts[0])):
                    yield from (Slot(part, f"field `{text}` of `{name}(...)`") for part in row.elts[2:])
    elif name == "namedtuple":
        yield from _named_tuple(node, view)


def _named_tuple(node: ast.Call, view: View) -> Iterator[Slot]:
    defaults = next((keyword.value for keyword in node.keywords if keyword.arg == "defaults"), None)
    for place, field in enumerate(reversed(_tuple_fields(node, view)), start=1):
        if defaults is not None and view.names_class(field):
            yield Slot(defaults, f"default of field `{field}`", route=(-place,), absorb=False)


def _tuple_fields(node: ast.Call, view: View) -> list[str]:
    if last_name(node.func) != "namedtuple" or len(node.args) < len(("name", "fields")):
        return []
    return (view.text(node.args[1]) or "").replace(",", " ").split() or _columns(node.args[1], view)


def made_tuple(node: ast.Call, view: View) -> Iterator[Slot]:
    """`Row("utility", 1)`, where `Row = namedtuple("Row", "call_class n")`."""
    held = view.analysis.references.held(view.module, node.func) if isinstance(node.func, ast.Name) else ()
    made = [definition.value for _, definition in held if isinstance(definition.value, ast.Call)]
    for call in made:
        for field, argument in zip(_tuple_fields(call, view), node.args, strict=False):
            if view.names_class(field):
                yield Slot(argument, f"field `{field}`")


def options(elements: list[ast.expr], view: View) -> Iterator[Slot]:
    """`["run", "--call-class", value]`: the element after the option."""
    for before, value in pairwise(elements):
        text = slot_text(view, before)
        if text is not None and _OPTION.match(text):
            yield Slot(value, f"value of the option `{text}`", absorb=False)


CALLS: Final[tuple[Callable[[ast.Call, View], Iterator[Slot]], ...]] = (
    paired,
    described,
    parametrized,
    generated,
    made_tuple,
)
