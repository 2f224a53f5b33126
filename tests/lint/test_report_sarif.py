"""Tests for the report `sarif`: the standard, and what GitHub's code scanning asks for beyond it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_sarif.model import (  # type: ignore[import-untyped]  # it says nothing of its types
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as Schema,
)

from pleach_lint.finding import Applicability, Edit, Finding, Fix, Related, Span
from pleach_lint.reports import Reported, Screen, report
from pleach_lint.reports.line_hashes import line_hash
from pleach_lint.rules import all_rules

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Project, Run

TEXT = 'x = 1\nk = "utility"\n'
FIX = Fix(Applicability.SAFE, "Pass the seam", (Edit(Span(2, 5, 2, 14), "seam"),))


def finding(filename: str = "app/m.py", code: str = "PCH001", related: str = "app/c.py") -> Finding:
    """A finding of a file, with places in other files, and a fix."""
    origin = Related(related, Span(3, 5, 4, 9), "defined here", is_origin=True)
    elsewhere = (origin, Related("app/f.py", Span(7, 9, 7, 13), "takes a class")) if related else ()
    slug = "not-analysed" if code == "PCH999" else "callclass-value"
    return Finding(filename, Span(2, 5, 2, 14), code, slug, "the reason", "", elsewhere, FIX if related else None)


def sarif(*findings: Finding) -> dict[str, Any]:
    """The one run of a document, which the model of the schema accepts."""
    text = "".join(report("sarif").render([Reported(each, TEXT) for each in findings], Screen()))
    assert text.isascii()
    assert text.endswith("}\n")
    Schema.model_validate_json(text)
    (run,) = json.loads(text)["runs"]
    return dict(run)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_document(number: int) -> None:
    """The document follows the schema with any number of findings, and says how its columns count."""
    run = sarif(*[finding()] * number)
    assert len(run["results"]) == number
    assert run["columnKind"] == "unicodeCodePoints"


def test_a_result() -> None:
    """A result names its rule, and its place by all four numbers and a path from the top of the repository."""
    run = sarif(finding(related=""))
    assert run["results"] == [
        {
            "ruleId": "PCH001",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "the reason"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "app/m.py", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 14},
                    }
                }
            ],
            "partialFingerprints": {"primaryLocationLineHash": line_hash(TEXT, 2)},
        }
    ]
    assert "%SRCROOT%" in run["originalUriBaseIds"]


def test_the_way_of_a_value() -> None:
    """A flow leads from the definition over the finding to the parameters beyond; these are related places too."""
    (result,) = sarif(finding())["results"]
    (flow,) = result["codeFlows"]
    steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
    uris = [step["physicalLocation"]["artifactLocation"]["uri"] for step in steps]
    assert uris == ["app/c.py", "app/m.py", "app/f.py"]
    assert [step["message"]["text"] for step in steps] == ["defined here", "it is used here", "takes a class"]
    assert result["relatedLocations"] == [{"id": 1, **steps[0]}, {"id": 2, **steps[2]}]


def test_the_way_of_a_literal() -> None:
    """Where the word is spelled in the finding itself, the flow starts there."""
    found = replace(finding(), related=finding().related[1:])
    (flow,) = sarif(found)["results"][0]["codeFlows"]
    steps = [
        step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["threadFlows"][0]["locations"]
    ]
    assert steps == [2, 7]


def test_a_fix() -> None:
    """A fix is what is taken away and what is put in."""
    (fix,) = sarif(finding())["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert fix["description"] == {"text": "Pass the seam"}
    assert change["artifactLocation"]["uri"] == "app/m.py"
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 14},
            "insertedContent": {"text": "seam"},
        }
    ]


def test_what_comments_hide(project: Project, run: Run) -> None:
    """Suppressed findings are left out unless they are asked for; then they are marked, and fail nothing."""
    root = project({"m.py": 'f(call_class="utility")  # noqa: PCH001\n'})
    assert run("-q", "-o", "sarif=out.sarif").code == 0
    assert json.loads((root / "out.sarif").read_text())["runs"][0]["results"] == []
    assert run("-q", "-o", "sarif=out.sarif", "--show-suppressed") == (0, "", "")
    (result,) = json.loads((root / "out.sarif").read_text())["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "inSource"}]
    assert result["partialFingerprints"]["primaryLocationLineHash"] != line_hash("", 1)


def test_every_rule_is_described() -> None:
    """GitHub wants of each rule two descriptions of bounded length, help as text and as Markdown, and a page."""
    rules = sarif()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in all_rules()]
    for rule in rules:
        texts = [rule["shortDescription"]["text"], rule["fullDescription"]["text"]]
        assert all(0 < len(text) <= 1024 for text in texts)
        assert rule["help"]["text"]
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ")


def test_the_pages_of_rules_exist(pytestconfig: pytest.Config) -> None:
    """Each rule has a page in the documentation and no page is without one; the project's address is its metadata's."""
    pages = {path.name for path in (pytestconfig.rootpath / "docs" / "rules").glob("PCH*.md")}
    driver = sarif()["tool"]["driver"]
    assert {rule["helpUri"].rpartition("/docs/rules/")[2] for rule in driver["rules"]} == pages
    metadata = (pytestconfig.rootpath / "pyproject.toml").read_text(encoding="utf-8")
    assert f'Homepage = "{driver["informationUri"]}"\n' in metadata


def test_a_file_that_was_not_analysed() -> None:
    """Such a file is a result, so that it is seen, and a notification, since the run may have missed something."""
    run = sarif(finding(), finding(code="PCH999", related=""))
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert [result["ruleId"] for result in run["results"]] == ["PCH001", "PCH999"]
    assert (notification["descriptor"], notification["level"]) == ({"id": "PCH999"}, "error")
    assert notification["locations"] == run["results"][1]["locations"]


@pytest.mark.parametrize(
    ("filename", "uri"),
    [
        pytest.param("a b/ü#?%.py", "a%20b/%C3%BC%23%3F%25.py", id="characters that mean something in a URI"),
        pytest.param("c:d.py", "c%3Ad.py", id="a colon, which would end a scheme"),
        pytest.param("\udcff.py", "%FF.py", id="a byte that is no text"),
    ],
)
def test_paths_are_encoded(filename: str, uri: str) -> None:
    """A path is written as URIs have it, and is relative."""
    (result,) = sarif(finding(filename, related=""))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_paths_start_at_the_top_of_the_repository(project: Project, run: Run) -> None:
    """Wherever a run starts, paths are those that the repository has; a file outside has an absolute URI."""
    root = project({"app/m.py": 'f(call_class="utility")\n', "app/sub/x.py": ""})
    outside = root.parent / "o.py"
    outside.write_text('f(call_class="utility")\n', encoding="utf-8")
    results = json.loads(run("--output-format", "sarif", "app", str(outside)).out)["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in results]
    assert places == [{"uri": outside.as_uri()}, {"uri": "app/m.py", "uriBaseId": "%SRCROOT%"}]


@pytest.mark.parametrize("variable", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_hosts_say_where_the_repository_is(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, variable: str, tmp_path: Path
) -> None:
    """What the host takes for the repository counts, and one that is somewhere else does not."""
    root = project({"app/m.py": 'f(call_class="utility")\n'})
    monkeypatch.chdir(root / "app")
    for top, uri in ((root.parent, "project/app/m.py"), (tmp_path / "elsewhere", "app/m.py")):
        monkeypatch.setenv(variable, str(top))
        (result,) = json.loads(run("--output-format", "sarif").out)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
