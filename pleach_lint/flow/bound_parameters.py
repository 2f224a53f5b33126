"""Values that a query binds to a column of call classes: `execute("... call_class = ?", (value,))`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.scopes import Step
from pleach_lint.flow.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.scopes import Route

_HOLE: Final = r"(?<!:)(?:\?|%s|%\(\w+\)s|[:@][A-Za-z_]\w*|[$:]\d+)"
"""Placeholders of PEP 249 and of asyncpg. Source: https://peps.python.org/pep-0249/#paramstyle."""
_PLACEHOLDER: Final = re.compile(_HOLE)
_OPERATOR: Final = r"={1,2}|!=|<>|\bIS\b(?:\s+NOT)?|\bI?LIKE\b|(?:\bNOT\s+)?\bIN\s*\(|=\s*ANY\s*\("
_COMPARED: Final = re.compile(
    rf"(?<![\w-])(?P<name>[A-Za-z_][\w.]*)[\"'`\])]*(?:::\w+)?\s*(?:{_OPERATOR})\s*(?P<holes>{_HOLE}(?:\s*,\s*{_HOLE})*)",
    re.IGNORECASE,
)
_INSERTED: Final = re.compile(
    r"\bINTO\s+\S+?\s*\((?P<columns>[^)]*)\)\s*VALUES\s*\((?P<cells>(?:[^()]|\([^()]*\))*)\)", re.IGNORECASE
)
_QUERIES: Final = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|REPLACE|WITH|WHERE)\b", re.IGNORECASE)
_CELL: Final = re.compile(r"(?:[^,()]|\([^()]*\))+")
_WRAPPERS: Final = frozenset({"SQL", "text"})
_MANY: Final = frozenset({"executemany", "execute_batch"})
_PARAMETERS: Final = frozenset({"args", "parameters", "params", "values", "vars"})
_UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"


def bound(node: ast.Call, view: View) -> Iterator[Slot]:
    """The parameters of a query, of which a column that names a call class takes one."""
    is_bound_later = isinstance(node.func, ast.Attribute) and node.func.attr == "bindparams"
    holder = node.func.value if is_bound_later and isinstance(node.func, ast.Attribute) else next(iter(node.args), None)
    query = _query(holder, view) if holder is not None and view.names_slot else ""
    for column, parameter in _bindings(query, view) if _QUERIES.search(query) else ():
        for value, route in _values(node, parameter):
            yield Slot(value, f"bound to `{column}` in a query", f"`{column}` of a query", route=route)


def _query(node: ast.expr, view: View) -> str:
    """The text of a query, also inside `text("...")` or `sql.SQL("...")`; empty when it is not known."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and last_name(node.func) in _WRAPPERS:
        node = node.args[0]
    if isinstance(node, ast.JoinedStr):
        return "".join(view.text(part) or _UNKNOWN for part in node.values)
    return view.text(node) or ""


def _bindings(query: str, view: View) -> Iterator[tuple[str, int | str]]:
    """Columns that name a call class, each with the parameter that it is bound to: its place from 0, or its name."""
    places = {match.start(): number for number, match in enumerate(_PLACEHOLDER.finditer(query))}
    for column, start, end in _spans(query):
        if view.names_class(column):
            for hole in _PLACEHOLDER.finditer(query, start, end):
                name = hole[0].strip(":@$%()")
                plain = hole[0] in {"?", "%s"}
                yield column, places[hole.start()] if plain else _parameter(name.removesuffix(")s"))


def _spans(query: str) -> Iterator[tuple[str, int, int]]:
    """Columns, each with the part of the query that holds what it is compared with or set to."""
    for match in _COMPARED.finditer(query):
        yield match["name"], *match.span("holes")
    for match in _INSERTED.finditer(query):
        columns = [column.strip(' \t\r\n"`[]') for column in match["columns"].split(",")]
        for column, cell in zip(columns, _CELL.finditer(query, *match.span("cells")), strict=False):
            yield column, *cell.span()


def _parameter(name: str) -> int | str:
    return int(name) - 1 if name.isdecimal() else name


def _values(node: ast.Call, parameter: int | str) -> Iterator[tuple[ast.expr, Route]]:
    """The expressions that hold a parameter, and the part of each that it is."""
    collected = [keyword.value for keyword in node.keywords if keyword.arg in _PARAMETERS]
    yield from ((keyword.value, ()) for keyword in node.keywords if keyword.arg == parameter)
    for value in (*node.args[1:2], *collected):
        is_many = last_name(node.func) in _MANY or (isinstance(value, ast.List) and isinstance(parameter, str))
        yield from _parts(value, parameter, is_many=is_many)
    if isinstance(parameter, int) and not collected:
        yield from ((value, ()) for value in node.args[1 + parameter : 2 + parameter] if _is_single(value))


def _parts(value: ast.expr, parameter: int | str, *, is_many: bool) -> Iterator[tuple[ast.expr, Route]]:
    """The part itself where it is written down, so that it is told of as a value rather than as an entry."""
    if is_many and isinstance(value, (ast.List, ast.Tuple)):
        for row in value.elts:
            yield from _parts(row, parameter, is_many=False)
    elif is_many:
        yield value, (Step.EACH, parameter)
    elif isinstance(value, (ast.List, ast.Tuple)) and isinstance(parameter, int):
        starred = any(isinstance(element, ast.Starred) for element in value.elts)
        yield from (
            [(value, (parameter,))] if starred else ((each, ()) for each in value.elts[parameter : parameter + 1])
        )
    elif isinstance(value, ast.Dict):
        named = (each for key, each in zip(value.keys, value.values, strict=True) if constant_text(key) == parameter)
        yield from ((each, ()) for each in named)
    else:
        yield value, (parameter,)


def _is_single(node: ast.expr) -> bool:
    """Whether an argument is a parameter by itself, as asyncpg takes them."""
    return not isinstance(node, (ast.Dict, ast.List, ast.ListComp, ast.Starred, ast.Tuple))
