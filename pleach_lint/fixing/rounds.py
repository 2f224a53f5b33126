"""One file fixed in memory: apply what fits, check again, until nothing is left. Writes nothing."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.finding import Applicability
from pleach_lint.fixing.edits import applied
from pleach_lint.screening import State
from pleach_lint.source import decode

if TYPE_CHECKING:
    from collections.abc import Callable

    from pleach_lint.finding import Finding
    from pleach_lint.inspection import Verdict

_MOST_ROUNDS: Final = 50
"""A round does at least one fix; what gets in the way of another waits for the next."""


class FixError(Exception):
    """A file that fixes would break; the message says how, in plain words."""


class FixedFile(NamedTuple):
    """What became of one file."""

    before: bytes
    after: bytes
    done: tuple[Finding, ...] = ()
    """The findings that were fixed, in the order in which that happened; places are those of the text of then."""


def is_fixable(finding: Finding, *, unsafe: bool) -> bool:
    """Whether a finding has a fix that may be applied."""
    return finding.fix is not None and (unsafe or finding.fix.applicability is Applicability.SAFE)


def fix_file(data: bytes, verdict: Verdict, check: Callable[[bytes], Verdict], *, unsafe: bool) -> FixedFile:
    """Fix what can be fixed.

    Args:
        data: The file.
        verdict: What is known of it.
        check: Finds out what is known of other bytes in its place.
        unsafe: Whether to apply unsafe fixes as well.

    Raises:
        FixError: if what comes of a fix could not be analysed any more, or the file cannot be written as it was read.
    """
    file = FixedFile(data, data)
    for _ in range(_MOST_ROUNDS):
        findings = [finding for finding in verdict.findings if is_fixable(finding, unsafe=unsafe)]
        if not findings:
            break
        after, done = _round(file.after, findings)
        file = FixedFile(data, after, (*file.done, *done))
        verdict = check(after)
        if verdict.state is State.NOT_ANALYSED:
            raise FixError(f"a fix of {done[0].code} in row {done[0].span.row} would break it; please report it")
    return file


def _round(data: bytes, findings: list[Finding]) -> tuple[bytes, list[Finding]]:
    source = decode(data)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if mark + _written(source.text, source.encoding) != data:
        raise FixError(f"text that was read as {source.encoding} would be written as other bytes")
    text, fixes = applied(source.text, [finding.fix for finding in findings if finding.fix is not None])
    done = [finding for finding in findings if finding.fix in fixes]
    return mark + _written(text, source.encoding), done


def _written(text: str, encoding: str) -> bytes:
    """The bytes of a text; those of another text where the encoding cannot write what it reads."""
    return text.encode(encoding, "replace")
