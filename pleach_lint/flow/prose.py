"""Whether a string is text for people: a log message, an error, a help text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import words_of

if TYPE_CHECKING:
    from pleach_lint.flow.module import Module

_LOGS: Final = frozenset({
    "assertRaisesRegex", "assertWarnsRegex", "raises", "warns",
    "critical", "debug", "echo", "error", "exception", "fail", "fatal", "info", "log", "pprint", "print",
    "secho", "skip", "trace", "warn", "warning", "write_stderr", "xfail",
})  # fmt: skip
_STREAMS: Final = frozenset({"stderr", "stdout"})
_PROSE_KEYWORDS: Final = frozenset({
    "comment", "description", "doc", "documentation", "epilog", "help", "hint", "message", "msg", "note",
    "prompt", "reason", "summary", "title", "tooltip", "usage", "verbose_name",
})  # fmt: skip
_DOCUMENTS: Final = frozenset({"description", "doc", "docs", "documentation", "epilog", "help", "usage"})
"""Last segments of the names of texts that tell people how to use something."""


def is_prose(module: Module, node: ast.AST) -> bool:
    """Whether the string goes to a log, an exception or a person."""
    inner = node
    while not isinstance(inner, ast.stmt):
        outer = module.parents[inner]
        if isinstance(outer, ast.keyword) and outer.arg in _PROSE_KEYWORDS:
            return True
        if isinstance(outer, ast.Call) and inner is not outer.func and _is_for_people(outer.func):
            return True
        inner = outer
    return isinstance(inner, (ast.Raise, ast.Assert)) or _is_documentation(inner)


def _is_for_people(function: ast.expr) -> bool:
    """Whether a call logs, prints, or makes an error."""
    name = last_name(function)
    writes = isinstance(function, ast.Attribute) and name == "write" and last_name(function.value) in _STREAMS
    return writes or name in _LOGS or name.endswith(("Error", "Exception", "Warning"))


def _is_documentation(statement: ast.stmt) -> bool:
    """Whether a statement gives a text for people its name: `USAGE = ...`, `f.__doc__ = ...`."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", statement)]
    return any(words_of(last_name(target)).rpartition("_")[2] in _DOCUMENTS for target in targets)
