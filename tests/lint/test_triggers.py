"""A sign of a rule makes a file worth a look, and nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_lint.config.governing import Configurations
from pleach_lint.project import Project, Settings
from pleach_lint.rules import about_classes, all_rules, unconcerned
from pleach_lint.source import decode
from pleach_lint.triggers import trigger
from pleach_lint.vocabulary import SEAM_GENERICS

if TYPE_CHECKING:
    from pathlib import Path

    from _pytest.mark import ParameterSet

    from tests.conftest import Project as Scratch
    from tests.conftest import Run


def signs() -> list[ParameterSet]:
    """Each sign of each rule, with the code of the rule."""
    return [pytest.param(rule.code, sign, id=f"{rule.code}: {sign}") for rule in all_rules() for sign in rule.signs]


@pytest.mark.parametrize(("code", "sign"), signs())
def test_a_file_with_a_sign_is_looked_at(code: str, sign: str, tmp_path: Path) -> None:
    """The gate lets a file pass that holds nothing but a sign of a rule that is on."""
    project = Project(Settings(tmp_path, optional=(code,)))
    text = f"from pleach_runtime import {sign}\n" if sign in SEAM_GENERICS else f"x = {sign!r}\n"
    assert project.may_matter(tmp_path / "a.py", text.encode()) or "allClass" in sign
    named = text if sign in SEAM_GENERICS else f"from a import {sign.replace('-', '_')}\n"
    assert project.may_matter(tmp_path / "b.py", named.encode()) or "-" in sign


@pytest.mark.parametrize(("code", "sign"), signs())
def test_a_rule_is_asked_only_where_its_sign_stands(code: str, sign: str) -> None:
    """A rule looks at a file when one of its signs stands there, and at no other."""
    assert code not in unconcerned(f"x = {sign!r}\n", (code,))
    assert code in unconcerned("x = 1\n", (code,))


def test_signs_of_rules_that_are_off_count_for_nothing() -> None:
    """The name of an SDK is no sign unless the rule about SDKs is selected."""
    data = b"import openai\n"
    looked_at = [trigger(codes)(data, words=False) for codes in ((), ("PCH007",), ("PCH401",))]
    assert looked_at == [False, False, True]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param("import openai\ndef ask(lane): ...\nask(1)\n", False, id="a sign of another rule alone"),
        pytest.param("import openai\nask(call_class=run(1))\n", True, id="the name of a slot as well"),
        pytest.param("import openai\nask({'utility': 1, 'converse': 2})\n", True, id="two class words as well"),
    ],
)
def test_rules_about_class_words_are_asked_where_they_can_report(text: str, tmp_path: Path, *, asked: bool) -> None:
    """A file that only another rule looks at is spared the search for class words."""
    project = Project(Settings(tmp_path, optional=("PCH401",)))
    module = project.read(tmp_path / "a.py", decode(text.encode()))
    in_full = {code for code, _ in project.analysis_of(module).uses(module)}
    found = {code for code, _ in project.uses(module)}
    assert in_full & about_classes()
    assert (found == in_full) is asked


def test_selecting_a_rule_reaches_the_gate(project: Scratch, run: Run) -> None:
    """A rule that is off by default reports once it is selected, also where an earlier run kept that nothing is."""
    project({"ask.py": "import litellm\nlitellm.completion(model='m')\n"})
    assert "0 findings" in run("-v").err
    assert "ask.py:2:1: PCH401" in run("--extend-select", "call-around-seam").out
    assert "0 findings" in run("-v").err


def test_provider_modules_may_call_providers(project: Scratch, run: Run) -> None:
    """A path or glob in `provider-modules` names files and folders, relative to the configuration."""
    call = "import litellm\nlitellm.completion(model='m')\n"
    settings = (
        "[tool.pleach-lint]\nextend-select = ['PCH401']\nprovider-modules = ['app/providers', 'app/*_adapter.py']\n"
    )
    project(
        {
            "pyproject.toml": settings,
            "app/providers/deep/one.py": call,
            "app/lite_adapter.py": call,
            "app/providers_too.py": call,
        }
    )
    assert [line.split(":")[0] for line in run("--output-format", "concise").out.splitlines()] == [
        "app/providers_too.py"
    ]


def test_the_settings_of_a_folder_name_what_is_selected(project: Scratch) -> None:
    """Only the rules that are off by default are told to the analysis, in order."""
    root = project({"pyproject.toml": "[tool.pleach-lint]\nselect = ['ALL']\n"})
    optional = Configurations(root).governing(root).settings.optional
    assert [code for code in optional if code in {"PCH007", "PCH001", "PCH401"}] == ["PCH007", "PCH401"]
