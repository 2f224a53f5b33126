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


def is_prose(module: Module, node: ast.AST) -> bool:
    """Whether the string goes to a log, an exception or a person."""
    child = node
    for outer in module.ancestors(node):
        if isinstance(outer, (ast.Raise, ast.Assert)):
            return True
        if isinstance(outer, ast.keyword) and outer.arg in _PROSE_KEYWORDS:
            return True
        if isinstance(outer, ast.Call):
            name = last_name(outer.func)
            if child is not outer.func and (name in _LOGS or name.endswith(("Error", "Exception", "Warning"))):
                return True
            if (
                child is not outer.func
                and name == "write"
                and last_name(getattr(outer.func, "value", outer)) in _STREAMS
            ):
                return True
        elif isinstance(outer, ast.stmt):
            return _is_documentation(outer)
        child = outer
    return False


def _is_documentation(statement: ast.stmt) -> bool:
    """Whether a statement gives a text for people its name: `USAGE = ...`, `f.__doc__ = ...`."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", statement)]
    return any(words_of(last_name(target)).rpartition("_")[2] in _PROSE_KEYWORDS for target in targets)
