"""`junit`: findings as failed tests, for servers that show results of tests and nothing else.

Source: https://github.com/testmoapp/junitxml
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pleach_lint.paths import visible
from pleach_lint.reports.concise import one_line
from pleach_lint.reports.repository import in_repository
from pleach_lint.rules.not_analysed import NotAnalysed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pleach_lint.reports import Reported, Screen


def render(reported: Sequence[Reported], screen: Screen) -> Iterator[str]:  # noqa: ARG001 - one signature for all
    """Write one suite: a failure a finding, an error a file that was not analysed; one passed test when all is well.

    Some servers refuse a suite without tests.
    """
    errors = sum(map(_is_error, reported))
    counts = f'tests="{max(len(reported), 1)}" failures="{len(reported) - errors}" errors="{errors}"'
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="pleach-lint" {counts}>\n'
    yield f'  <testsuite name="pleach-lint" {counts} skipped="0">\n'
    yield from map(_test, reported)
    if not reported:
        yield '    <testcase classname="pleach-lint" name="no findings"/>\n'
    yield "  </testsuite>\n</testsuites>\n"


def _is_error(item: Reported) -> bool:
    return item.finding.code == NotAnalysed.code


def _test(item: Reported) -> str:
    finding = item.finding
    kind = "error" if _is_error(item) else "failure"
    path = _attribute(in_repository(finding.filename))
    name = _attribute(f"{finding.code} {finding.slug} {item.spot(finding)}")
    return (
        f'    <testcase classname={path} name={name} file={path} line="{item.in_file(finding).row}">\n'
        f"      <{kind} type={_attribute(finding.code)} message={_attribute(finding.message)}>"
        f"{_ascii(escape(visible(one_line(item))))}</{kind}>\n"
        "    </testcase>\n"
    )


def _attribute(text: str) -> str:
    """Text as the value of an attribute, quotes included, in ASCII and without what XML forbids."""
    return _ascii(quoteattr(visible(text)))


def _ascii(xml: str) -> str:
    return xml.encode("ascii", "xmlcharrefreplace").decode("ascii")
