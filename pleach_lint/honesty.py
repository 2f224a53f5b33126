"""Suppressions that are not what they seem: unused, blanket, unexplained. Knows no configuration, and hides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.comment_edits import named, without
from pleach_lint.finding import Applicability, Finding, Fix
from pleach_lint.rules.blanket_suppression import BlanketSuppression
from pleach_lint.rules.unexplained_suppression import UnexplainedSuppression
from pleach_lint.rules.unused_suppression import UnusedSuppression
from pleach_lint.suppression import explains

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Edit
    from pleach_lint.rule import Rule
    from pleach_lint.suppression import Suppression

_OURS: Final = "PCH"


class Subject(NamedTuple):
    """The suppressions of one file, and what they could hide."""

    filename: str
    rows: Sequence[str]
    """The file, without line endings."""
    written: Sequence[Suppression]
    found: Sequence[Finding]
    """Everything that was found in the file, by rules that are on or not."""


def judged(subject: Subject, on: frozenset[str], reported: frozenset[str]) -> list[Finding]:
    """What is to be said about the suppressions of a file, in no particular order.

    Args:
        subject: The file.
        on: The rules whose findings are looked for; what hides those of others may be of use elsewhere.
        reported: The rules that are on in this very file.
    """
    others = [finding for finding in (*_blanket(subject, reported), *_unexplained(subject)) if finding.code in on]
    if UnusedSuppression.code not in on:
        return others
    first = _unused(subject, subject.found, on)
    return [*others, *_unused(subject, (*subject.found, *others, *first), on)]


def _unused(subject: Subject, found: Sequence[Finding], on: frozenset[str]) -> Iterator[Finding]:
    """The suppressions that name what they do not hide."""
    for each in subject.written:
        covered = {finding.code for finding in found if each.covers(finding)}
        names = [
            name
            for name, codes in (each.names or {}).items()
            if codes.isdisjoint(covered) and (codes & on or (not codes and name.startswith(_OURS)))
        ]
        if names:
            shown = ", ".join(f"`{name}`" for name in names)
            yield _finding(
                UnusedSuppression,
                subject,
                each,
                f"{shown} {'hides' if len(names) == 1 else 'hide'} nothing here",
                None if each.misuse else without(each, names, subject.rows),
            )


def _blanket(subject: Subject, reported: frozenset[str]) -> Iterator[Finding]:
    """The `noqa` that name no code, and hide something of ours."""
    for each in subject.written:
        hidden = sorted({finding.code for finding in subject.found if each.hides(finding)} & reported)
        if each.names is None and hidden:
            edit = named(each, hidden)
            written = f"{each.text}{each.behind}"[: edit.span.end_column - edit.span.column]
            reading = "" if written == each.text else f" is read as `{each.text}`, which"
            what = f"`{written}`{reading} hides whatever any tool finds here, {', '.join(hidden)} too"
            yield _finding(BlanketSuppression, subject, each, what, edit)


def _unexplained(subject: Subject) -> Iterator[Finding]:
    """The suppressions of ours without a reason."""
    for each in subject.written:
        if any((each.names or {}).values()) and not explains(each.behind):
            yield _finding(UnexplainedSuppression, subject, each, f"`{each.text}` gives no reason")


def _finding(
    rule: type[Rule], subject: Subject, suppression: Suppression, what: str, edit: Edit | None = None
) -> Finding:
    fix = None if edit is None else Fix(Applicability.SAFE, rule.way_out.capitalize(), (edit,))
    return Finding(subject.filename, suppression.span, rule.code, rule.slug, f"{what}; {rule.way_out}", fix=fix)
