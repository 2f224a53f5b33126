"""Tests for the reports `json-lines`, `gitlab`, `junit` and `rdjson`."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pleach_lint.finding import Applicability, Edit, Finding, Fix, Related, Span
from pleach_lint.reports import Reported, Screen, report

TEXT = 'x = 1\né = "utility"; k = "utility"\n'
SPAN = Span(2, 5, 2, 14)
SECOND = Span(2, 20, 2, 29)
FIX = Fix(Applicability.UNSAFE, "Pass the seam", (Edit(SPAN, "seam"),))


def finding(span: Span = SPAN, *, code: str = "PCH001", filename: str = "m.py", message: str = "the reason") -> Finding:
    """A finding of a file, with a place in another file, and a fix."""
    return Finding(filename, span, code, "a-slug", message, "", (Related("c.py", SPAN, "defined here"),), FIX)


def rendered(output_format: str, *findings: Finding, text: str = TEXT) -> str:
    """A document in ASCII, which no console can spoil."""
    document = "".join(report(output_format).render([Reported(each, text) for each in findings], Screen()))
    assert document.isascii()
    return document


def junit_suite(*findings: Finding) -> ET.Element:
    """The one suite of a document."""
    (suite,) = ET.fromstring(rendered("junit", *findings))  # noqa: S314 - a document of ours
    return suite


def fingerprints(*findings: Finding, text: str = TEXT) -> list[str]:
    """By what GitLab knows the findings."""
    return [issue["fingerprint"] for issue in json.loads(rendered("gitlab", *findings, text=text))]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_json_lines(number: int) -> None:
    """Each line is an object as the array of `json` holds it; without findings there are no lines."""
    findings = [finding(), finding(SECOND, filename="\udcff.py")][:number]
    lines = rendered("json-lines", *findings).splitlines(keepends=True)
    assert [json.loads(line) for line in lines] == json.loads(rendered("json", *findings))
    assert all(line.endswith("}\n") for line in lines)


def test_gitlab() -> None:
    """A finding is an issue with the fields that GitLab asks for."""
    (issue,) = json.loads(rendered("gitlab", finding()))
    assert len(issue.pop("fingerprint")) == 64
    assert issue == {
        "description": "the reason",
        "check_name": "PCH001",
        "severity": "major",
        "location": {"path": "m.py", "lines": {"begin": 2, "end": 2}},
    }


@pytest.mark.parametrize("output_format", ["gitlab", "json"])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_arrays(output_format: str, number: int) -> None:
    """The array is whole with any number of findings, and ends with a line break."""
    document = rendered(output_format, *[finding()] * number)
    assert len(json.loads(document)) == number
    assert document.endswith("]\n")


def test_gitlab_knows_findings_again() -> None:
    """Lines above, indentation and the wording of the message change nothing; the words of the line do."""
    before = fingerprints(finding())
    below = finding(Span(4, 9, 4, 18), message="another reason")
    assert fingerprints(below, text='# new\n\nx = 1\n    é = "utility"; k = "utility"\n') == before
    assert fingerprints(finding(), text='x = 1\né = "utility"\n') != before
    assert fingerprints(finding(filename="n.py")) != before


def test_gitlab_tells_findings_apart() -> None:
    """Findings that have everything in common are counted, for GitLab would show one of them."""
    known_by = fingerprints(finding(), finding(SECOND), finding(code="PCH004"), finding(filename="\udcff.py"))
    assert len(set(known_by)) == 4


def test_gitlab_without_text() -> None:
    """A file that could not be decoded has an issue too."""
    assert len(fingerprints(finding(code="PCH999"), text="")) == 1


def test_junit() -> None:
    """A finding is a failed test, and a file that was not analysed one that could not run."""
    suite = junit_suite(finding(), finding(code="PCH999", filename="a&b.py"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "1")
    failed, broken = suite
    assert (failed.get("classname"), failed.get("line"), failed[0].tag) == ("m.py", "2", "failure")
    assert (broken.get("file"), broken[0].tag) == ("a&b.py", "error")
    assert failed[0].get("message") == "the reason"
    assert failed[0].text == "m.py:2:5: PCH001 the reason"


def test_junit_without_findings() -> None:
    """A run without findings is one test that passed."""
    suite = junit_suite()
    assert (suite.get("tests"), suite.get("failures"), [len(test) for test in suite]) == ("1", "0", [0])


def test_junit_is_xml_whatever_is_in_it() -> None:
    """Characters that XML forbids appear as escapes."""
    odd = "".join(map(chr, range(0x20))) + "\x7f\x85\ud800\udcff\ufffe\uffff<&>\"'é]]>"
    suite = junit_suite(finding(message=odd, filename=odd))
    shown = suite[0][0].get("message") or ""
    assert shown.startswith("\\x00\\x01")
    assert shown.endswith("\\ud800\\udcff\\ufffe\\uffff<&>\"'é]]>")


def test_rdjson() -> None:
    """A finding is a diagnostic whose columns count bytes, with its fix and what belongs to it."""
    document = json.loads(rendered("rdjson", finding()))
    (diagnostic,) = document["diagnostics"]
    here: dict[str, Any] = {"start": {"line": 2, "column": 6}, "end": {"line": 2, "column": 15}}
    assert document["source"]["name"] == "pleach-lint"
    assert diagnostic["location"] == {"path": "m.py", "range": here}
    assert diagnostic["suggestions"] == [{"range": here, "text": "seam"}]
    assert diagnostic["code"]["value"] == "PCH001"
    assert diagnostic["related_locations"] == [
        {"message": "defined here", "location": {"path": "c.py", "range": {"start": {"line": 2}, "end": {"line": 2}}}}
    ]


def test_rdjson_without_findings() -> None:
    """A run without findings is an object without diagnostics."""
    document = rendered("rdjson")
    assert json.loads(document)["diagnostics"] == []
    assert document.endswith("}\n")


def test_rdjson_without_text() -> None:
    """In a file that could not be decoded, the first column is meant."""
    (diagnostic,) = json.loads(rendered("rdjson", finding(), text=""))["diagnostics"]
    assert diagnostic["location"]["range"]["start"] == {"line": 2, "column": 1}
