"""PCH002 callclass-comparison: a class literal that a call class is compared with."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow import ladders
from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.scopes import Step
from pleach_lint.flow.slots import Hit, Slot, Use
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_LONGEST_SHOWN: Final = 60
_EQUALITIES: Final = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
_MEMBERSHIPS: Final = (ast.In, ast.NotIn)

_COMPARING_CALLS: Final = frozenset({
    "assert_equal", "assert_equals", "assert_not_equal", "assertEqual", "assertEquals", "assertIs",
    "assertIsNot", "assertListEqual", "assertNotEqual", "assertSequenceEqual", "assertSetEqual",
    "assertTupleEqual", "compare_digest", "countOf", "eq", "equal", "fnmatch", "fullmatch", "is_", "is_not",
    "match", "ne",
})  # fmt: skip
"""Functions of two values, one of which tells what the other is."""

_CONTAINING_CALLS: Final = frozenset(
    {"assertIn", "assertNotIn", "assertCountEqual", "assert_in", "contains", "indexOf"}
)

_COMPARING_METHODS: Final = frozenset({
    "__contains__", "__eq__", "__ne__", "any_", "contains", "endswith", "eq", "eq_missing", "equal", "equals",
    "fill_null", "fillna", "find", "get_group", "ilike", "in_", "is_", "is_distinct_from", "is_equal_to",
    "is_in", "is_in_", "is_not", "is_not_distinct_from", "is_not_equal_to", "isEqualTo", "isin", "isnot",
    "like", "map", "mask", "ne", "not_in", "notin_", "removeprefix", "replace", "replace_strict", "startswith",
    "to_be", "to_equal", "toBe", "toEqual", "where",
})  # fmt: skip
"""Methods of a class, a column of classes, or an expectation about one, that compare it with their arguments."""


class CallclassComparison(Rule):
    """A class literal is compared with a call class.

    Code that branches on the spelling of a class is the place where a second answer slips in, and it breaks without a
    sound when the vocabulary changes. Ask a predicate of the runtime instead: `is_synthesize(row.call.call_class)`.

    The fix does so. It is safe for what is declared to be a `CallClass`, and for the class of an audit row or a seam.
    Of anything else `==` may build a part of a query: there it is unsafe, and there is none for `!=`.

    Source: the documentation of Pleach, "Call classes", section "The callClass lint".
    """

    code = "PCH002"
    slug = "callclass-comparison"
    family = "callclass-literals"
    rank = 1
    way_out = "ask `{predicate}(...)` instead"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "compared",
            """
            def landed(rows):
                return [row for row in rows if row.call_class == "synthesize"]  #~ 54
            """,
            fixed="""
            from pleach_runtime import is_synthesize


            def landed(rows):
                return [row for row in rows if is_synthesize(row.call_class)]
            """,
        ),
        Example(
            "the class of an audit row",
            """
            from pleach_runtime import AuditableCall

            def answered(row: AuditableCall) -> bool:
                return row.call.call_class == "synthesize"  #~ 35
            """,
            fixed="""
            from pleach_runtime import AuditableCall, is_synthesize

            def answered(row: AuditableCall) -> bool:
                return is_synthesize(row.call.call_class)
            """,
        ),
        Example(
            "asked of a predicate",
            """
            def landed(rows):
                return [row for row in rows if is_synthesize(row.call_class)]
            """,
        ),
        Example(
            "matched, and tested for membership",
            """
            match request.call_class:
                case "utility" | "reasoning":  #~ 10 22
                    cheap(request)
            if request.call_class not in {"converse", None}:  #~ 31
                log(request)
            """,
        ),
        Example(
            "a ladder over one subject",
            """
            if lane == "utility":  #~ 12
                model = small
            elif lane == "synthesize":  #~ 14
                model = big
            """,
        ),
        Example(
            "something else is compared",
            """
            if request.call_class == chosen and block["type"] == "reasoning":
                skip(block)
            if row.call_class == "interactive" or route == "converse":
                skip(row)
            """,
        ),
    )

    def visit_Compare(self, node: ast.Compare, view: View) -> Iterator[Slot]:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if isinstance(operator, _EQUALITIES):
                yield from self._equal(left, right, view)
            elif isinstance(operator, _MEMBERSHIPS):
                yield from self._member(left, right, view)
            elif view.lists_classes(left) or view.lists_classes(right):
                yield from self._equal(left, right, view)

    def _equal(self, left: ast.expr, right: ast.expr, view: View) -> Iterator[Slot]:
        if isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple) and len(left.elts) == len(right.elts):
            for one, other in zip(left.elts, right.elts, strict=True):
                yield from self._equal(one, other, view)
            return
        for subject, other in ((left, right), (right, left)):
            if _is_other_constant(other):
                continue
            if view.holds_class(subject) or view.lists_classes(subject):
                yield Slot(other, f"compared with `{_shown(subject)}`")

    def _member(self, left: ast.expr, right: ast.expr, view: View) -> Iterator[Slot]:
        if view.holds_class(left):
            yield Slot(right, f"compared with `{_shown(left)}`", route=(Step.EACH,), absorb=False)
            yield Slot(right, f"compared with `{_shown(left)}`")
        if view.lists_classes(right) or view.is_class_table(right):
            yield Slot(left, f"looked up in `{_shown(right)}`", absorb=False)

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Slot]:
        name = last_name(node.func)
        pair = node.args[:2]
        if name in _COMPARING_CALLS and len(pair) > 1:
            yield from self._equal(pair[0], pair[1], view)
        elif name in _CONTAINING_CALLS and len(pair) > 1:
            member, container = reversed(pair) if name in {"contains", "indexOf"} else pair
            yield from self._member(member, container, view)
        if name in _COMPARING_METHODS and isinstance(node.func, ast.Attribute):
            yield from self._asked(node.func.value, node.args, view)

    def _asked(self, receiver: ast.expr, arguments: list[ast.expr], view: View) -> Iterator[Slot]:
        subjects = [receiver, *(receiver.args[:1] if isinstance(receiver, ast.Call) else ())]
        if any(view.holds_class(subject) or view.lists_classes(subject) for subject in subjects):
            for argument in arguments:
                yield Slot(argument, f"compared with `{_shown(receiver)}`")
                if isinstance(argument, ast.Dict):
                    yield Slot(argument, f"compared with `{_shown(receiver)}`", route=(Step.EACH,), absorb=False)

    # -- patterns

    def visit_Match(self, node: ast.Match, view: View) -> Iterator[Use]:
        for case in node.cases:
            yield from self._pattern(case.pattern, node.subject, view)
        yield from _ladder(ladders.arms(node), view)

    def _pattern(self, pattern: ast.pattern, subject: ast.expr | str, view: View) -> Iterator[Slot]:
        """`subject` is the expression that the pattern sees, or the key or attribute that it looks under."""
        if isinstance(pattern, ast.MatchValue):
            if view.names_class(subject) if isinstance(subject, str) else view.holds_class(subject):
                yield Slot(pattern.value, f"matched against `{_shown(subject)}`", absorb=False)
        elif isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            yield from self._pattern(pattern.pattern, subject, view)
        else:
            for part, seen in _parts(pattern, subject):
                yield from self._pattern(part, seen, view)

    # -- ladders

    def visit_If(self, node: ast.If, view: View) -> Iterator[Hit]:
        yield from _ladder(ladders.branches(node, view), view)

    def visit_IfExp(self, node: ast.IfExp, view: View) -> Iterator[Hit]:
        yield from _ladder(ladders.conditions(node), view)

    def visit_BoolOp(self, node: ast.BoolOp, view: View) -> Iterator[Hit]:
        yield from _ladder(ladders.alternatives(node), view)


def _is_other_constant(node: ast.expr) -> bool:
    """Whether a comparison is with a constant that is no class word, which is most of them."""
    return isinstance(node, ast.Constant) and node.value not in CLASS_WORDS


def _parts(pattern: ast.pattern, subject: ast.expr | str) -> Iterator[tuple[ast.pattern, ast.expr | str]]:
    """The sub-patterns of a pattern, each with what it sees."""
    if isinstance(pattern, ast.MatchOr):
        yield from ((part, subject) for part in pattern.patterns)
    elif isinstance(pattern, ast.MatchSequence):
        seen = subject.elts if isinstance(subject, (ast.Tuple, ast.List)) else [""] * len(pattern.patterns)
        yield from zip(pattern.patterns, seen, strict=False)
    elif isinstance(pattern, ast.MatchMapping):
        yield from zip(pattern.patterns, (constant_text(key) or "" for key in pattern.keys), strict=True)
    elif isinstance(pattern, ast.MatchClass):
        yield from zip(pattern.kwd_patterns, pattern.kwd_attrs, strict=True)


def _shown(node: ast.expr | str) -> str:
    text = node if isinstance(node, str) else ast.unparse(node)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _ladder(rungs: dict[str, list[ast.expr]], view: View) -> Iterator[Hit]:
    """Report the class words of each subject on whose ladder they co-occur."""
    for subject, values in rungs.items():
        for value, word in view.co_occurring(values):
            yield Hit(value, f"one of several class words that `{subject}` is compared with", word)
