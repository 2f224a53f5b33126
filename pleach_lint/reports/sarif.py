"""`sarif`: SARIF 2.1.0, as GitHub's code scanning wants it.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
Source: https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning
"""

from __future__ import annotations

import json
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from pleach_lint import __version__
from pleach_lint.reports.line_hashes import line_hash
from pleach_lint.reports.repository import as_uri
from pleach_lint.rule_pages import HOME, as_markdown, as_text, url_of
from pleach_lint.rules import all_rules
from pleach_lint.rules.not_analysed import NotAnalysed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.finding import Edit, Finding, Related, Span
    from pleach_lint.reports import Reported, Screen
    from pleach_lint.rule import Rule

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "%SRCROOT%"
_LONGEST: Final = 1024
"""Characters that GitHub takes of a description."""


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write one run, in ASCII. A file that was not analysed is a result, and a notification of the tool."""
    not_analysed = [item for item in reported if item.finding.code == NotAnalysed.code]
    run = {
        "tool": {"driver": _driver()},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(item) for item in not_analysed],
            }
        ],
        "originalUriBaseIds": {_ROOT: {"description": _text("The top of the repository.")}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item) for item in reported],
    }
    yield json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver() -> dict[str, object]:
    return {
        "name": "pleach-lint",
        "informationUri": HOME,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in all_rules()],
    }


def _rule(rule: type[Rule]) -> dict[str, object]:
    page = as_text(rule)
    return {
        "id": rule.code,
        "name": rule.__name__,
        "shortDescription": _text(rule.summary()),
        "fullDescription": _text(shorten(rule.__doc__ or "", _LONGEST, placeholder=" ...")),
        "help": {"text": page, "markdown": as_markdown(rule)},
        "helpUri": url_of(rule.code),
        "defaultConfiguration": {"enabled": rule.default, "level": "error"},
        "properties": {
            "precision": "high" if rule.default else "medium",
            "problem.severity": "error",
            "tags": [rule.slug, *filter(None, [rule.family])],
        },
    }


def _result(item: Reported) -> dict[str, object]:
    finding = item.finding
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": [rule.code for rule in all_rules()].index(finding.code),
        "level": "error",
        "message": _text(finding.message),
        "locations": [_location(finding, item)],
        "partialFingerprints": {"primaryLocationLineHash": line_hash(item.text, finding.span.row)},
    }
    if item.is_suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_explained(related, item)} for number, related in enumerate(finding.related, start=1)
        ]
        result["codeFlows"] = [_flow(origin, item) for origin in _origins(item)]
    if finding.fix:
        result["fixes"] = [{"description": _text(finding.fix.message), "artifactChanges": [_change(finding)]}]
    return result


def _origins(item: Reported) -> Sequence[tuple[Related, ...]]:
    """The places that the value can come from; one empty way where it comes from the finding itself."""
    return [(related,) for related in item.finding.related if related.is_origin] or [()]


def _flow(origin: tuple[Related, ...], item: Reported) -> dict[str, object]:
    """The way of a word from where it is defined over where it is used to where it goes."""
    here = {**_location(item.finding, item), "message": _text("it is used here")}
    onward = [related for related in item.finding.related if not related.is_origin]
    steps = [*(_explained(place, item) for place in origin), here, *(_explained(place, item) for place in onward)]
    return {"threadFlows": [{"locations": [{"location": step} for step in steps]}]}


def _change(finding: Finding) -> dict[str, object]:
    edits = finding.fix.edits if finding.fix else ()
    return {"artifactLocation": _artifact(finding.filename), "replacements": [_replacement(edit) for edit in edits]}


def _replacement(edit: Edit) -> dict[str, object]:
    return {"deletedRegion": _region(edit.span), "insertedContent": _text(edit.replacement)}


def _notification(item: Reported) -> dict[str, object]:
    finding = item.finding
    return {
        "descriptor": {"id": finding.code},
        "level": "error",
        "message": _text(finding.message),
        "locations": [_location(finding, item)],
    }


def _explained(related: Related, item: Reported) -> dict[str, object]:
    return {**_location(related, item), "message": _text(related.message)}


def _location(place: Finding | Related, item: Reported) -> dict[str, object]:
    """Where the finding, or a place that belongs to it, is in its file, and in which cell of a notebook."""
    cell = item.spot(place).cell
    physical = {"artifactLocation": _artifact(place.filename), "region": _region(item.in_file(place))}
    logical = {} if cell is None else {"logicalLocations": [{"fullyQualifiedName": f"cell {cell}"}]}
    return {"physicalLocation": physical, **logical}


def _artifact(filename: str) -> dict[str, object]:
    """Where a file lies; one outside of the repository by an absolute URI."""
    uri = as_uri(filename)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    """A place, in the rows and columns of findings: 1-based, code points, the end exclusive."""
    return {
        "startLine": span.row,
        "startColumn": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
    }


def _text(text: str) -> dict[str, object]:
    return {"text": text}
