"""Operations on constant values, each bounded in what it may make. What does not fit gives None."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value: TypeAlias = "str | bytes | int | tuple[Value, ...]"

LONGEST: Final = 20_000
"""Characters, bytes or elements of a value."""

_METHODS: Final = frozenset({
    "capitalize", "casefold", "center", "decode", "encode", "expandtabs", "join", "ljust", "lower", "lstrip",
    "partition", "removeprefix", "removesuffix", "replace", "rjust", "rpartition", "rsplit", "rstrip", "split",
    "splitlines", "strip", "swapcase", "title", "upper", "zfill",
})  # fmt: skip
_IDENTITIES: Final = frozenset({"str", "intern"})
_SEQUENCES: Final = frozenset({"list", "reversed", "sorted", "tuple"})
_CALCULATIONS: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.FloorDiv: int.__floordiv__,
    ast.Mod: int.__mod__,
    ast.Mult: int.__mul__,
    ast.Sub: int.__sub__,
}
_LARGEST: Final = 2**64
"""A product of two such numbers is still small."""
_WIDTH_FROM_ARGUMENT: Final = re.compile(r"%[^%a-zA-Z]*\*|\{[^{}]*\{")
_WIDTH: Final = re.compile(r"\d{5}")


def added(left: Value, right: Value | None) -> Value | None:
    """`left + right`, of two texts, byte strings, lists or numbers."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if isinstance(left, str) and isinstance(right, str):
        return left + right if len(left) + len(right) <= LONGEST else None
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right if len(left) + len(right) <= LONGEST else None
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left + right if len(left) + len(right) <= LONGEST else None
    return None


def calculated(left: int, operator: ast.operator, right: int) -> int | None:
    """A difference, product, quotient or remainder of two numbers that are no giants."""
    compute = _CALCULATIONS.get(type(operator))
    if compute is None or max(abs(left), abs(right)) > _LARGEST:
        return None
    try:
        return compute(left, right)
    except ZeroDivisionError:
        return None


def repeated(left: Value, right: Value | None) -> Value | None:
    """`left * right`, of a text or a list, and a number."""
    fits = isinstance(left, (str, tuple)) and isinstance(right, int) and len(left) * right <= LONGEST
    return left * right if fits and isinstance(right, int) and not isinstance(left, int) else None


def percent(template: str, right: Value | Mapping[str, Value]) -> Value | None:
    """`template % right`."""
    return None if _is_wide(template) else attempt(lambda: template % right)


def filled(template: str, positional: tuple[Value, ...], named: Mapping[str, Value]) -> Value | None:
    """`template.format(*positional, **named)`."""
    return None if _is_wide(template) else attempt(lambda: template.format(*positional, **named))


def formatted(value: Value, form: str) -> str | None:
    """`format(value, form)`, of a text or a number."""
    text = None if _is_wide(form) or isinstance(value, (bytes, tuple)) else attempt(lambda: format(value, form))
    return text if isinstance(text, str) else None


def _is_wide(template: str) -> bool:
    """Whether a template could blow up: a width of five digits or more, or one taken from an argument."""
    return _WIDTH.search(template) is not None or _WIDTH_FROM_ARGUMENT.search(template.replace("{{", "")) is not None


def called_method(base: str | bytes, name: str, values: tuple[Value, ...]) -> Value | None:
    """`base.name(*values)`, of the methods that make a text from texts."""
    if name not in _METHODS or _most(base, name, values) > LONGEST:
        return None
    return attempt(lambda: getattr(base, name)(*values))


def _most(base: str | bytes, name: str, values: tuple[Value, ...]) -> int:
    """About how long the result of a method can be."""
    sizes = [value if isinstance(value, int) else len(value) for value in values]
    if name in {"expandtabs", "replace"}:
        return (len(base) + 1) * max([1, *sizes])
    if name == "join":
        parts = [part for value in values if isinstance(value, tuple) for part in value]
        lengths = [0 if isinstance(part, int) else len(part) for part in parts]
        return sum(lengths) + len(base) * max([*sizes, 0])
    return max([len(base), *sizes])


def called(name: str, values: tuple[Value, ...]) -> Value | None:
    """`name(*values)`, of the builtin functions that make a text, a character or a list."""
    first = values[0]
    if name in _IDENTITIES and isinstance(first, str):
        return first
    if name in {"bytes", "str"}:
        return _recoded(name, first, values[1:])
    if name == "format" and len(values) <= len(("value", "form")):
        return formatted(first, str(values[1]) if len(values) > 1 else "")
    if name in {"chr", "ord"}:
        return attempt(lambda: chr(first) if isinstance(first, int) else ord(first))  # type: ignore[arg-type]
    if name in _SEQUENCES and isinstance(first, (str, tuple)):
        ordered = sorted(first, key=str) if name == "sorted" else first
        return tuple(reversed(ordered)) if name == "reversed" else tuple(ordered)
    return None


def _recoded(name: str, first: Value, encoding: tuple[Value, ...]) -> Value | None:
    if name == "str" and isinstance(first, int):
        return str(first)
    if name == "str" and isinstance(first, bytes) and encoding:
        return attempt(first.decode)
    if name == "bytes" and isinstance(first, str) and encoding:
        return first.encode()
    return attempt(lambda: bytes(first)) if name == "bytes" and isinstance(first, tuple) else None  # type: ignore[arg-type]


def translated(base: str, texts: list[str]) -> Value | None:
    """`base.translate(str.maketrans(*texts))`: characters, what each becomes, and those that go."""
    old, new, gone = (*texts, "", "", "")[:3]
    if len(old) != len(new):
        return None
    return base.translate({**dict(zip(map(ord, old), new, strict=True)), **dict.fromkeys(map(ord, gone))})


def attempt(compute: Callable[[], Value | list[str]]) -> Value | None:
    """What an operation gives, or None when its arguments do not fit it."""
    try:
        result = compute()
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError):
        return None
    return tuple(result) if isinstance(result, list) else result
