"""Entries of `per-file-ignores` that leave nothing out, told once a whole project was checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pleach_lint.finding import Finding, Span
from pleach_lint.patterns import PathMatcher
from pleach_lint.rules.unused_suppression import UnusedSuppression
from pleach_lint.screening import State
from pleach_lint.selection import ignored_codes
from pleach_lint.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pleach_lint.config.effective import Configuration
    from pleach_lint.patterns import Pattern
    from pleach_lint.walk import Target

_KEY = "per-file-ignores"

Checked = tuple["Target", "Verdict"]


def unused_ignores(checked: Sequence[Checked], folders: Sequence[Path], cwd: Path) -> tuple[Verdict, ...]:
    """What is to be said about configuration files whose project was checked as a whole.

    Args:
        checked: The files, with what is known of them.
        folders: What was checked, absolute and real.
        cwd: Where names of files are relative to.
    """
    configurations = {id(target.configuration): target.configuration for target, _ in checked}
    found = (_verdict(each, checked, cwd) for each in configurations.values() if _is_whole(each, folders))
    return tuple(verdict for verdict in found if verdict.findings)


def _is_whole(configuration: Configuration, folders: Sequence[Path]) -> bool:
    is_on = UnusedSuppression.code in configuration.codes
    return is_on and any(Path(configuration.root).is_relative_to(folder) for folder in folders)


def _verdict(configuration: Configuration, checked: Sequence[Checked], cwd: Path) -> Verdict:
    layer = next(each for each in configuration.layers if each.per_file_ignores is not None)
    if layer.origin != configuration.file:  # the command line, or a file that other projects inherit as well
        return Verdict(State.PARSED)
    text = (cwd / layer.origin).read_text(encoding="utf-8")
    ours = [(target, verdict) for target, verdict in checked if target.configuration is configuration]
    unused = (
        (
            pattern,
            [entry.name for entry in entries if _is_unused(pattern, ignored_codes((entry,)), configuration, ours)],
        )
        for pattern, entries in layer.per_file_ignores or ()
    )
    findings = (_finding(layer.origin, text, pattern, names) for pattern, names in unused if names)
    return Verdict(State.PARSED, tuple(sorted(findings)), text=text)


def _is_unused(
    pattern: Pattern, codes: frozenset[str], configuration: Configuration, checked: Sequence[Checked]
) -> bool:
    """Whether rules that are on found nothing in the files of a pattern. A file that was not analysed may need it."""
    matcher = PathMatcher((pattern,))
    of_use = (
        verdict.state is State.NOT_ANALYSED or codes & verdict.ignored
        for target, verdict in checked
        if matcher.covers(target.real, configuration.root)
    )
    return bool(codes & configuration.codes) and not any(of_use)


def _finding(name: str, text: str, pattern: Pattern, names: Sequence[str]) -> Finding:
    shown = ", ".join(f"`{each}`" for each in names)
    verb = "leaves" if len(names) == 1 else "leave"
    message = f"{shown} in `{_KEY}` of `{pattern.text}` {verb} nothing out; {UnusedSuppression.way_out}"
    rule = UnusedSuppression
    return Finding(name, _span(text, pattern.text), rule.code, rule.slug, message, UnusedSuppression.way_out)


def _span(text: str, pattern: str) -> Span:
    """Where the key of a pattern stands; the first place of the file where it cannot be told."""
    start = max(text.find(_KEY), 0)
    found = re.compile(rf"""["']?{re.escape(pattern)}["']?(?=\s*=)""").search(text, start)
    if found is None:
        return Span(1, 1, 1, 2)
    row = text.count("\n", 0, found.start()) + 1
    column = found.start() - text.rfind("\n", 0, found.start())
    return Span(row, column, row, column + len(found[0]))
