"""`concise`: one line a finding, as editors and scripts read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Finding
    from pleach_lint.reports import Reported


def render(reported: Sequence[Reported], *, color: bool) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write `path:row:column: CODE message`."""
    for finding, _ in reported:
        yield f"{one_line(finding)}\n"


def one_line(finding: Finding) -> str:
    """Write a finding on one line; rows and columns 1-based."""
    return f"{finding.filename}:{finding.span.row}:{finding.span.column}: {finding.code} {finding.message}"
