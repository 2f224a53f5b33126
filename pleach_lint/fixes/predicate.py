"""A comparison with a class, turned into the question of a predicate."""

from __future__ import annotations

import ast
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from pleach_lint.finding import Applicability, Edit, Fix
from pleach_lint.fixes.naming import named
from pleach_lint.flow.module import last_name
from pleach_lint.flow.references import InstanceReference, class_names
from pleach_lint.vocabulary import CLASS_CARRIERS, CLASS_TYPE, PREDICATES

if TYPE_CHECKING:
    from pleach_lint.fixes.leak import Leak
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import ClassReference
    from pleach_lint.flow.scopes import Definition

_FIELD: Final = "call_class"
_SUBJECT_OF_ROW: Final = "call"
"""The field of an audit row that says what was called."""
_QUERIES: Final = frozenset({
    "and_", "any_", "case", "contains", "delete", "exists", "filter", "having", "join", "not_", "on", "or_",
    "order_by", "query", "select", "update", "where", "with_columns",
})  # fmt: skip
"""Functions and methods that take conditions, and not their outcomes."""


def predicate(leak: Leak) -> Fix | None:
    """`row.call.call_class == "synthesize"` to `is_synthesize(row.call.call_class)`, `!=` to `not` that.

    A subject of which nothing is known may be a column, for which `==` builds a part of a query: somebody should look.
    There `not` would decide then and there instead, so that no such fix is offered.
    """
    compare = leak.parent
    if not isinstance(compare, ast.Compare) or len(compare.ops) > 1:
        return None
    subject = compare.comparators[0] if compare.left is leak.node else compare.left
    is_negated = isinstance(compare.ops[0], ast.NotEq)
    if not (is_negated or isinstance(compare.ops[0], ast.Eq)) or not _is_movable(subject, compare, leak):
        return None
    is_sure = _is_typed(subject, leak) or _is_carried(subject, leak)
    if not is_sure and (is_negated or _is_queried(leak)):
        return None
    name = named(leak, PREDICATES[leak.word])
    if name is None:
        return None
    question = f"{'not ' if is_negated else ''}{name.text}({leak.source(subject)})"
    edits = sorted((*name.edits, _apart(compare, question, leak)))
    applicability = Applicability.SAFE if is_sure else Applicability.UNSAFE
    return Fix(applicability, f"Ask `{name.text}`", tuple(edits))


def _is_movable(subject: ast.expr, compare: ast.Compare, leak: Leak) -> bool:
    """Whether a subject means the same as an argument, and no comment is lost on the way.

    Of a ladder whose subject is told by its rungs alone, the rungs that are left would not be found any more.
    """
    is_plain = isinstance(subject, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    if not is_plain or not leak.view.holds_class(subject):
        return False
    return leak.source(compare).count("#") == leak.source(subject).count("#")


def _apart(compare: ast.Compare, question: str, leak: Leak) -> Edit:
    """Replace the comparison; where it stood against a word, as in `if"utility"==lane`, the question must not."""
    start = leak.offsets.bounds(leak.span(compare))[0]
    before = leak.offsets.text[max(start - 1, 0) : start]
    return leak.replaced(compare, f"{' ' if before.isidentifier() or before.isdecimal() else ''}{question}")


def _is_typed(subject: ast.expr, leak: Leak) -> bool:
    """Whether a subject is declared to be a `CallClass` and nothing else, wherever it comes from."""
    module, references = leak.view.module, leak.view.analysis.references
    if isinstance(subject, ast.Name):
        found = tuple(references.symbols(module, subject))
        return bool(found) and all(_is_class(owner, definition, leak) for owner, definition in found)
    if not isinstance(subject, ast.Attribute):
        return False
    bases = references.of(module, subject.value)
    return bool(bases) and all(
        isinstance(base, InstanceReference) and _is_field(base.of, subject.attr, leak) for base in bases
    )


def _is_field(cls: ClassReference, name: str, leak: Leak) -> bool:
    found = tuple(leak.view.analysis.references.members(cls, name))
    return bool(found) and all(_is_class(owner.module, definition, leak) for owner, definition in found)


def _is_class(owner: Module, definition: Definition, leak: Leak) -> bool:
    """Whether a definition is annotated with `CallClass`; `Mapped[CallClass]` is something else."""
    annotation = _annotation(definition)
    quoted = owner.quoted(annotation) if isinstance(annotation, ast.Constant) else annotation
    is_named = isinstance(quoted, (ast.Name, ast.Attribute)) and last_name(quoted) == CLASS_TYPE
    return is_named and leak.view.analysis.types.routes(owner, quoted) == ((),)


def _annotation(definition: Definition) -> ast.expr | None:
    node = definition.node
    return node.annotation if isinstance(node, (ast.arg, ast.AnnAssign)) else None


def _is_carried(subject: ast.expr, leak: Leak) -> bool:
    """Whether a subject is the class of an audit row, `row.call.call_class`, or of a seam, outside of any query."""
    if not isinstance(subject, ast.Attribute) or subject.attr != _FIELD or _is_queried(leak):
        return False
    base = subject.value
    if isinstance(base, ast.Attribute) and base.attr == _SUBJECT_OF_ROW:
        return not last_name(base.value)[:1].isupper()
    if not isinstance(base, ast.Name):
        return False
    found = [
        (owner, _annotation(each)) for owner, each in leak.view.analysis.references.symbols(leak.view.module, base)
    ]
    return bool(found) and all(
        note is not None and {last_name(name) for name in class_names(owner, note)} & CLASS_CARRIERS
        for owner, note in found
    )


def _is_queried(leak: Leak) -> bool:
    """Whether the comparison is, or is part of, a condition that is given to a query or picks from a frame."""
    around = takewhile(lambda outer: not isinstance(outer, ast.stmt), leak.view.module.ancestors(leak.node))
    return any(
        (isinstance(outer, ast.Call) and outer.func is not inner and last_name(outer.func) in _QUERIES)
        or (isinstance(outer, ast.Subscript) and outer.slice is inner)
        for inner, outer in pairwise((leak.node, *around))
    )
