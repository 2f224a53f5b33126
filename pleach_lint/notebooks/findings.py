"""Findings in the module of a notebook, made fit for readers who see cells. Finds nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.finding import Finding
    from pleach_lint.notebooks.notebook import Notebook


def for_cells(findings: Iterable[Finding], notebook: Notebook, name: str) -> tuple[Finding, ...]:
    """Let messages name rows by their cell, and drop fixes, whose edits would go into JSON.

    Args:
        findings: Their own places stay as they are.
        notebook: What they were found in.
        name: What messages call the notebook.
    """
    named_row = re.compile(rf"(?P<before>\({re.escape(name)}:)(?P<row>\d+)(?=\))|on line (?P<line>\d+)")

    def in_cell(named: re.Match[str]) -> str:
        return (named["before"] or "in ") + notebook.row_name(int(named["row"] or named["line"]))

    return tuple(replace(found, message=named_row.sub(in_cell, found.message), fix=None) for found in findings)
