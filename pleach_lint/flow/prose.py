"""Whether a string is text for people: a log message, an error, a help text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import last_name

if TYPE_CHECKING:
    from pleach_lint.flow.module import Module

_LOGS: Final = frozenset({
    "critical", "debug", "echo", "error", "exception", "fail", "fatal", "info", "log", "pprint", "print",
    "secho", "skip", "trace", "warn", "warning", "write_stderr", "xfail",
})  # fmt: skip
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
        elif isinstance(outer, ast.stmt):
            return False
        child = outer
    return False
