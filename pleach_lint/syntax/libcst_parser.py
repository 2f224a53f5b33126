"""libcst's reading of a text as nodes of `ast`. Nothing that goes wrong in libcst leaves this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from pleach_lint.syntax import c_parser
from pleach_lint.syntax.conversion import Origin, Places, statements
from pleach_lint.syntax.deep_stack import with_deep_stack
from pleach_lint.syntax.newer_syntax import uses_newer_syntax

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable


def read(text: str, row: int, column: int, *, newer_only: bool) -> list[ast.stmt] | None:
    """Parse statements that begin at a 1-based row and a 0-based byte column, or return None where libcst cannot.

    libcst accepts much that no Python does: with `newer_only` its word counts only for a text with syntax that the
    running Python lacks.
    """
    return _guarded(lambda: _converted(text, Origin(row, column), newer_only=newer_only))


def _converted(text: str, origin: Origin, *, newer_only: bool) -> list[ast.stmt] | None:
    module = cst.parse_module(text)
    at = Places(module, text, origin)
    return None if newer_only and not uses_newer_syntax(module, at) else statements(module.body, at)


def _guarded(read: Callable[[], list[ast.stmt] | None]) -> list[ast.stmt] | None:
    try:
        return with_deep_stack(lambda: c_parser.quietly(read))
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException:  # noqa: BLE001 - libcst's panics are no Exceptions, and some of its errors cannot be printed
        return None
