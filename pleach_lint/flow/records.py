"""Pairs and records that name a call-class slot as text and give its value beside the name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.described import slot_text
from pleach_lint.flow.displays import SPEC_KEYS
from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import words_of
from pleach_lint.flow.scopes import Step
from pleach_lint.flow.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_TAKE_PAIRS: Final = frozenset({
    "Counter", "defaultdict", "dict", "extend", "Headers", "MultiDict", "OrderedDict", "update", "urlencode",
})  # fmt: skip
_HOLD_PAIRS: Final = frozenset({
    "attributes", "attrs", "body", "cookies", "data", "env", "environ", "environment", "extra", "form", "headers",
    "items", "labels", "metadata", "options", "overrides", "pairs", "params", "parameters", "payload", "query",
    "settings", "tags", "variables",
})  # fmt: skip
"""Last segments of the names of lists of names and values. A fixed list: other pairs of texts are two columns."""

_NAME_KEYS: Final = frozenset({"attribute", "column", "field", "key", "label", "loc", "name", "path", "property"})
_TABLES: Final = frozenset({"createDataFrame", "DataFrame", "Table", "from_records"})


def pairs(node: ast.List | ast.Tuple, view: View) -> Iterator[Slot]:
    """`headers=[("X-Call-Class", value)]`, `dict([("call_class", value)])`."""
    if not _holds_pairs(node, view):
        return
    for row in node.elts:
        if isinstance(row, (ast.Tuple, ast.List)) and len(row.elts) == len(("name", "value")):
            text = slot_text(view, row.elts[0])
            if text is not None:
                yield Slot(row.elts[1], f"value beside `{text}`")


def _holds_pairs(node: ast.expr, view: View) -> bool:
    holder = view.module.parents.get(node)
    if isinstance(holder, ast.Call):
        return last_name(holder.func) in _TAKE_PAIRS
    names: list[str] = []
    if isinstance(holder, ast.keyword):
        names = [holder.arg or ""]
    elif isinstance(holder, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        names = [last_name(each) for each in (holder.targets if isinstance(holder, ast.Assign) else [holder.target])]
    return any(words_of(name).rpartition("_")[2] in _HOLD_PAIRS for name in names)


def record(node: ast.Dict, view: View) -> Iterator[Slot]:
    """`{"name": "call_class", "value": value}`."""
    entries = [(view.text(key), value) for key, value in zip(node.keys, node.values, strict=True)]
    named = (slot_text(view, value) for key, value in entries if key in _NAME_KEYS)
    text = next((found for found in named if found is not None), None)
    for key, value in entries if text is not None else ():
        if key in SPEC_KEYS - {"type"}:
            yield Slot(value, f"`{key}` of a record about `{text}`")


def rows(node: ast.Call, view: View) -> Iterator[Slot]:
    """`DataFrame(rows, columns=["call_class", "n"])`: one column of the rows."""
    columns = next((word.value for word in node.keywords if word.arg in {"columns", "schema"}), None)
    if last_name(node.func) in _TABLES and node.args and isinstance(columns, (ast.List, ast.Tuple)):
        for place, column in enumerate(columns.elts):
            text = slot_text(view, column)
            if text is not None:
                yield Slot(node.args[0], f"column `{text}`", route=(Step.EACH, place), absorb=False)


def filled(node: ast.Call, view: View) -> Iterator[Slot]:
    """`dict.fromkeys(["call_class", "lane"], value)`."""
    if last_name(node.func) == "fromkeys" and len(node.args) == len(("names", "value")):
        names = node.args[0].elts if isinstance(node.args[0], (ast.List, ast.Tuple, ast.Set)) else []
        text = next((found for name in names if (found := slot_text(view, name))), None)
        if text is not None:
            yield Slot(node.args[1], f"value under `{text}`")


def renamed(node: ast.Call, view: View) -> Iterator[Slot]:
    """`lit(value).alias("call_class")`."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in {"alias", "as_", "label"} and node.args:
        text = slot_text(view, node.args[0])
        if text is not None:
            yield Slot(node.func.value, f"named `{text}`")


def renames(node: ast.Dict, view: View) -> bool:
    """Whether a mapping gives columns new names: its values are names, no classes."""
    outers = view.module.ancestors(node)
    call = next((outer for outer in outers if not isinstance(outer, ast.keyword)), None)
    return isinstance(call, ast.Call) and last_name(call.func).startswith(("rename", "with_columns_renamed"))
