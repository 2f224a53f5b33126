"""Tests for `pleach_lint.syntax.renamed_imports`."""

from __future__ import annotations

import ast

import pytest

from pleach_lint.syntax.renamed_imports import undo_renames


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("from typing import Any as A\nx: A = A", "from typing import Any\nx: Any = Any", id="renamed"),
        pytest.param("from copy import copy as c, error\nc", "from copy import copy, error\ncopy", id="one of two"),
        pytest.param("from enum import (\n  auto as a,\n)\na", "from enum import auto\nauto", id="over several rows"),
    ],
)
def test_names_are_undone(before: str, after: str) -> None:
    """A renamed name that means one thing in its file gets its own name back, wherever it is read."""
    tree = ast.parse(before)
    assert undo_renames(tree, before)
    assert ast.dump(tree) == ast.dump(ast.parse(after))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("from typing import Any as A\nA = 1", id="the new name is assigned"),
        pytest.param("from typing import Any as A\ndef f(A): ...", id="the new name is a parameter"),
        pytest.param("from typing import Any as A\nfrom my import A", id="the new name is imported from elsewhere"),
        pytest.param("from typing import Any as A, List as A", id="the new name has two meanings"),
        pytest.param("from typing import Any as A\nAny = 1", id="the old name is assigned"),
        pytest.param("from enum import property as p\nclass C:\n  @property\n  def a(self): ...", id="a builtin"),
        pytest.param("from typing import Any as List, List as A", id="two that change places"),
        pytest.param("from my import Any as A\nA", id="another module"),
        pytest.param("from .typing import Any as A\nA", id="a module of the project"),
        pytest.param("import typing as t\nt.Any", id="a renamed module"),
    ],
)
def test_names_are_kept(text: str) -> None:
    """Where another name could change a meaning, and where rules know none, nothing is touched."""
    tree = ast.parse(text)
    assert undo_renames(tree, text) == {}
    assert ast.dump(tree) == ast.dump(ast.parse(text))
