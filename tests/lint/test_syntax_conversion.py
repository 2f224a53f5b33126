"""Tests for `pleach_lint.syntax.conversion`: libcst's reading, converted, is the C parser's."""

from __future__ import annotations

import ast
import sys
import sysconfig
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst
import pytest

from pleach_lint.source import UnreadableSource, decode
from pleach_lint.syntax import Tree, UnparsableSource, confirm, parse
from pleach_lint.syntax.conversion import Origin, Places, statements
from pleach_lint.syntax.conversion.expressions import Unconvertible, expression
from pleach_lint.syntax.conversion.patterns import pattern
from pleach_lint.syntax.conversion.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable

SNIPPETS = sorted((Path(__file__).parents[2] / "fixtures" / "syntax").glob("python3*/*.py"))
STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))
SEED = 20240229
PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_HAS_FSTRING_PLACES = sys.version_info >= (3, 12)


def since(snippet: Path) -> tuple[int, int]:
    """Return the Python that first had the syntax of a snippet, which names its directory."""
    return 3, int(snippet.parent.name.removeprefix("python3"))


def words(snippet: Path) -> str:
    """Return what a snippet shows, which names its file."""
    return snippet.stem.replace("_", " ")


CURRENT = [pytest.param(path, id=words(path)) for path in SNIPPETS if since(path) <= sys.version_info]
NEWER = [pytest.param(path, id=words(path)) for path in SNIPPETS if since(path) > sys.version_info]


def read_twice(data: bytes) -> tuple[Tree, Tree]:
    """Return the C parser's tree of a file, and the tree after libcst has read every statement."""
    tree = parse(decode(data))
    return tree, confirm(tree, range(1, len(tree.source.lines) + 1))


def described(statement: ast.stmt) -> str:
    """Describe a statement with all places, but for what CPython itself tells differently from version to version.

    That is, within f-strings: empty constants, and before 3.12 the places and the `u` of constants.
    """
    for node in ast.walk(statement):
        if isinstance(node, ast.JoinedStr):
            node.values = [value for value in node.values if getattr(value, "value", None) != ""]
            if not _HAS_FSTRING_PLACES:
                forget_places(node)
    return ast.dump(statement, include_attributes=True)


def forget_places(literal: ast.JoinedStr) -> None:
    """Make all parts of an f-string stand nowhere."""
    for node in ast.walk(literal):
        if isinstance(node, ast.Constant):
            node.kind = None
        if node is not literal and hasattr(node, "lineno"):
            vars(node).update(dict.fromkeys(PLACE, 0))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["line feeds", "both", "carriage returns"])
@pytest.mark.parametrize("snippet", CURRENT)
def test_every_kind_of_node(snippet: Path, newline: str) -> None:
    """Each statement is read by libcst, and its conversion equals the C parser's node in value and place."""
    code = snippet.read_text(encoding="utf-8").replace("\n", newline)
    tree, confirmed = read_twice(code.encode())
    for ours, theirs in zip(confirmed.module.body, tree.module.body, strict=True):
        assert ours is not theirs
        assert described(ours) == described(theirs)


@pytest.mark.parametrize("snippet", NEWER)
def test_newer_syntax(snippet: Path) -> None:
    """A file whose syntax is too new for this Python is read by libcst, and its names stand where it says."""
    tree = parse(decode(snippet.read_bytes()))
    assert tree.read_by_libcst
    names = [node for node in ast.walk(tree.module) if isinstance(node, ast.Name) and node.id != "TypeAlias"]
    assert names
    for name in names:
        span = tree.span(name)
        assert tree.source.lines[span.row - 1][span.column - 1 : span.end_column - 1] == name.id


A, B = cst.Name("a"), cst.Name("b")
PLAIN_TUPLE = cst.Tuple([cst.Element(A), cst.Element(B)])
CALLED = cst.Attribute(cst.Call(A), B)


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(cst.Assign([cst.AssignTarget(cst.Tuple([cst.Element(cst.Call(A))]))], B), id="a call as target"),
        pytest.param(cst.AugAssign(PLAIN_TUPLE, cst.AddAssign(), B), id="an augmented tuple"),
        pytest.param(cst.AnnAssign(PLAIN_TUPLE, cst.Annotation(B)), id="an annotated tuple"),
        pytest.param(cst.Expr(cst.NamedExpr(cst.Attribute(A, B), B)), id="an attribute as a name"),
        pytest.param(cst.ImportFrom(CALLED, [cst.ImportAlias(A)]), id="a call as module"),
        pytest.param(cst.Expr(cst.GeneratorExp(A, cst.CompFor(A, B), lpar=[], rpar=[])), id="a bare generator"),
    ],
)
def test_trees_that_no_text_has(node: cst.BaseSmallStatement) -> None:
    """A libcst tree that says what `ast` cannot is refused by name, not converted to something else."""
    module = cst.Module([cst.SimpleStatementLine([node])])
    with pytest.raises(Unconvertible):
        statements(module.body, Places(module, module.code, Origin(1, 0)))


@pytest.mark.parametrize("convert", [expression, statement, pattern])
def test_nodes_of_another_kind(convert: Callable[[cst.CSTNode, Places], ast.AST]) -> None:
    """What is no expression, statement or pattern is refused as one."""
    module = cst.Module([])
    with pytest.raises(Unconvertible):
        convert(module, Places(module, module.code, Origin(1, 0)))


def test_snippets_hold_every_kind_of_node() -> None:
    """The snippets leave out no kind of node that this Python's parser makes."""
    trees = [ast.parse(path.read_bytes()) for path in SNIPPETS if since(path) <= sys.version_info]
    seen = {type(node) for tree in trees for node in ast.walk(tree)}
    families = (ast.stmt, ast.expr, ast.pattern, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
    kinds = {kind for family in families for kind in family.__subclasses__()}
    deprecated = {"Index", "ExtSlice", "AugLoad", "AugStore", "Param", "Suite"}
    assert {kind.__name__ for kind in kinds - seen} <= deprecated


def test_standard_library() -> None:
    """What libcst reads of real files equals what the C parser reads, and it reads nearly everything."""
    paths = sorted(path for path in STANDARD_LIBRARY.glob("*/*.py") if path.stat().st_size < 16_000)
    total = refused = 0
    for path in sorted(paths, key=lambda path: zlib.crc32(f"{SEED} {path.name}".encode()))[:60]:
        try:
            tree, confirmed = read_twice(path.read_bytes())
        except (UnreadableSource, UnparsableSource):
            continue
        for ours, theirs in zip(confirmed.module.body, tree.module.body, strict=True):
            total += 1
            refused += ours is theirs
            assert described(ours) == described(theirs), f"{path}:{theirs.lineno}"
    assert total > 300
    assert refused < total / 100
