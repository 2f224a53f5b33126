"""`json`: an array of objects with the field names of Ruff's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pleach_lint.comment_lines import noqa_row
from pleach_lint.rule_pages import url_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Fix, Related
    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write the array, one object a line, in ASCII, so that no console can spoil it."""
    yield "["
    for number, item in enumerate(reported):
        yield (",\n  " if number else "\n  ") + json.dumps(as_object(item))
    yield "\n]\n" if reported else "]\n"


def as_object(item: Reported) -> dict[str, object]:
    """The finding as JSON values; rows and columns 1-based, columns in code points, ends exclusive.

    Rows of a notebook count from the first of their cell.
    """
    finding, (cell, span) = item.finding, item.spot(item.finding)
    return {
        "code": finding.code,
        "slug": finding.slug,
        "message": finding.message,
        "filename": finding.filename,
        "cell": cell,
        "location": _place(span.row, span.column),
        "end_location": _place(span.end_row, span.end_column),
        "related": [_related(related, item) for related in finding.related],
        "fix": _fix(finding.fix) if finding.fix else None,
        "noqa_row": noqa_row(item.text, finding.span.row) - finding.span.row + span.row,
        "url": url_of(finding.code),
    }


def _related(related: Related, item: Reported) -> dict[str, object]:
    cell, span = item.spot(related)
    place = {"filename": related.filename, "cell": cell, "location": _place(span.row, span.column)}
    return {**place, "message": related.message}


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "edits": [
            {
                "content": edit.replacement,
                "location": _place(edit.span.row, edit.span.column),
                "end_location": _place(edit.span.end_row, edit.span.end_column),
            }
            for edit in fix.edits
        ],
    }


def _place(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column}
