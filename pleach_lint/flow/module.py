"""One module as the analysis sees it: its tree, who contains whom, its names, its constants."""

from __future__ import annotations

import ast
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.growth import Growth, growing
from pleach_lint.flow.reaching import read_names
from pleach_lint.flow.scopes import FUNCTIONS, Scope
from pleach_lint.syntax.children import children
from pleach_lint.syntax.renamed_imports import rename

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pleach_lint.flow.scopes import FunctionNode, Names
    from pleach_lint.syntax import Tree

_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_LONGEST_QUOTED: Final = 2_000
_TEST_FOLDERS: Final = frozenset({"test", "testing", "tests"})


class Module:
    """A parsed file. Everything beyond the tree is computed when it is first asked for."""

    def __init__(self, path: Path, tree: Tree, *, is_seam: bool, place: str = "", is_provider: bool = False) -> None:
        """Take a file.

        Args:
            path: Where it lies, absolute.
            tree: What it holds.
            is_seam: Whether it lies in a seam package.
            place: Where it lies in the project, with slashes.
            is_provider: Whether it may call providers directly.
        """
        self.path = path
        self.tree = tree
        self.is_seam = is_seam
        self.is_provider = is_provider
        self.place = place
        self._quoted: dict[ast.Constant, ast.expr | None] = {}
        self._functions: dict[ast.AST, FunctionNode | None] = {}

    @cached_property
    def is_test(self) -> bool:
        """Whether the file is a test, or help of one, by where it lies."""
        *folders, name = self.place.split("/")
        stem = name.partition(".")[0]
        is_named = stem.startswith("test_") or stem.endswith("_test") or stem == "conftest"
        return is_named or not _TEST_FOLDERS.isdisjoint(folders)

    @property
    def root(self) -> ast.Module:
        """The tree of the whole file."""
        return self.tree.module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node that has a place of its own, parents before children."""
        return (self.root, *self.parents)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that holds each node, for holders before what they hold."""
        parents: dict[ast.AST, ast.AST] = {}
        pending: deque[ast.AST] = deque([self.root])
        while pending:
            node = pending.popleft()
            below = children(node)
            parents.update(dict.fromkeys(below, node))
            pending.extend(below)
        return parents

    @cached_property
    def names(self) -> Names:
        """Scopes and what reaches each read of a name."""
        return read_names(self.root)

    @cached_property
    def bare_strings(self) -> frozenset[ast.AST]:
        """Docstrings and other strings that stand as statements."""
        return frozenset(
            node.value for node in self.nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )

    @cached_property
    def dotted_imports(self) -> frozenset[str]:
        """The dotted names that statements like `import a.b.c` make usable: `a`, `a.b` and `a.b.c`."""
        names = (alias.name for node in self.nodes if isinstance(node, ast.Import) for alias in node.names)
        parts = (name.split(".") for name in names)
        return frozenset(".".join(each[:length]) for each in parts for length in range(1, len(each) + 1))

    @cached_property
    def growth(self) -> Growth:
        """What may put values into named containers."""
        return growing(self.nodes)

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """Every call, in no particular order."""
        return tuple(node for node in self.nodes if isinstance(node, ast.Call))

    @cached_property
    def calls_by_name(self) -> dict[str, list[ast.Call]]:
        """The calls in which a name stands as the callee or as an argument, by its last segment."""
        found: dict[str, list[ast.Call]] = {}
        for call in self.calls:
            values = (call.func, *call.args, *(keyword.value for keyword in call.keywords))
            bases = (value.value for value in values if isinstance(value, ast.Attribute))
            for name in {last_name(value) for value in (*values, *bases)} - {""}:
                found.setdefault(name, []).append(call)
        return found

    @cached_property
    def handed_on(self) -> dict[str, list[tuple[str, ast.Name]]]:
        """By the name that is read: the keywords, attributes and keys that get its value, each with the read."""
        found: dict[str, list[tuple[str, ast.Name]]] = {}
        for node in self.nodes:
            for slot, value in _handed(node):
                if isinstance(value, ast.Name):
                    found.setdefault(value.id, []).append((slot, value))
        return found

    def quoted(self, node: ast.Constant) -> ast.expr | None:
        """The expression in a string annotation, every part placed at the string; None when it is not one."""
        if node not in self._quoted:
            self._quoted[node] = self._parse_quoted(node)
        return self._quoted[node]

    def _parse_quoted(self, node: ast.Constant) -> ast.expr | None:
        text = constant_text(node)
        if text is None or len(text) > _LONGEST_QUOTED:
            return None
        try:
            expression = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        function = self.function_of(node)
        inside = Scope(node, self.names.scopes[function] if function else self.names.module)
        rename(ast.walk(expression), self.tree.renamed)
        for part in ast.walk(expression):
            ast.copy_location(part, node)
            if isinstance(part, ast.Name):
                self.names.home[part] = inside
        return expression

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What holds a node, innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def function_of(self, node: ast.AST) -> FunctionNode | None:
        """The innermost function that holds the node."""
        passed: list[ast.AST] = []
        outer = self.parents.get(node)
        while outer is not None and outer not in self._functions and not isinstance(outer, FUNCTIONS):
            passed.append(outer)
            outer = self.parents.get(outer)
        found = outer if outer is None or isinstance(outer, FUNCTIONS) else self._functions[outer]
        self._functions.update(dict.fromkeys(passed, found))
        return found

    def class_of(self, function: ast.AST) -> ast.ClassDef | None:
        """The class in whose body a function stands, or None for a plain function."""
        parent = self.parents.get(function)
        while isinstance(parent, (ast.If, ast.Try, ast.With)):
            parent = self.parents.get(parent)
        return parent if isinstance(parent, ast.ClassDef) else None


def _handed(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.keyword):
        yield node.arg or "", node.value
    elif isinstance(node, ast.Assign):
        yield from ((last_name(target), node.value) for target in node.targets if isinstance(target, ast.Attribute))
    elif isinstance(node, ast.Dict):
        yield from ((constant_text(key) or "", value) for key, value in zip(node.keys, node.values, strict=True))


def constant_text(node: ast.AST | None) -> str | None:
    """The text of a string constant as it stands; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def last_name(node: ast.AST) -> str:
    """The last segment of a dotted name: `c` for `a.b.c`, the name itself, else the empty string."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def dotted_name(node: ast.AST) -> str:
    """`a.b.c` for such an expression, else the empty string."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def decorator_names(node: ast.AST) -> frozenset[str]:
    """The last segments of a function's or class's decorators, called or not."""
    decorators = getattr(node, "decorator_list", [])
    return frozenset(last_name(d.func if isinstance(d, ast.Call) else d) for d in decorators)


def plain_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and of the branches in it, without those of inner functions and classes."""
    for statement in body:
        yield statement
        if not isinstance(statement, _DOCUMENTED):
            for block in ("body", "orelse", "finalbody"):
                yield from plain_statements(getattr(statement, block, []))
            for handler in getattr(statement, "handlers", []):
                yield from plain_statements(handler.body)
