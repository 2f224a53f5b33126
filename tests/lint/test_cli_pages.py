"""Tests for the commands that explain: rules, the configuration, help and the version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pleach_lint.rules import all_rules

if TYPE_CHECKING:
    from tests.conftest import Project, Run


def test_list_of_rules(run: Run) -> None:
    """`rule` alone lists the rules."""
    code, out, _ = run("rule")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [[rule.code, rule.slug] for rule in all_rules()]


@pytest.mark.parametrize("name", ["PCH001", "callclass-value"])
def test_page_of_a_rule(run: Run, name: str) -> None:
    """A rule is explained by code or slug, with its examples and what they report."""
    out = run("rule", name).out
    assert out.startswith("PCH001 callclass-value\n\nOn by default. Family: callclass-literals.\n\n")
    assert "\nReported: " in out
    assert "  # reported\n" in out
    assert "\nNot reported: " in out


def test_page_of_a_rule_that_is_always_on(run: Run) -> None:
    """A rule that cannot be ignored says so."""
    assert "Always on: it can be neither ignored nor suppressed." in run("rule", "PCH999").out


def test_pages_in_markdown(run: Run) -> None:
    """All pages make one document, with a block for each example, and one for what fixes make of it."""
    out = run("rule", "--all", "--output-format", "markdown").out
    titles = [line for line in out.splitlines() if line.startswith("# PCH")]
    assert titles == [f"# {rule.code} {rule.slug}" for rule in all_rules()]
    examples = [example for rule in all_rules() for example in rule.examples]
    assert out.count("```python\n") == len(examples) + sum(bool(example.fixed) for example in examples)


def test_pages_in_json(run: Run) -> None:
    """A rule is an object; all of them are an array."""
    one = json.loads(run("rule", "PCH001", "--output-format", "json").out)
    every = json.loads(run("rule", "--all", "--output-format", "json").out)
    assert one in every
    assert (one["code"], one["family"], one["default"]) == ("PCH001", "callclass-literals", True)
    assert {"row", "column"} == set(one["examples"][0]["reported"][0])
    assert [rule["code"] for rule in every] == [rule.code for rule in all_rules()]


def test_effective_configuration(project: Project, run: Run) -> None:
    """`config` shows each value and where it was written."""
    text = "seams = ['app/seams']\nstrict = true\nexclude = ['gen', 'x/*']\nextend-exclude = ['old']\njobs = 3\n"
    root = project({"pleach-lint.toml": f"{text}[per-file-ignores]\n'tests/*' = ['PCH001']", "a/b.py": ""})
    lines = run("config", "a/b.py", "--select", "PCH00").out.splitlines()
    assert lines[:3] == [f"# root: {root}", "# file: pleach-lint.toml", 'seams = ["app/seams"]  # pleach-lint.toml']
    assert {
        "strict = true  # pleach-lint.toml",
        'select = ["PCH00"]  # command line',
        'exclude = ["gen", "x/*"]  # pleach-lint.toml',
        'per-file-ignores = { "tests/*" = ["PCH001"] }  # pleach-lint.toml',
        "jobs = 3  # pleach-lint.toml",
        "# extend-select is not set",
        "names = []  # default",
    } <= set(lines)


def test_default_configuration(project: Project, run: Run) -> None:
    """Without a file, `config` shows the defaults of the working directory."""
    project({})
    lines = run("config").out.splitlines()
    assert {"# file: none", 'jobs = "auto"  # default', "per-file-ignores = {}  # default"} <= set(lines)


@pytest.mark.parametrize("arguments", [("--version",), ("-V",)])
def test_version(run: Run, arguments: tuple[str, ...]) -> None:
    """The version is printed and nothing else is done."""
    assert run(*arguments).out.startswith("pleach-lint, version ")


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("check", "--help"), ("rule", "-h"), ("config", "-h")])
def test_help(run: Run, arguments: tuple[str, ...]) -> None:
    """Every command explains itself."""
    code, out, _ = run(*arguments)
    assert code == 0
    assert out.startswith("Usage: pleach-lint")
