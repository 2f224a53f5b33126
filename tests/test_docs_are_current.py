"""What the documentation shows and claims is what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pleach_lint import __version__
from pleach_lint.config.layer import KEYS
from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings
from pleach_lint.suppression import Suppressions
from pleach_lint.verdict import Comments

if TYPE_CHECKING:
    from pleach_lint.finding import Finding

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def section(title: str) -> str:
    """The README from a heading to the next one of its rank."""
    return re.split(r"^## ", README.split(f"## {title}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def findings(program: str, root: Path) -> tuple[Finding, ...]:
    """What is found in a program that stands alone."""
    return check_source(root / "program.py", program.encode(), Project(Settings(root))).findings


def test_what_follows_from_the_code_is_up_to_date() -> None:
    """Rule pages, tables of options and the output of commands are those of this version."""
    command = [sys.executable, "docs/generate.py", "--check"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr


def test_the_leak_at_the_top_stands_in_the_fixture() -> None:
    """The line that the README opens with is a line of the leaky service."""
    leaky = (ROOT / "fixtures" / "leaky_service" / "desk" / "answers.py").read_text(encoding="utf-8")
    assert blocks("python")[0].strip() in {line.strip() for line in leaky.splitlines()}


def test_continuous_integration_runs_the_commands_of_the_readme() -> None:
    """Both commands that a newcomer is given are run by `.ci/run` as they stand."""
    given = [command.strip() for command in blocks("sh", section("Try it"))]
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert [command in run for command in given] == [True, True]


def test_every_setting_is_in_the_table() -> None:
    """The configuration table names each key once, and no other."""
    written = re.findall(r"^\| `([\w-]+)` \|", section("Configuration"), re.MULTILINE)
    assert sorted(written) == sorted(["extend", *(key.replace("_", "-") for key in KEYS)])


def test_the_configurations_shown_are_accepted(tmp_path: Path) -> None:
    """What the README puts into `pyproject.toml` is obeyed without complaint."""
    (tmp_path / "pyproject.toml").write_text("\n".join(blocks("toml")), encoding="utf-8")
    command = [sys.executable, "-m", "pleach_lint", "config"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert 'seams = ["src/graph/seams"]  # pyproject.toml' in run.stdout


def test_the_hooks_named_exist() -> None:
    """Hooks that the README speaks of are offered, at the version of this package."""
    offered = re.findall(r"^- id: (\S+)$", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    adding = section("Add it to your project")
    named = re.findall(r"^      - id: (\S+)$", adding, re.MULTILINE)
    assert named
    assert set(named) <= set(offered)
    assert {hook for hook in offered if f"`{hook}`" not in adding} == set()
    assert set(re.findall(r"\bv(\d+\.\d+\.\d+)", README)) == {__version__}


def test_what_is_said_not_to_be_seen_is_not_seen(tmp_path: Path) -> None:
    """None of the programs under "What it does not see" has a finding."""
    (program,) = blocks("python", section("What it does not see"))
    assert findings(program, tmp_path) == ()


@pytest.mark.parametrize("word", ['"syn" + "thesize"', "f\"{'utility'}\"", '"UTILITY".lower()'])
def test_computed_words_count(word: str, tmp_path: Path) -> None:
    """Each computed word that the README lists is found in a slot."""
    assert f"`{word}`" in README
    assert len(findings(f"resolve_model(call_class={word})\n", tmp_path)) == 1


@pytest.mark.parametrize("program", ['{"type": "reasoning"}', 'stage="synthesize"', "client.converse(...)"])
def test_the_other_meanings_are_silent(program: str, tmp_path: Path) -> None:
    """Each other meaning that the README lists is silent beside a real slot."""
    assert f"`{program}`" in README
    assert findings(f"{program}\nresolve_model(call_class=None)\n", tmp_path) == ()


def test_the_suppression_shown_works(tmp_path: Path) -> None:
    """The comment under "Suppression" hides the finding before it, with its reason."""
    (program,) = blocks("python", section("Suppression"))
    (finding,) = findings(program, tmp_path)
    assert Suppressions(program, Comments.ALL).hides(finding)


def test_the_program_of_the_runtime_runs(tmp_path: Path) -> None:
    """The program under "The runtime" has at most twenty lines, and prints the audit of its turn as it stands."""
    (program,) = blocks("python", section("The runtime"))
    assert len(program.splitlines()) <= 20
    command = [sys.executable, "-W", "error", "-c", program]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "[('synthesize', 'ok', 'You asked: Why?')]\n"
    assert (tmp_path / "audit.db").is_file()


@pytest.mark.parametrize("document", [pytest.param(path, id=path.name) for path in DOCUMENTS])
def test_links_lead_somewhere(document: Path) -> None:
    """Each relative link of a document is a file."""
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []
