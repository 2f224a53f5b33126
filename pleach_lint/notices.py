"""From notices, which rules report for other reasons than a class literal, to findings. Follows no values."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.finding import Finding, Related, Span
from pleach_lint.fixes.nearest_word import nearest_word
from pleach_lint.flow.module import last_name
from pleach_lint.flow.slots import Notice
from pleach_lint.rules import rules_by_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pleach_lint.flow.module import Module
    from pleach_lint.project import Project
    from pleach_lint.syntax import Tree

Noticed: TypeAlias = "tuple[str, Notice]"
"""The code of a rule, and what it noticed."""

_REFUSALS: Final = frozenset({"assertRaises", "assertRaisesRegex", "raises"})
_HEADS: Final[dict[type[ast.AST], str]] = {
    ast.ClassDef: "class",
    ast.FunctionDef: "def",
    ast.AsyncFunctionDef: "async def",
}


def notices(module: Module, project: Project) -> dict[ast.AST, list[Noticed]]:
    """What the rules notice in a module, by the node; in a seam package only what rules for seam packages do."""
    found: dict[ast.AST, list[Noticed]] = defaultdict(list)
    rules = rules_by_code()
    for code, use in project.uses(module):
        is_here = isinstance(use, Notice) and (rules[code].in_seams or not module.is_seam)
        if isinstance(use, Notice) and is_here and not _is_refused(module, use.node):
            found[use.node].append((code, use))
    return found


def _is_refused(module: Module, node: ast.AST) -> bool:
    """Whether a test expects that what it does there fails: `with pytest.raises(...)`."""
    blocks = (outer for outer in module.ancestors(node) if isinstance(outer, (ast.With, ast.AsyncWith)))
    calls = (item.context_expr for block in blocks for item in block.items)
    return any(isinstance(call, ast.Call) and last_name(call.func) in _REFUSALS for call in calls)


def told(path: Path, tree: Tree, noticed: Mapping[ast.AST, list[Noticed]]) -> Iterator[Finding]:
    """A finding for each notice; of those of one rule in one place the first."""
    seen: set[tuple[Span, str]] = set()
    for node, found in noticed.items():
        for code, notice in found:
            span = place_of(tree, node)
            if (span, code) not in seen:
                seen.add((span, code))
                rule = rules_by_code()[code]
                related = tuple(
                    Related(str(module.path), place_of(module.tree, place), text)
                    for module, place, text in notice.related
                )
                message = f"{notice.message}; {rule.way_out}"
                fix = nearest_word(node, notice.meant, tree) if notice.meant else None
                yield Finding(str(path), span, rule.code, rule.slug, message, related=related, fix=fix)


def place_of(tree: Tree, node: ast.AST) -> Span:
    """Where a node is pointed at: a definition at its head, a module at its first character."""
    if isinstance(node, ast.Module):
        return Span(1, 1, 1, 2)
    span = tree.span(node)
    head = _HEADS.get(type(node))
    if head is None:
        return span
    return Span(span.row, span.column, span.row, span.column + len(f"{head} {getattr(node, 'name', '')}"))
