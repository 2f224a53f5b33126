"""The patterns of `match` statements: which part of the subject each sees, and what each reads. Binds nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.scopes import Route

_SELF_MATCHING: Final = frozenset({
    "bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple",
})  # fmt: skip


def parts(pattern: ast.pattern | None) -> Iterator[tuple[ast.pattern, Route | None]]:
    """The sub-patterns of a pattern, each with the steps to the part of the subject that it sees."""
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        yield pattern.pattern, ()
    elif isinstance(pattern, ast.MatchOr):
        yield from ((part, ()) for part in pattern.patterns)
    elif isinstance(pattern, ast.MatchSequence):
        yield from ((part, (place,)) for place, part in enumerate(pattern.patterns))
    elif isinstance(pattern, ast.MatchMapping):
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            known = isinstance(key, ast.Constant) and isinstance(key.value, str)
            yield part, (str(key.value),) if known and isinstance(key, ast.Constant) else None
    elif isinstance(pattern, ast.MatchClass):
        step = () if len(pattern.patterns) == 1 and _is_builtin_type(pattern.cls) else None
        yield from ((part, step) for part in pattern.patterns)
        yield from zip(pattern.kwd_patterns, ((name,) for name in pattern.kwd_attrs), strict=True)


def values_read(pattern: ast.pattern | None) -> list[ast.expr]:
    """The expressions that a pattern itself reads."""
    if isinstance(pattern, ast.MatchValue):
        return [pattern.value]
    if isinstance(pattern, ast.MatchMapping):
        return pattern.keys
    return [pattern.cls] if isinstance(pattern, ast.MatchClass) else []


def _is_builtin_type(node: ast.expr) -> bool:
    """Whether `str(x)` as a pattern binds the subject itself, as the builtin types do."""
    return isinstance(node, ast.Name) and node.id in _SELF_MATCHING
