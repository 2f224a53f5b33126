"""One file fixed in memory: apply what fits, check again, until nothing is left. Writes nothing."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.finding import Applicability
from pleach_lint.fixing.edits import applied
from pleach_lint.inspection import Inspector
from pleach_lint.screening import State
from pleach_lint.source import UnreadableSource, decode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.finding import Finding, Fix
    from pleach_lint.source import Source
    from pleach_lint.verdict import Comments, Verdict
    from pleach_lint.walk import Target

_MOST_ROUNDS: Final = 50
"""A round does at least one fix; what gets in the way of another waits for the next."""


class FixError(Exception):
    """A file that is left as it is; the message names it and says why."""


class FixedFile(NamedTuple):
    """What became of one file."""

    target: Target
    before: bytes
    after: bytes
    done: tuple[Finding, ...] = ()
    """The findings that were fixed, in the order in which that happened; places are those of the text of then."""


def is_fixable(finding: Finding, *, unsafe: bool) -> bool:
    """Whether a finding has a fix that may be applied."""
    return finding.fix is not None and (unsafe or finding.fix.applicability is Applicability.SAFE)


def fix_file(target: Target, data: bytes | None, verdict: Verdict, comments: Comments, *, unsafe: bool) -> FixedFile:
    """Fix what can be fixed.

    Args:
        target: The file.
        data: Its bytes; None: those on the disk.
        verdict: What is known of it.
        comments: Which comments hide findings.
        unsafe: Whether to apply unsafe fixes as well.

    Raises:
        FixError: if the file is not the one any more that the verdict is about, could not be analysed after a fix, or
            cannot be written as it was read.
    """
    before = unchanged(target, verdict) if data is None else data
    file = FixedFile(target, before, before)
    for _ in range(_MOST_ROUNDS):
        findings = [finding for finding in verdict.findings if is_fixable(finding, unsafe=unsafe)]
        if not findings:
            break
        file = _round(file, findings)
        verdict = Inspector(comments).inspect(target, file.after)
        if verdict.state is State.NOT_ANALYSED:
            raise FixError(f"{target.path}: fixes would break it, so it was left alone; please report it")
    return file


def unchanged(target: Target, verdict: Verdict) -> bytes:
    """What is on the disk, if it still is what was checked.

    Raises:
        FixError: if it is not.
    """
    try:
        data = Path(target.real).read_bytes()
        if decode(data).text == verdict.text:
            return data
    except (OSError, UnreadableSource):
        pass
    raise FixError(f"{target.path}: changed while it was looked at, so it was left alone; run again")


def _round(file: FixedFile, findings: list[Finding]) -> FixedFile:
    after, fixes = rewritten(file.target.path, file.after, [found.fix for found in findings if found.fix is not None])
    done = (finding for finding in findings if finding.fix in fixes)
    return file._replace(after=after, done=(*file.done, *done))


def rewritten(name: str, data: bytes, fixes: Iterable[Fix]) -> tuple[bytes, frozenset[Fix]]:
    """The bytes of a file after fixes, and those that are in it, as `applied` tells.

    Raises:
        FixError: if the file cannot be written as it was read.
    """
    source = decode(data)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if mark + _written(source) != data:
        raise FixError(f"{name}: what is read as {source.encoding} cannot be written so; it was left alone")
    text, done = applied(source.text, fixes)
    return mark + _written(source._replace(text=text)), done


def _written(source: Source) -> bytes:
    """The bytes of a text; those of another text where its encoding cannot write what it reads."""
    return source.text.encode(source.encoding, "replace")
