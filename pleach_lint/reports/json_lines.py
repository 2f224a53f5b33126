"""`json-lines`: the objects of `json`, one a line, for tools that read while they are written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pleach_lint.reports.json_array import as_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write one object a line, in ASCII; nothing when there are no findings.

    Source: https://jsonlines.org/
    """
    for item in reported:
        yield json.dumps(as_object(item)) + "\n"
