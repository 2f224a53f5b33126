"""Comments put into one file that hide what was found in it. Writes nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from pleach_lint.comment_edits import hiding
from pleach_lint.finding import Applicability, Fix
from pleach_lint.fixing.rounds import FixedFile, FixError, rewritten, unchanged
from pleach_lint.inspection import Inspector
from pleach_lint.rules import rules_by_code
from pleach_lint.screening import State
from pleach_lint.source import decode
from pleach_lint.syntax import parse, with_deep_stack
from pleach_lint.verdict import Comments

if TYPE_CHECKING:
    from pleach_lint.finding import Finding
    from pleach_lint.verdict import Verdict
    from pleach_lint.walk import Target


def is_hideable(finding: Finding) -> bool:
    """Whether a comment in the code can hide a finding."""
    rule = rules_by_code()[finding.code]
    return rule.ignorable and not rule.judges_comments


def hide(target: Target, verdict: Verdict, reason: str) -> FixedFile:
    """Put in the comments that hide what was found and can be hidden.

    Args:
        target: The file, which is no notebook.
        verdict: What is known of it.
        reason: What stands behind the codes; empty: nothing.

    Raises:
        FixError: if the file is not the one any more that the verdict is about, cannot be written as it was read, or
            has a place where no comment can hide a finding.
    """
    found = [finding for finding in verdict.findings if is_hideable(finding)]
    codes_by_row: dict[int, set[str]] = defaultdict(set)
    for finding in found:
        codes_by_row[finding.span.row].add(finding.code)
    before = unchanged(target, verdict)
    _refuse_odd_characters(target, reason, decode(before).encoding)
    edits = hiding(verdict.text, codes_by_row, reason)
    fixes = [Fix(Applicability.SAFE, "Hide", (edit,)) for edit in edits]
    after, _ = rewritten(target.path, before, fixes)
    checked = Inspector(Comments.ALL).inspect(target, after)
    if checked.state is State.NOT_ANALYSED or not _means_the_same(before, after):
        raise FixError(f"{target.path}: comments would change what it means, so it was left alone")
    for left in checked.findings:
        if left.code in codes_by_row[left.span.row]:
            place = f"{target.path}:{left.span.row}"
            raise FixError(f"{place}: no comment can hide {left.code} there, so the file was left alone")
    return FixedFile(target, before, after, tuple(found))


def _refuse_odd_characters(target: Target, reason: str, encoding: str) -> None:
    try:
        reason.encode(encoding)
    except UnicodeEncodeError:
        raise FixError(f"{target.path}: {encoding} cannot write the reason; it was left alone") from None


def _means_the_same(before: bytes, after: bytes) -> bool:
    def meaning(data: bytes) -> str:
        return ast.dump(parse(decode(data)).module)

    return with_deep_stack(lambda: meaning(before) == meaning(after))
