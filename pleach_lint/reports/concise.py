"""`concise`: one line a finding, as editors and scripts read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_lint.paths import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write `path:row:column: CODE message`."""
    for item in reported:
        yield f"{one_line(item)}\n"


def one_line(item: Reported) -> str:
    """Write a finding on one line; rows and columns 1-based."""
    finding = item.finding
    return f"{visible(finding.filename)}:{item.spot(finding)}: {finding.code} {finding.message}"
