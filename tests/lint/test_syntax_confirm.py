"""Tests for `pleach_lint.syntax.confirm`: which statements libcst reads again, and what it may not break."""

from __future__ import annotations

import ast
import time

import libcst
import pytest

from pleach_lint.source import decode
from pleach_lint.syntax import Tree, confirm, parse


def read(code: str) -> Tree:
    """Parse a program with the C parser."""
    return parse(decode(code.encode()))


def reread(code: str, *rows: int) -> list[int]:
    """Return which statements, counted from 0, libcst has read after `confirm`; without rows, of all."""
    tree = read(code)
    confirmed = confirm(tree, rows or range(1, len(tree.source.lines) + 1))
    pairs = zip(confirmed.module.body, tree.module.body, strict=True)
    return [index for index, (ours, theirs) in enumerate(pairs) if ours is not theirs]


@pytest.mark.parametrize(
    ("code", "rows", "expected"),
    [
        pytest.param("a\nb\nc\n", [2], [1], id="one row"),
        pytest.param("a\nb\nc\n", [1, 3], [0, 2], id="two rows"),
        pytest.param("a\n\n# b\nc\n", [2, 3], [], id="rows between statements"),
        pytest.param("a\nb\n", [9], [], id="a row below the file"),
        pytest.param("a = 1; b = 2\nc\n", [1], [0, 1], id="two statements on a row"),
        pytest.param("if a:\n    b\n    c\nd\n", [3], [0], id="a row within a block"),
        pytest.param("@a\n@b\ndef f():\n    c\nd\n", [1], [0], id="the row of a decorator"),
        pytest.param("a\n# b\n@ c\n# d\nclass E: f\n", [4], [1], id="a row between decorator and class"),
        pytest.param("a\n\\\n@b\ndef f(): c\n", [4], [1], id="a decorator below a backslash"),
        pytest.param("a\n\f@b\ndef f(): c\n", [2], [1], id="a decorator behind a form feed"),
        pytest.param("@(a  # @b\n  )\ndef f(): c\n", [3], [0], id="a decorator of several rows"),
        pytest.param("a; \\\nb\n", [2], [1], id="a statement that begins on a continued row"),
        pytest.param("(\na\n)\n", [3], [0], id="the row of a closing bracket"),
        pytest.param("a\rb\rc\r", [2], [1], id="carriage returns"),
        pytest.param("x = 'é'; y = 1\n", [1], [0, 1], id="letters beyond ASCII before a statement"),
    ],
)
def test_statements_are_found_by_rows(code: str, rows: list[int], expected: list[int]) -> None:
    """A statement is read again if one of its rows is asked for, from its first decorator to its last bracket."""
    assert reread(code, *rows) == expected


