"""Tests for `pleach_lint.syntax.children`."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from pleach_lint.syntax.children import children

WITHOUT_PLACE = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
LIBRARY = sorted(Path(ast.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", LIBRARY[::20], ids=lambda path: path.stem)
def test_same_nodes_as_the_standard_library(path: Path) -> None:
    """The nodes below each node of real code, in the same order, without operators and contexts."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        expected = [child for child in ast.iter_child_nodes(node) if not isinstance(child, WITHOUT_PLACE)]
        assert children(node) == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a `type` statement is newer")
def test_the_name_of_a_type_is_a_node() -> None:
    """A field that is a text in most nodes is a node in some."""
    (alias,) = ast.parse("type X[T] = list[T]").body
    assert [type(child).__name__ for child in children(alias)] == ["Name", "TypeVar", "Subscript"]
