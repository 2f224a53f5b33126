"""Tests for `pleach_lint.syntax.parse`: what is read, by which parser, and what is refused."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from pleach_lint.source import decode
from pleach_lint.syntax import Tree, UnparsableSource, check_syntax, parse

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
older_than = {
    minor: pytest.mark.skipif(sys.version_info >= (3, minor), reason=f"3.{minor} reads it") for minor in (11, 12, 14)
}


def read(code: str) -> Tree:
    """Parse a program."""
    return parse(decode(code.encode()))


def refusal(code: str) -> UnparsableSource:
    """Return what `parse` says of a program that it must refuse."""
    with pytest.raises(UnparsableSource) as caught:
        read(code)
    return caught.value


@pytest.mark.parametrize(
    ("code", "row"),
    [
        pytest.param("if x:\n        a = 1\n\tb = 2\n", 3, id="tabs and blanks mixed"),
        pytest.param("<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n", 1, id="merge markers"),
        pytest.param("x = {{ cookiecutter.name }}\n{% if y %}\nz = 1\n", 2, id="a template"),
        pytest.param('x = 1\nprint "a"\n', 2, id="Python 2"),
        pytest.param("%matplotlib inline\n!ls\n", 1, id="notebook magics"),
        pytest.param("import a\n\ndef f(x) -> t[str], u]:\n    pass\n", 3, id="a bracket too many"),
        pytest.param("a\n))]}\n", 2, id="brackets that close nothing"),
        pytest.param("def f(*):\n    pass\n", 1, id="a bare star"),
        pytest.param('a = 1\nb = "x\n', 2, id="an open string"),
        pytest.param("a = (1,\n", 1, id="an open bracket"),
        pytest.param('a = 1\nb = """x\n\n', 2, id="an open long string"),
        pytest.param("if a:\n", 1, id="an empty block at the end"),
        pytest.param('a\nb = "\\x1"\n', 2, id="a truncated escape"),
        pytest.param('a\nb = "\\N{NO SUCH}"\n', 2, id="an unknown name"),
        pytest.param('a\nb = b"é"\n', 2, id="a letter beyond ASCII in bytes"),
        pytest.param("a\nb = 0777\n", 2, id="an old octal"),
        pytest.param("a\n\U0001d7d8 = 1\n", 2, id="a name that is none"),
        pytest.param("f'{a:\\x1{b}}'\n", 1, id="a truncated escape in the layout of an f-string"),
        pytest.param("x = f'{a b}'\n", 1, id="nonsense within an f-string"),
        pytest.param("x\nf(**a, *b)\n", 2, id="what libcst accepts and no Python does"),
        pytest.param("a\nb = " + "(" * 300 + ")" * 300, 2, id="too many brackets"),
        pytest.param("a = " + "lambda:" * 9_000 + "0", 1, id="nested too deeply"),
        pytest.param("a = " + "-" * 20_000 + "1", 1, id="a long run of signs"),
    ],
)
def test_refusals(code: str, row: int) -> None:
    """What no Python reads is refused with the C parser's row and one line that names the running Python."""
    error = refusal(code)
    assert error.row == row
    assert error.reason.endswith((f"({PYTHON})", f" of {PYTHON}"))
    assert "\n" not in error.reason
    with pytest.raises(UnparsableSource) as caught:
        check_syntax(decode(code.encode()))
    assert (caught.value.row, caught.value.reason) == (error.row, error.reason)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("try: a\nexcept B, C: d\n", id="PEP 758", marks=older_than[14]),
        pytest.param("x = t'a{b!r:>{c}}d{e=}'\n", id="PEP 750", marks=older_than[14]),
        pytest.param("type A[T] = B\n", id="PEP 695", marks=older_than[12]),
        pytest.param("def f[T = A](): pass\n", id="PEP 696", marks=older_than[12]),
        pytest.param("f'{a['b']}'\n", id="PEP 701", marks=older_than[12]),
        pytest.param("a[*b]\n", id="PEP 646", marks=older_than[11]),
        pytest.param("try: a\nexcept* B: c\n", id="PEP 654", marks=older_than[11]),
    ],
)
def test_newer_syntax_does_not_excuse_errors(code: str) -> None:
    """A file with syntax too new for this Python is read, but not one that no Python reads."""
    assert read(code).read_by_libcst
    assert refusal(code + "x = '\\x1'\n").row
    assert refusal(code + "x = 0777\n").row
    assert refusal(code + "print 'a'\n").row


