"""The findings of a check as a map shows them: by class, each with what hides it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.baseline.comparison import compare
from pleach_lint.config.layer import Layer
from pleach_lint.declarations import declarations
from pleach_lint.seam_map.model import Leak, Place, Undecided
from pleach_lint.selection import selector
from pleach_lint.suppression import Suppressions
from pleach_lint.verdict import Comments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pleach_lint.baseline.entries import Entry
    from pleach_lint.verdict import Results, Verdict
    from pleach_lint.walk import Target

_FAMILY: Final = "callclass-literals"
_NOT_ANALYSED: Final = "PCH999"
_WORD: Final = re.compile(r'"(\w+)"')
"""What a message of the family begins with."""


class Sightings(NamedTuple):
    """What the check of the files of a map found, in the order of the files."""

    leaks: tuple[Leak, ...]
    """Those that something hides as well."""
    not_analysed: tuple[Undecided, ...]

    @classmethod
    def of(cls, targets: Sequence[Target], results: Results, entries: Sequence[Entry], home: Path) -> Sightings:
        """Sort what a check of the `opened` files found that ignored comments.

        Args:
            targets: The files, as their configuration governs them.
            results: What the check found.
            entries: The baseline.
            home: Its folder.
        """
        pairs = list(zip(targets, results.verdicts, strict=True))
        new = compare(pairs, entries, home).verdicts if entries else results.verdicts
        leaks = (_leaks(target, verdict, rest) for (target, verdict), rest in zip(pairs, new, strict=True))
        return cls(
            tuple(chain.from_iterable(leaks)),
            tuple(
                Undecided(Place.of(target.path, finding.span, verdict.notebook), finding.message.partition(";")[0])
                for target, verdict in pairs
                for finding in verdict.findings
                if finding.code == _NOT_ANALYSED
            ),
        )


def opened(target: Target) -> Target:
    """The file under a configuration that hides no leak, so that a check of it finds what is to be shown as hidden."""
    rules = tuple(selector(rule.code) for rule in declarations() if rule.family == _FAMILY and rule.default)
    layer = Layer("map", ignore=(), per_file_ignores=(), extend_select=rules)
    configuration = target.configuration
    return target._replace(configuration=replace(configuration, layers=(layer, *configuration.layers)))


def _leaks(target: Target, verdict: Verdict, new: Verdict) -> Iterator[Leak]:
    codes = selector(_FAMILY).codes
    suppressions = Suppressions(verdict.text, Comments.ALL)
    reported = target.configuration.codes_for(target.real)
    for finding in verdict.findings:
        word = _WORD.match(finding.message)
        if finding.code in codes and word is not None:
            hidden = "" if finding in new.findings else "baseline"
            if suppressions.hides(finding):
                hidden = "comment"
            if finding.code not in reported:
                hidden = "configuration"
            yield Leak(
                word[1],
                Place.of(target.path, finding.span, verdict.notebook),
                finding.code,
                finding.slug,
                finding.message,
                hidden,
            )
