"""The value of a constant expression, computed without evaluating code. What cannot be decided is None."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.module import last_name
from pleach_lint.flow.operations import (
    LONGEST,
    Value,
    added,
    attempt,
    calculated,
    called,
    called_method,
    filled,
    formatted,
    percent,
    repeated,
    translated,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NameValue: TypeAlias = "Callable[[ast.Name | ast.Attribute], Value | None]"
"""The one constant that a name always stands for, or None when there is none or more than one."""

_IDENTITIES: Final = frozenset({"str", "intern"})


class Folder:
    """Folds the expressions of one module; values are remembered by node."""

    def __init__(self, name_value: NameValue) -> None:
        self._name_value = name_value
        self._known: dict[ast.expr, Value | None] = {}

    def fold(self, node: ast.expr) -> Value | None:
        """The constant value of `node`, or None when it is not constant or too large to compute."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, (str, bytes, int)) else None
        if node not in self._known:
            self._known[node] = None
            try:
                self._known[node] = self._compute(node)
            except BaseException:
                del self._known[node]
                raise
        return self._known[node]

    def text(self, node: ast.expr) -> str | None:
        """The value of `node` if it is constant text."""
        value = self.fold(node)
        return value if isinstance(value, str) else None

    def _compute(self, node: ast.expr) -> Value | None:
        method = getattr(self, f"_fold_{type(node).__name__}", None)
        value: Value | None = method(node) if method else None
        return value if not isinstance(value, (str, bytes, tuple)) or len(value) <= LONGEST else None

    def _fold_Name(self, node: ast.Name) -> Value | None:
        return self._name_value(node)

    def _fold_Attribute(self, node: ast.Attribute) -> Value | None:
        return self._name_value(node)

    def _fold_NamedExpr(self, node: ast.NamedExpr) -> Value | None:
        return self.fold(node.value)

    def _fold_Tuple(self, node: ast.Tuple) -> Value | None:
        return self._all(node.elts)

    def _fold_List(self, node: ast.List) -> Value | None:
        return self._all(node.elts)

    def _all(self, nodes: Sequence[ast.expr]) -> tuple[Value, ...] | None:
        values = [self.fold(node) for node in nodes]
        known = tuple(value for value in values if value is not None)
        return known if len(known) == len(values) else None

    def _fold_UnaryOp(self, node: ast.UnaryOp) -> Value | None:
        value = self.fold(node.operand)
        return -value if isinstance(node.op, ast.USub) and isinstance(value, int) else None

    def _fold_BinOp(self, node: ast.BinOp) -> Value | None:
        """A chain of `+` leans left thousands deep, so its sums are computed and remembered in a loop."""
        sums: list[ast.BinOp] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
            if left is not node and left in self._known:
                break
            sums.append(left)
            left = left.left
        if not sums:
            return self._other_operator(node)
        total = self.fold(left)
        for each in reversed(sums):
            total = added(total, self.fold(each.right)) if total is not None else None
            self._known[each] = total
        return total

    def _other_operator(self, node: ast.BinOp) -> Value | None:
        left, right = self.fold(node.left), self.fold(node.right)
        if left is None:
            return None
        if isinstance(left, int) and isinstance(right, int):
            return calculated(left, node.op, right)
        if isinstance(node.op, ast.Mult):
            return repeated(left, right)
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            filling = right if right is not None else self._mapping(node.right)
            return None if filling is None else percent(left, filling)
        return None

    def _mapping(self, node: ast.expr) -> dict[str, Value] | None:
        if not isinstance(node, ast.Dict):
            return None
        pairs = {self.text(key): self.fold(value) for key, value in zip(node.keys, node.values, strict=True) if key}
        known = {key: value for key, value in pairs.items() if key is not None and value is not None}
        return known if len(known) == len(node.keys) else None

    def _fold_JoinedStr(self, node: ast.JoinedStr) -> Value | None:
        parts = [self._formatted(part) for part in node.values]
        return None if None in parts else "".join(part for part in parts if part is not None)

    def _fold_FormattedValue(self, node: ast.FormattedValue) -> Value | None:
        return self._formatted(node)

    def _formatted(self, part: ast.expr) -> str | None:
        if not isinstance(part, ast.FormattedValue):
            return self.text(part)
        value = self.fold(part.value)
        form = "" if part.format_spec is None else self.text(part.format_spec)
        if isinstance(value, tuple) or value is None or form is None or part.conversion not in (-1, ord("s"), ord("r")):
            return None
        return formatted(repr(value) if part.conversion == ord("r") else value, form)

    def _fold_Subscript(self, node: ast.Subscript) -> Value | None:
        if isinstance(node.value, ast.Dict):
            return self._entry(node.value, self.fold(node.slice))
        base = self.fold(node.value)
        if not isinstance(base, (str, bytes, tuple)):
            return None
        if isinstance(node.slice, ast.Slice):
            return self._sliced(base, node.slice)
        index = self.fold(node.slice)
        return base[index] if isinstance(index, int) and -len(base) <= index < len(base) else None

    def _entry(self, display: ast.Dict, wanted: Value | None) -> Value | None:
        for key, value in zip(reversed(display.keys), reversed(display.values), strict=True):
            if key is None or wanted is None:
                return None
            if self.fold(key) == wanted:
                return self.fold(value)
        return None

    def _sliced(self, base: str | bytes | tuple[Value, ...], node: ast.Slice) -> Value | None:
        bounds: list[int | None] = []
        for bound in (node.lower, node.upper, node.step):
            value = None if bound is None else self.fold(bound)
            if bound is not None and not isinstance(value, int):
                return None
            bounds.append(value if isinstance(value, int) else None)
        return base[slice(*bounds)] if bounds[2] != 0 else None

    def _fold_Call(self, node: ast.Call) -> Value | None:
        if isinstance(node.func, ast.Attribute) and node.func.attr not in _IDENTITIES:
            return self._method(node, node.func)
        name = last_name(node.func)
        if name == "map":
            return self._mapped(node)
        encoding = [word.value for word in node.keywords if word.arg == "encoding"]
        values = self._all([*node.args, *encoding])
        return called(name, values) if values and len(encoding) == len(node.keywords) else None

    def _mapped(self, node: ast.Call) -> Value | None:
        """`map(chr, codes)`."""
        values = self.fold(node.args[1]) if len(node.args) > 1 else None
        if not isinstance(values, (str, tuple)):
            return None
        results = [called(last_name(node.args[0]), (value,)) for value in values]
        known = tuple(result for result in results if result is not None)
        return known if len(known) == len(results) else None

    def _method(self, node: ast.Call, func: ast.Attribute) -> Value | None:
        base, values = self.fold(func.value), self._all(node.args)
        owner = last_name(func.value)
        if owner == "bytes" and func.attr == "fromhex":
            digits = self.text(node.args[0]) if node.args else None
            return attempt(lambda: bytes.fromhex(digits or ""))
        if owner == "str" and values:
            base, values = values[0], values[1:]
        if not isinstance(base, (str, bytes)):
            return None
        if isinstance(base, str) and func.attr in {"format", "format_map", "translate"}:
            return self._translated(base, node) if func.attr == "translate" else self._filled(base, node)
        return called_method(base, func.attr, values) if values is not None and not node.keywords else None

    def _filled(self, template: str, node: ast.Call) -> Value | None:
        """`template.format(...)`, with what stands behind `**` when it is in sight."""
        by_map = last_name(node.func) == "format_map"
        positional = () if by_map else self._all(node.args)
        spread = node.args[:1] if by_map else [word.value for word in node.keywords if word.arg is None]
        named: dict[str, Value | None] = {}
        for word in node.keywords:
            named.update({word.arg: self.fold(word.value)} if word.arg is not None else {})
        for mapping in map(self._mapping, spread):
            if mapping is None:
                return None
            named.update(mapping)
        known = {name: value for name, value in named.items() if value is not None}
        return filled(template, positional, known) if positional is not None and len(known) == len(named) else None

    def _translated(self, base: str, node: ast.Call) -> Value | None:
        """`text.translate(...)`, with a table in sight, or one that `str.maketrans` makes of texts."""
        table = node.args[0] if node.args else node
        if isinstance(table, ast.Call) and last_name(table.func) == "maketrans":
            texts = [text for text in map(self.text, table.args) if text is not None]
            return translated(base, texts) if len(texts) == len(table.args) else None
        if not isinstance(table, ast.Dict):
            return None
        codes = {self.fold(key): self.fold(value) for key, value in zip(table.keys, table.values, strict=True) if key}
        known = {code: value for code, value in codes.items() if isinstance(value, (str, int))}
        return attempt(lambda: base.translate(known)) if len(known) == len(table.keys) else None


NAMELESS: Final = Folder(lambda _name: None)
"""Folds what can be told without looking up a name."""
