"""Tests for `pleach_lint.syntax.tree`."""

from __future__ import annotations

import ast

import pytest

from pleach_lint.finding import Span
from pleach_lint.source import decode
from pleach_lint.syntax import Tree, confirm, parse


def spans(tree: Tree, value: str) -> list[Span]:
    """Return where a constant stands, in order."""
    nodes = (node for node in ast.walk(tree.module) if isinstance(node, ast.Constant) and node.value == value)
    return sorted(map(tree.span, nodes))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("f('w')\n", Span(1, 3, 1, 6), id="ASCII"),
        pytest.param("é = '日本語'; f('w')", Span(1, 14, 1, 17), id="letters beyond ASCII count one each"),
        pytest.param(
            "s = '👩\u200d👩\u200d👧'; f('w')", Span(1, 16, 1, 19), id="code points count, not what they draw"
        ),
        pytest.param("s = 'e\u0301'; f('w')", Span(1, 13, 1, 16), id="combining marks count"),
        pytest.param("if x:\n\tf('w')", Span(2, 4, 2, 7), id="a tab is one column"),
        pytest.param("\ff('w')", Span(1, 4, 1, 7), id="a form feed is one column"),
        pytest.param("def f():\n    a\n\f    g('w')", Span(3, 8, 3, 11), id="a form feed before an indent"),
        pytest.param("\ufefff('w')", Span(1, 3, 1, 6), id="a byte order mark is no column"),
        pytest.param("a\rb\rf('w')\r", Span(3, 3, 3, 6), id="carriage returns end rows"),
        pytest.param("a\r\nf('w')", Span(2, 3, 2, 6), id="pairs end rows once"),
        pytest.param("'a\u2028b\x0cc\x85', f('w')", Span(1, 13, 1, 16), id="other separators end no row"),
        pytest.param("f((\n  ('w')\n))", Span(2, 4, 2, 7), id="parentheses are left out"),
        pytest.param("é, f('''w''')", Span(1, 6, 1, 13), id="quotes are not"),
        pytest.param("f('' # c\n  'w'\n'')", Span(1, 3, 3, 3), id="adjacent strings are one"),
        pytest.param("x = 1\n\\\nf('w')", Span(3, 3, 3, 6), id="below a backslash alone on its row"),
        pytest.param("\\\nf('w')", Span(2, 3, 2, 6), id="below a backslash on the first row"),
        pytest.param("if a:\n    b\n    \\\n    c\n    f('w')", Span(5, 7, 5, 10), id="below a backslash in a block"),
        pytest.param("if a:\n\\\n    f('w')", Span(3, 7, 3, 10), id="behind a backslash that starts a block"),
        pytest.param("try: a\nexcept B \\\n: f('w')", Span(3, 5, 3, 8), id="behind a backslash before a colon"),
        pytest.param("try: a\nexcept B : f('w')", Span(2, 14, 2, 17), id="behind a blank before a colon"),
        pytest.param("match a:\n case {**\n  b}: f('w')", Span(3, 9, 3, 12), id="below a row that ends in two stars"),
        pytest.param("f\"é{f('w')}\"", Span(1, 7, 1, 10), id="within an f-string"),
        pytest.param('x = f"""\né{f(\'w\')}"""', Span(2, 5, 2, 8), id="within an f-string of several rows"),
        pytest.param("x = ('é'\n  f\"é{f('w')}\")", Span(2, 9, 2, 12), id="within an f-string beside a string"),
    ],
)
def test_places_after_libcst_has_read(code: str, expected: Span) -> None:
    """Rows and columns count from 1, columns in code points of the decoded row, on every Python."""
    tree = parse(decode(code.encode()))
    rows = range(1, len(tree.source.lines) + 1)
    assert spans(confirm(tree, rows), "w") == [expected]


def test_text_that_ends_with_its_row() -> None:
    """A stretch of text that ends before the first column of a row ends there."""
    tree = parse(decode(b"f(a, f'''w\n{b}''')"))
    assert spans(confirm(tree, [1]), "w\n") == [Span(1, 10, 2, 1)]


def test_places_of_the_c_parser_never_fail() -> None:
    """A tree that libcst has not read has a place for each node, even where this Python invents one."""
    tree = parse(decode("x = f'''\né{\n a['é']}''' 'é' f'{b:{c}}'\n".encode()))
    located = [node for node in ast.walk(tree.module) if isinstance(node, ast.expr)]
    for span in map(tree.span, located):
        assert 1 <= span.row <= span.end_row <= 3
        assert span.column >= 1
        assert span.end_column <= len(tree.source.lines[span.end_row - 1]) + 1


def test_nodes_without_a_place() -> None:
    """A node that CPython gives no place has none."""
    tree = parse(decode(b"lambda: 0\n"))
    node = next(node for node in ast.walk(tree.module) if isinstance(node, ast.arguments))
    with pytest.raises(TypeError, match=r"arguments has no place of its own"):
        tree.span(node)
