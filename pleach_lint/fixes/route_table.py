"""A mapping of models by class, turned into the table of the runtime."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from pleach_lint.finding import Applicability, Edit, Fix, Span
from pleach_lint.fixes.naming import is_ours, named
from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.vocabulary import CLASS_TABLE, CLASS_WORDS, ROUTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.fixes.leak import Leak

_COLON: Final = re.compile(r"[ \t\f]*:[ \t\f]*")


def route_table(leak: Leak) -> Fix | None:
    """`routes={"utility": a, "synthesize": b}` to `routes=CallClassRoutes(utility=a, synthesize=b)`."""
    table = leak.parent
    keyword = leak.view.module.parents.get(table)
    call = leak.view.module.parents.get(keyword) if keyword is not None else None
    if not (isinstance(table, ast.Dict) and isinstance(keyword, ast.keyword) and isinstance(call, ast.Call)):
        return None
    if keyword.arg not in ROUTED.get(last_name(call.func), ()) or not _is_keyed_by_class(table):
        return None
    entries = list(_entries(table, leak))
    name = named(leak, CLASS_TABLE, beside=call.func) if len(entries) == len(table.keys) else None
    if name is None:
        return None
    edits = sorted((*name.edits, *_brackets(leak.span(table), name.text), *entries))
    applicability = Applicability.SAFE if is_ours(call.func, leak) else Applicability.UNSAFE
    return Fix(applicability, f"Use `{name.text}`", tuple(edits))


def _is_keyed_by_class(table: ast.Dict) -> bool:
    """Whether every key is a class of its own, spelled out."""
    words = [constant_text(key) for key in table.keys]
    return len(set(words)) == len(words) and set(words) <= set(CLASS_WORDS)


def _brackets(span: Span, name: str) -> tuple[Edit, Edit]:
    """Braces to the parentheses of a call."""
    opening = Edit(Span(span.row, span.column, span.row, span.column + 1), f"{name}(")
    return opening, Edit(Span(span.end_row, span.end_column - 1, span.end_row, span.end_column), ")")


def _entries(table: ast.Dict, leak: Leak) -> Iterator[Edit]:
    """Keys to keywords, as many as can be: not a key in parentheses, nor one with a comment."""
    for key, value in zip(table.keys, table.values, strict=True):
        colon = _COLON.match(leak.between(key, value)) if key is not None else None
        if key is not None and colon is not None and "#" not in leak.source(key):
            span = leak.span(key)
            whole = Span(span.row, span.column, span.end_row, span.end_column + colon.end())
            yield Edit(whole, f"{constant_text(key)}=")
