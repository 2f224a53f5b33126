"""The value of a constant expression, computed without evaluating code. What cannot be decided is None."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Value: TypeAlias = "str | bytes | int | tuple[Value, ...]"
NameValue: TypeAlias = "Callable[[ast.Name | ast.Attribute], Value | None]"
"""The one constant that a name always stands for, or None when there is none or more than one."""

_LONGEST: Final = 20_000
_TEXT_METHODS: Final = frozenset({
    "capitalize", "casefold", "center", "encode", "expandtabs", "join", "ljust", "lower", "lstrip", "partition",
    "removeprefix", "removesuffix", "replace", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines",
    "strip", "swapcase", "title", "translate", "upper", "zfill",
})  # fmt: skip
_IDENTITIES: Final = frozenset({"str", "intern"})
_SEQUENCES: Final = frozenset({"list", "tuple", "sorted", "reversed"})


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
        return value if not isinstance(value, (str, bytes, tuple)) or len(value) <= _LONGEST else None

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
            total = _added(total, self.fold(each.right)) if total is not None else None
            self._known[each] = total
        return total

    def _other_operator(self, node: ast.BinOp) -> Value | None:
        left, right = self.fold(node.left), self.fold(node.right)
        if left is None:
            return None
        if isinstance(node.op, ast.Mult):
            return _repeated(left, right)
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return _percent(left, right if right is not None else self._mapping(node.right))
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
        shown = repr(value) if part.conversion == ord("r") else value
        text = None if _is_wide(form) else _attempt(lambda: format(shown, form))
        return text if isinstance(text, str) else None

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
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        values = self._all(node.args)
        if not values or (node.keywords and name != "str"):
            return None
        return _called(name, values)

    def _method(self, node: ast.Call, func: ast.Attribute) -> Value | None:
        base = self.fold(func.value)
        values = self._all(node.args)
        if isinstance(func.value, ast.Name) and func.value.id == "str" and values:
            base, values = values[0], values[1:]
        if values is None and func.attr == "translate":
            return self._translated(base, node.args[0])
        if isinstance(base, bytes) and func.attr == "decode":
            return _attempt(base.decode)
        if not isinstance(base, str) or values is None:
            return None
        if func.attr == "format" and not _is_wide(base):
            keywords = {word.arg or "": self.fold(word.value) for word in node.keywords}
            known = {name: value for name, value in keywords.items() if name and value is not None}
            return _attempt(lambda: base.format(*values, **known)) if len(known) == len(node.keywords) else None
        if node.keywords or func.attr not in _TEXT_METHODS or _grows(func.attr, values):
            return None
        return _attempt(lambda: getattr(base, func.attr)(*values))

    def _translated(self, base: Value | None, table: ast.expr) -> Value | None:
        """`text.translate(str.maketrans(...))`, the one method whose argument is itself a table."""
        if not isinstance(base, str) or not isinstance(table, ast.Call):
            return None
        makes_table = isinstance(table.func, ast.Attribute) and table.func.attr == "maketrans"
        texts = [self.text(argument) for argument in table.args]
        known = [text for text in texts if text is not None]
        if not makes_table or not known or len(known) != len(texts):
            return None
        return _attempt(lambda: base.translate(dict(zip(map(ord, known[0]), known[-1], strict=True))))


NAMELESS: Final = Folder(lambda _name: None)
"""Folds what can be told without looking up a name."""


def _added(left: Value, right: Value | None) -> Value | None:
    if isinstance(left, str) and isinstance(right, str):
        return left + right if len(left) + len(right) <= _LONGEST else None
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left + right
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return None


def _repeated(left: Value, right: Value | None) -> Value | None:
    if isinstance(left, str) and isinstance(right, int) and len(left) * right <= _LONGEST:
        return left * right
    return None


def _percent(left: str, right: Value | dict[str, Value] | None) -> Value | None:
    return None if right is None or _is_wide(left) else _attempt(lambda: left % right)


def _is_wide(template: str) -> bool:
    """Whether a template could blow up: a width of five digits or more, or one taken from an argument."""
    digits = "".join(character if character.isdigit() else " " for character in template).split()
    return "*" in template or any(len(run) > len("9999") for run in digits)


def _grows(method: str, values: tuple[Value, ...]) -> bool:
    return method in {"center", "ljust", "rjust", "zfill", "expandtabs"} and any(
        isinstance(value, int) and value > _LONGEST for value in values
    )


def _called(name: str, values: tuple[Value, ...]) -> Value | None:
    first = values[0]
    if name in _IDENTITIES and isinstance(first, str):
        return first
    if name == "str" and isinstance(first, bytes) and len(values) > 1:
        return _attempt(first.decode)
    if name == "str" and isinstance(first, int):
        return str(first)
    if name == "chr" and isinstance(first, int):
        return _attempt(lambda: chr(first))
    if name in _SEQUENCES and isinstance(first, (str, tuple)):
        ordered = sorted(first, key=str) if name == "sorted" else first
        return tuple(reversed(ordered)) if name == "reversed" else tuple(ordered)
    return None


def _frozen(result: Value | list[str]) -> Value:
    return tuple(result) if isinstance(result, list) else result


def _attempt(compute: Callable[[], Value | list[str]]) -> Value | None:
    """What a string operation gives, or None when its arguments do not fit it."""
    try:
        return _frozen(compute())
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError):
        return None
