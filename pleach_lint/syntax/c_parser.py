"""The C parser's reading of a text, and what it says when it refuses one."""

from __future__ import annotations

import ast
import sys
import warnings
from symtable import symtable
from typing import TYPE_CHECKING, Final, TypeVar

from pleach_lint.syntax.deep_stack import with_deep_stack

if TYPE_CHECKING:
    from collections.abc import Callable

ResultT = TypeVar("ResultT")

_PYTHON: Final = f"Python {sys.version_info.major}.{sys.version_info.minor}"


class UnparsableSource(Exception):  # noqa: N818 - it says what the file is
    """A text that is no Python, or more than the parsers can read."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row
        """1-based."""
        self.reason = reason
        """One plain line; names the running Python, whose grammar decided."""


def read(text: str) -> ast.Module:
    """Parse a text with the running Python's grammar, without a warning of any kind.

    Raises:
        UnparsableSource: if that grammar refuses the text, or its parser cannot go as deep as the text does.
    """
    try:
        return quietly(lambda: _deep_tree(text))
    except SyntaxError as error:
        raise UnparsableSource(error.lineno or 1, f"{error.msg} ({_PYTHON})") from None
    except (ValueError, SystemError):
        raise UnparsableSource(1, f"a literal that cannot be evaluated ({_PYTHON})") from None
    except (RecursionError, MemoryError):
        raise UnparsableSource(1, f"nested too deeply for the parser of {_PYTHON}") from None


def accepts(text: str) -> bool:
    """Whether the running Python's grammar takes a text for sure; when not, `read` tells why.

    Names are sorted into scopes on the way, which is half the work of making a tree of Python objects.
    """
    try:
        quietly(lambda: symtable(text, "<unknown>", "exec"))
    except (SyntaxError, ValueError, SystemError, RecursionError, MemoryError):
        return False
    return True


def quietly(function: Callable[[], ResultT]) -> ResultT:
    """Call `function` so that nothing warns, nor raises where warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


def _deep_tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except RecursionError:
        return with_deep_stack(lambda: ast.parse(text))
