"""`github`: workflow commands, which GitHub Actions shows beside the lines of a change.

Source: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pleach_lint.reports.concise import one_line
from pleach_lint.reports.repository import in_repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write one `::error` command a finding; columns only where the finding stays on one row, as GitHub wants it."""
    for item in reported:
        finding, span = item.finding, item.in_file(item.finding)
        properties = {"file": in_repository(finding.filename), "line": str(span.row)}
        if span.end_row == span.row:
            properties["col"] = str(span.column)
        properties["endLine"] = str(span.end_row)
        if span.end_row == span.row:
            properties["endColumn"] = str(span.end_column)
        properties["title"] = f"pleach-lint ({finding.code})"
        written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
        yield f"::error {written}::{_message(one_line(item))}\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
