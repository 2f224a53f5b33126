"""`gitlab`: a code quality report, which GitLab shows in merge requests.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from pleach_lint.reports.repository import in_repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write the array, one object a line, in ASCII."""
    seen: Counter[str] = Counter()
    yield "["
    for number, item in enumerate(reported):
        known_by = _known_by(item)
        seen[known_by] += 1
        fingerprint = hashlib.sha256(f"{known_by}\0{seen[known_by]}".encode(errors="surrogatepass")).hexdigest()
        yield (",\n  " if number else "\n  ") + json.dumps(_as_object(item, fingerprint))
    yield "\n]\n" if reported else "]\n"


def _known_by(item: Reported) -> str:
    """What a finding keeps when other lines change; findings that have it in common are counted."""
    rows = re.split("\r\n|\r|\n", item.text)
    row = rows[item.finding.span.row - 1] if item.finding.span.row <= len(rows) else ""
    return "\0".join((item.finding.code, in_repository(item.finding.filename), "".join(row.split())))


def _as_object(item: Reported, fingerprint: str) -> dict[str, object]:
    finding, span = item.finding, item.in_file(item.finding)
    return {
        "description": finding.message,
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": "major",
        "location": {
            "path": in_repository(finding.filename),
            "lines": {"begin": span.row, "end": span.end_row},
        },
    }
