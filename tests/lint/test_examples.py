"""What follows from the examples of the rules: each is an exact test of its rule and a silent one for all others."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pleach_lint.comment_lines import noqa_row
from pleach_lint.engine import check_source
from pleach_lint.flow.analysis import Analysis
from pleach_lint.project import Project, Settings
from pleach_lint.rules import all_rules, visitors
from tests.lint.fixed import fixed_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from _pytest.mark import ParameterSet

    from pleach_lint.finding import Finding
    from pleach_lint.flow.symbols import ModuleFinder
    from pleach_lint.rule import Example, Rule

Place = tuple[int, "int | None"]
"""Row and column, 1-based; None where the example does not pin the column."""


class ProjectWithoutRule(Project):
    """A project in which one rule looks at nothing."""

    def __init__(self, settings: Settings, code: str) -> None:
        super().__init__(settings)
        self.code = code

    def new_analysis(self, finder: ModuleFinder) -> Analysis:
        """An analysis by all other rules."""
        others = {kind: [pair for pair in pairs if pair[0] != self.code] for kind, pairs in visitors().items()}
        return Analysis(finder, others, unconcerned=self.unconcerned, strict=self.settings.strict)


def rules_about_code() -> list[type[Rule]]:
    """The rules that report what stands in a program; those about comments have tests of their own."""
    return [rule for rule in all_rules() if not rule.judges_comments]


def examples(*, marked: bool | None = None) -> list[ParameterSet]:
    """Each example with its rule; of one kind only when `marked` says so."""
    return [
        pytest.param(rule, example, id=f"{rule.code}: {example.title}")
        for rule in rules_about_code()
        for example in rule.examples
        if marked in {None, example.marked}
    ]


def write(files: Iterable[tuple[str, str]], root: Path) -> None:
    """Write a program out."""
    for name, text in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def check(example: Example, project: Project) -> tuple[Finding, ...]:
    """Check an example as a program of its own."""
    root = project.settings.root
    write((example.files or {}).items(), root)
    path = root / example.path
    path.parent.mkdir(parents=True, exist_ok=True)
    return check_source(path, example.text.encode(), project).findings


def settings_for(rule: type[Rule], example: Example, root: Path) -> Settings:
    """The settings under which a rule meets its example."""
    return Settings(root, strict=example.strict, optional=() if rule.default else (rule.code,))


def places(findings: Iterable[Finding], example: Example) -> list[Place]:
    """Where findings stand; without the column in the rows where the example pins none."""
    unpinned = {row for row, column in example.expected if column is None}
    spans = [finding.span for finding in findings]
    return [(span.row, None if span.row in unpinned else span.column) for span in spans]


@pytest.mark.parametrize(("rule", "example"), examples())
def test_a_rule_reports_exactly_at_its_marks(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    """The places that a rule reports in its example are the marked ones, no more, no fewer."""
    found = check(example, Project(settings_for(rule, example, tmp_path)))
    own = [finding for finding in found if finding.code == rule.code]
    assert places(own, example) == list(example.expected), example.text


@pytest.mark.parametrize(("rule", "example"), examples(marked=False))
def test_no_rule_reports_anything_in_an_unmarked_example(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    """An example that is silent for its rule is silent for every other one."""
    assert check(example, Project(settings_for(rule, example, tmp_path))) == (), rule.code


@pytest.mark.parametrize(("rule", "example"), examples(marked=True))
def test_an_example_fails_without_its_rule(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    """The marks of an example cannot be met by a rule whose visitors are gone."""
    found = check(example, ProjectWithoutRule(settings_for(rule, example, tmp_path), rule.code))
    assert rule.code not in {finding.code for finding in found}


@pytest.mark.parametrize(("rule", "example"), examples())
def test_an_example_compiles(rule: type[Rule], example: Example) -> None:
    """Python takes the program of an example, and each of its other files."""
    for text in (example.text, *(example.files or {}).values()):
        compile(text, f"{rule.code}: {example.title}", "exec", dont_inherit=True)


@pytest.mark.parametrize(("rule", "example"), examples())
def test_fixes_make_of_an_example_what_it_says(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    """All fixes together give the program that the example shows, and none is made where it shows none."""
    write((example.files or {}).items(), tmp_path)
    path = tmp_path / example.path
    path.parent.mkdir(parents=True, exist_ok=True)
    fixed = fixed_text(example.text, path, settings_for(rule, example, tmp_path))
    assert fixed == example.text_fixed, rule.code


def test_noqa_silences_exactly_the_marked_rows(tmp_path: Path) -> None:
    """On the command line, a `noqa` for the code of the rule hides its finding, and without it the finding is there."""
    projects = {
        f"{rule.code}-{number}-{kind}": (rule, example, kind == "hidden")
        for rule in rules_about_code()
        for number, example in enumerate(rule.examples)
        for kind in ("hidden", "shown")
    }
    for name, (rule, example, hidden) in projects.items():
        text = with_noqa(example, rule.code) if hidden else example.text
        write(
            {**(example.files or {}), example.path: text, "pyproject.toml": configuration(rule, example)}.items(),
            tmp_path / name,
        )
    reported = reported_files(tmp_path)
    assert reported == {
        f"{name}/{example.path}" for name, (_, example, hidden) in projects.items() if example.marked and not hidden
    }


def with_noqa(example: Example, code: str) -> str:
    """The example with a comment that hides a rule on each marked row."""
    lines = example.text.split("\n")
    for row in {noqa_row(example.text, row) for row, _ in example.expected}:
        lines[row - 1] += f"  # noqa: {code}"
    return "\n".join(lines)


def configuration(rule: type[Rule], example: Example) -> str:
    """A configuration in which only the rule of the example reports."""
    return f"[tool.pleach-lint]\nselect = ['{rule.code}']\nstrict = {json.dumps(example.strict)}\n"


def reported_files(root: Path) -> set[str]:
    """The files in which the command line reports something."""
    command = [sys.executable, "-m", "pleach_lint", "check", "--output-format", "json", "."]
    run = subprocess.run(command, cwd=root, capture_output=True, check=False)
    return {item["filename"].replace("\\", "/") for item in json.loads(run.stdout)}
