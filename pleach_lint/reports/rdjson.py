"""`rdjson`: what reviewdog reads, to comment on changes wherever they are reviewed.

Source: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pleach_lint.reports.repository import in_repository
from pleach_lint.rule_pages import HOME, url_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Related, Span
    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write one object, in ASCII; its columns count bytes of UTF-8."""
    document = {
        "source": {"name": "pleach-lint", "url": HOME},
        "severity": "ERROR",
        "diagnostics": [_diagnostic(item) for item in reported],
    }
    yield json.dumps(document, indent=2) + "\n"


def _diagnostic(item: Reported) -> dict[str, object]:
    finding = item.finding
    rows = re.split("\r\n|\r|\n", item.text)
    place = _rows(item.in_file(finding)) if item.notebook else _range(finding.span, rows)
    edits = finding.fix.edits if finding.fix else ()
    return {
        "message": finding.message,
        "location": {"path": in_repository(finding.filename), "range": place},
        "severity": "ERROR",
        "code": {"value": finding.code, "url": url_of(finding.code)},
        "suggestions": [{"range": _range(edit.span, rows), "text": edit.replacement} for edit in edits],
        "related_locations": [_related(related, item) for related in finding.related],
    }


def _related(related: Related, item: Reported) -> dict[str, object]:
    place = _rows(item.in_file(related))
    return {"message": related.message, "location": {"path": in_repository(related.filename), "range": place}}


def _rows(span: Span) -> dict[str, object]:
    """A place by its rows alone, where the text is not at hand in which bytes could be counted."""
    return {"start": {"line": span.row}, "end": {"line": span.end_row}}


def _range(span: Span, rows: Sequence[str]) -> dict[str, object]:
    return {"start": _position(span.row, span.column, rows), "end": _position(span.end_row, span.end_column, rows)}


def _position(row: int, column: int, rows: Sequence[str]) -> dict[str, int]:
    before = rows[row - 1][: column - 1] if row <= len(rows) else ""
    return {"line": row, "column": len(before.encode(errors="surrogatepass")) + 1}
