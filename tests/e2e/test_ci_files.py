"""What the documentation tells CI systems, editors and shells to run, and whether it does what is said."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Project

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(sys.executable).parent
PATH = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
LEAK = 'resolve_model(call_class="utility")\n'
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def blocks(page: str, language: str) -> list[str]:
    """The code of a language on a page of the documentation."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as CI systems do: the first command that fails ends it."""
    env = {**os.environ, "PATH": PATH, **environment}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)


def act(step: Mapping[str, Any], runner: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action, its inputs filled in."""
    given = {name: str(each["default"]) for name, each in ACTION["inputs"].items()} | inputs
    known = {f"inputs.{name}": value for name, value in given.items()} | {"github.action_path": str(ROOT)}
    filled = {
        key: re.sub(r"\$\{\{ (.+?) \}\}", lambda found: known[found[1]], text) for key, text in step["env"].items()
    }
    return shell(step["run"], RUNNER_TEMP=str(runner), **filled)


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A folder of a runner in which the action has installed the linter: that of this environment."""
    (tmp_path / "pleach-lint").mkdir()
    (tmp_path / "pleach-lint/bin").symlink_to(SCRIPTS)
    return tmp_path


def test_the_action_installs(tmp_path: Path) -> None:
    """The first step of the action installs the linter beside everything else."""
    ran = act(ACTION["runs"]["steps"][0], tmp_path, python=sys.executable)
    assert ran.returncode == 0, ran.stderr
    version = subprocess.run([tmp_path / "pleach-lint/bin/pleach-lint", "--version"], capture_output=True, check=True)
    assert version.stdout.startswith(b"pleach-lint, version ")


@pytest.mark.parametrize(
    ("inputs", "code", "count"),
    [
        pytest.param({}, 1, 2, id="nothing said"),
        pytest.param({"paths": "a.py 'b"}, 2, 0, id="a path that is not there"),
        pytest.param({"paths": "a.py clean.py"}, 1, 1, id="two paths"),
        pytest.param({"paths": "clean.py"}, 0, 0, id="a clean path"),
        pytest.param({"arguments": "--select PCH002 --quiet"}, 0, 0, id="more arguments"),
        pytest.param({"expect-files": "9"}, 2, 2, id="too few files"),
        pytest.param({"paths": "$(touch oops)"}, 2, 0, id="what a shell would run"),
    ],
)
def test_the_action_checks(project: Project, runner: Path, inputs: Mapping[str, str], code: int, count: int) -> None:
    """The second step of the action annotates the findings, and fails when the check does."""
    root = project({"a.py": LEAK, "b.py": LEAK, "clean.py": "x = 1\n"})
    ran = act(ACTION["runs"]["steps"][1], runner, **inputs)
    assert (ran.returncode, ran.stdout.count("::error ")) == (code, count)
    assert not (root / "oops").exists()


def test_the_action_writes_for_code_scanning(project: Project, runner: Path) -> None:
    """The action writes a report in SARIF where it is asked to."""
    root = project({"a.py": LEAK})
    act(ACTION["runs"]["steps"][1], runner, sarif="out.sarif")
    assert len(json.loads((root / "out.sarif").read_text())["runs"][0]["results"]) == 1


def test_inputs_never_become_code() -> None:
    """The scripts of the action hold no input: whoever opens a pull request may choose some."""
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])


def test_the_inputs_are_told() -> None:
    """The table of the documentation names every input, and the workflow names no other."""
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)) == set(ACTION["inputs"])
    workflow = yaml.safe_load(blocks("ci.md", "yaml")[0])
    (used,) = (step for step in workflow["jobs"]["pleach-lint"]["steps"] if "with" in step)
    assert set(used["with"]) <= set(ACTION["inputs"])


def test_gitlab(project: Project) -> None:
    """The job for GitLab fails for a leak, and leaves the report that it promises."""
    root = project({"a.py": LEAK})
    (job,) = yaml.safe_load(blocks("ci.md", "yaml")[1]).values()
    ran = shell("\n".join(job["script"]))
    assert ran.returncode == 1
    assert len(json.loads((root / job["artifacts"]["reports"]["codequality"]).read_text())) == 1


def test_anywhere_else(project: Project) -> None:
    """The commands for other systems pass where nothing is wrong."""
    root = project({"a.py": "x = 1\n"})
    assert shell(blocks("ci.md", "sh")[0]).returncode == 0
    assert (root / "pleach-lint.xml").exists()


def test_the_day_of_adoption(project: Project) -> None:
    """The commands of the first day leave a green gate."""
    project({"a.py": LEAK, "seams/__init__.py": "def utility_seam(): return ProviderSeam('utility')\n"})
    assert shell("pleach-lint").returncode == 1
    ran = shell(f"{blocks('adoption.md', 'sh')[0]}pleach-lint")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_week_of_adoption(project: Project) -> None:
    """The commands of the first week tell what there is to do."""
    root = project({"a.py": LEAK})
    draw, work = blocks("adoption.md", "sh")[1:3]
    assert shell(draw).returncode == 1
    assert (root / "map.html").exists()
    statistics = shell(work.splitlines()[0])
    assert statistics.stdout.startswith("a.py:1:26: PCH001")
    assert shell("\n".join(work.splitlines()[1:])).returncode == 0


@pytest.mark.parametrize("command", [line for block in blocks("editors.md", "sh")[1:] for line in block.splitlines()])
def test_completion_scripts(command: str) -> None:
    """The linter knows each shell that the documentation names."""
    variable = re.search(r"_PLEACH_LINT_COMPLETE=\w+", command)
    assert variable is not None
    ran = shell(f"{variable[0]} pleach-lint")
    assert (ran.returncode, "pleach_lint_completion" in ran.stdout) == (0, True)