@pytest.mark.parametrize(
    "hazard",
    [
        pytest.param("(flag): bool = True", id="an annotated target in parentheses"),
        pytest.param("if a:\n\\\n    b", id="a backslash first in a block"),
        pytest.param("if a:\n    b\n\\\nelif c:\n    d", id="a backslash before elif"),
        pytest.param("k = () if 0 else(lambda:())", id="a lambda against else"),
        pytest.param("x = a if b else.5", id="a keyword against a number"),
        pytest.param("async def f():\n    return await(a)if b else c", id="await against if"),
        pytest.param("x = (" + "'a' " * 3_500 + ")", id="thousands of adjacent strings"),
        pytest.param("x = " + " or ".join(["a"] * 8_000), id="a chain of or"),
        pytest.param("x = " + " + ".join(["a"] * 2_500), id="a chain of additions"),
        pytest.param("x = a" + ".b(c)[d]" * 800, id="a chain of trailers"),
        pytest.param("x = " + "lambda a, b: " * 900 + "a", id="nested lambdas"),
        pytest.param("match v:\n    case " + "(" * 24 + "a" + ")" * 24 + ": b", id="a pattern in many parentheses"),
        pytest.param("match v:\n    case " + "{1: " * 14 + "a" + "}" * 14 + ": b", id="nested mapping patterns"),
        pytest.param("match v:\n    case " + "A(b=" * 24 + "a" + ")" * 24 + ": b", id="nested class patterns"),
        pytest.param("x = f'''{" + "+".join(["a"] * 2_500) + "}'''", id="a chain within an f-string"),
        pytest.param("x = [" + "0, " * 90_000 + "]", id="a list of many elements"),
    ],
)
def test_hazards_do_not_matter(hazard: str) -> None:
    """A statement that libcst refuses or cannot afford stays as it is, soon, and its neighbours are read."""
    start = time.monotonic()
    assert reread(f"f('w')\n{hazard}\ng('w')\n") == [0, 2]
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("if a: pass\n" + "elif b: pass\n" * 700, id="hundreds of elif"),
        pytest.param("x = (" + "'a'\n" * 700 + ")", id="hundreds of adjacent strings"),
        pytest.param("".join(" " * i + f"if a{i}:\n" for i in range(95)) + " " * 95 + "b", id="deep blocks"),
        pytest.param("x = " + "[" * 90 + "]" * 90, id="deep brackets"),
        pytest.param("\n" * 20_000 + "x = 1", id="many empty rows"),
        pytest.param("match v:\n    case A(b=[(c), {1: (d, e)}]) if f([[[[[[[[[g]]]]]]]]]): h", id="usual patterns"),
        pytest.param("case = ((((((((((((a))))))))))))", id="a variable named case"),
        pytest.param("f('''\n" + "a + b - (c * d).e\n" * 9_000 + "''')", id="a long text"),
        pytest.param("r = '\\d'", id="an invalid escape"),
    ],
)
def test_what_libcst_can_afford(code: str) -> None:
    """A statement that the usual stack or recursion limit would stop is read nevertheless."""
    assert reread(code) == [0]


def test_what_a_file_may_cost_is_limited() -> None:
    """Statements are read in order until the file's share is used up; a costly one does not stop cheap ones."""
    costly = "x = " + " or ".join(["a"] * 450) + "\n"
    assert reread("a\n" + costly * 4 + "b\n") == [0, 1, 2, 5]


@pytest.mark.parametrize("error", [RuntimeError, RecursionError, type("Panic", (BaseException,), {})])
def test_no_error_of_libcst_escapes(monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    """Whatever libcst raises, panics that are no Exceptions included, the C parser's statement stays."""

    def fail(_text: str) -> libcst.Module:
        raise error

    monkeypatch.setattr(libcst, "parse_module", fail)
    assert reread("a\n") == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_interrupts_pass(monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    """An interrupt while libcst works ends the work."""

    def interrupt(_text: str) -> libcst.Module:
        raise error

    monkeypatch.setattr(libcst, "parse_module", interrupt)
    with pytest.raises(error):
        confirm(read("a\n"), [1])


@pytest.mark.parametrize(
    "misread",
    [
        pytest.param(libcst.parse_module("b"), id="another text"),
        pytest.param(libcst.parse_module(""), id="no statement"),
        pytest.param(libcst.parse_module("pass; pass"), id="two statements"),
        pytest.param(
            libcst.Module([libcst.SimpleStatementLine([libcst.Expr(libcst.Name("pass"))])]), id="another kind"
        ),
    ],
)
def test_another_reading_is_not_believed(monkeypatch: pytest.MonkeyPatch, misread: libcst.Module) -> None:
    """A reading that has another text, kind or place than the C parser's statement does not replace it."""
    monkeypatch.setattr(libcst, "parse_module", lambda _text: misread)
    assert reread("pass\n") == []


def test_tree_that_libcst_made_is_left_alone() -> None:
    """There is nothing to confirm where libcst read the whole file, nor where no row is asked for."""
    tree = Tree(decode(b"a\n"), ast.Module([], []), read_by_libcst=True)
    assert confirm(tree, [1]) is tree
    tree = read("a\n")
    assert confirm(tree, []) is tree


def test_original_tree_is_left_alone() -> None:
    """The given tree keeps its statements, and the new one its source."""
    tree = read("a\nb\n")
    before = list(tree.module.body)
    confirmed = confirm(tree, [1])
    assert tree.module.body == before
    assert confirmed.module.body[1] is before[1]
    assert confirmed.source is tree.source