@older_than[14]
def test_template_strings_become_f_strings() -> None:
    """Where `ast` knows no t-strings, they have the parts of the f-string that looks like them."""
    ours = read("x = t'a{b!r:>3}d{{{e = }' ; y = rt'\\d{f}'").module
    theirs = ast.parse("x = f'a{b!r:>3}d{{{e = }' ; y = rf'\\d{f}'")
    assert ast.dump(ours) == ast.dump(theirs)


@older_than[14]
def test_adjacent_template_strings_are_refused() -> None:
    """What libcst cannot read of the newer syntax is refused, with the C parser's row."""
    assert refusal("a\nx = t'a' t'b'\n").row == 2


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="3.12 has nodes for them")
def test_type_aliases_and_parameters_on_older_pythons() -> None:
    """Where `ast` knows no type aliases, they are annotated assignments; type parameters are left out."""
    ours = read("type A[T: 'utility'] = B\nclass C[*T](D): pass\nasync def f[**P](): pass\n").module
    theirs = ast.parse("A: TypeAlias = B\nclass C(D): pass\nasync def f(): pass\n")
    assert ast.dump(ours) == ast.dump(theirs)


@older_than[11]
def test_groups_of_exceptions_on_older_pythons() -> None:
    """Where `ast` knows no `except*`, it is an `except`."""
    ours = read("try: a\nexcept* B as c: d\nfinally: e\n").module
    assert ast.dump(ours) == ast.dump(ast.parse("try: a\nexcept B as c: d\nfinally: e\n"))


@older_than[14]
@pytest.mark.parametrize(
    "weight",
    [
        pytest.param("a" + " + a" * 5_000, id="a chain of operators"),
        pytest.param("lambda: " * 1_000 + "a", id="nested lambdas"),
        pytest.param("[" + "0, " * 70_000 + "]", id="many elements"),
        pytest.param("f'{a" + " or a" * 9_000 + "}'", id="a chain within an f-string"),
    ],
)
def test_newer_syntax_beyond_the_means_of_libcst(weight: str) -> None:
    """A file that only libcst could read, and only at great cost, is refused."""
    assert refusal(f"try: a\nexcept B, C: d\nx = {weight}\n").row == 2


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("r = '\\d'\nb = b'\\d'\nf'\\d{a}'\n", id="invalid escapes"),
        pytest.param("1or a\n1 is 1\n'a'()\n() is []\n", id="what compiles with a warning"),
    ],
)
def test_nothing_warns(code: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Code that Python warns of is read in silence, though warnings are errors here."""
    assert not read(code).read_by_libcst
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("code", ["", "x = 1\n", "return 1\n", "nonlocal x\n", "a = " + "+".join(["b"] * 9_000)])
def test_syntax_that_is_fine(code: str) -> None:
    """What can be parsed is fine, be it more than a compiler takes."""
    read(code)
    check_syntax(decode(code.encode()))


def test_empty_file() -> None:
    """An empty file has an empty tree."""
    assert read("").module.body == []


def test_deep_trees() -> None:
    """A chain that the usual recursion limit would stop is read wherever CPython's own limits allow it."""
    terms = 9_000 if sys.version_info < (3, 12) else 1_500
    tree = read("x = " + " + ".join(["a"] * terms))
    assert sum(isinstance(node, ast.BinOp) for node in ast.walk(tree.module)) == terms - 1


def test_libcst_is_imported_on_demand() -> None:
    """Reading a file that the C parser accepts does not import libcst."""
    program = (
        "import sys; from pleach_lint.source import decode; from pleach_lint.syntax import confirm, parse;"
        "confirm(parse(decode(b'x = 1')), ()); sys.exit('libcst' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
