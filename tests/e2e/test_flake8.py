"""The plugin in real runs of flake8."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Project

LEAK = 'resolve_model(call_class="utility")\n'
FLAKE8 = (sys.executable, "-m", "flake8", "--select", "PCH")
SPAWNING = """
import multiprocessing
import sys
from flake8.main.cli import main
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    raise SystemExit(main(sys.argv[1:]))
"""
LOADED = """
import sys
from flake8.main.cli import main
main(["--select", "PCH", "-j1", *sys.argv[1:]])
print(*sorted({"libcst", "pydantic", "pathspec", "click"} & set(sys.modules)))
"""


def run(*command: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)


def places(*arguments: str, text: str | None = None) -> list[str]:
    """Where flake8 finds something, sorted."""
    ran = run(*FLAKE8, *arguments, text=text)
    assert ran.stderr == ""
    return sorted(line.rpartition(" ")[0].split(": ")[0] for line in ran.stdout.splitlines())


def test_the_plugin_is_listed(project: Project) -> None:
    """`flake8 --version` names the distribution."""
    project({})
    assert "pleach-lint: " in run(*FLAKE8, "--version").stdout.replace("\n", " ")


@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_files(project: Project, jobs: str) -> None:
    """Files are checked in one process or in several."""
    project({"a.py": LEAK, "b.py": f"x = 1\n{LEAK}", "c.py": LEAK, "seams/s.py": LEAK, "d.py": "x = 1\n"})
    assert places(jobs, ".") == ["./a.py:1:26", "./b.py:2:26", "./c.py:1:26"]


def test_processes_that_start_afresh(project: Project) -> None:
    """Options reach the processes of systems that cannot fork."""
    root = project({"a.py": LEAK, "b.py": LEAK, "app/c.py": LEAK, "app/d.py": LEAK})
    (root.parent / "spawning.py").write_text(SPAWNING)
    ran = run(sys.executable, "../spawning.py", "--select", "PCH", "-j2", "--pleach-seams", "app", ".")
    assert sorted(line.split(": ")[0] for line in ran.stdout.splitlines()) == ["./a.py:1:26", "./b.py:1:26"]


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        pytest.param(("-",), ["stdin:1:26"], id="without a name"),
        pytest.param(("--stdin-display-name", "app/new.py", "-"), ["app/new.py:1:26"], id="with a name"),
        pytest.param(("--stdin-display-name", "seams/new.py", "-"), [], id="in a seam package"),
    ],
)
def test_standard_input(project: Project, arguments: tuple[str, ...], place: list[str]) -> None:
    """Standard input is checked as the file that it is said to be."""
    project({"app/new.py": "x = 1\n", "seams/new.py": ""})
    assert places(*arguments, text=LEAK) == place


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"setup.cfg": "[flake8]\npleach-seams = app,lib\n"}, id="setup.cfg"),
        pytest.param({"tox.ini": "[flake8]\npleach_seams =\n    app\n    lib\n"}, id="tox.ini"),
        pytest.param({".flake8": "[flake8]\npleach-config = conf/p.toml\n"}, id=".flake8, naming a file of ours"),
        pytest.param({"pyproject.toml": "[tool.pleach-lint]\nseams = ['app', 'lib']\n"}, id="pyproject.toml"),
        pytest.param(
            {
                "pyproject.toml": "[tool.pleach-lint]\nseams = ['x']\n",
                "setup.cfg": "[flake8]\npleach-seams = app,lib\n",
            },
            id="flake8's own options win",
        ),
    ],
)
def test_configuration(project: Project, files: Mapping[str, str]) -> None:
    """Options may stand in the files of flake8 or in ours."""
    project({"app/a.py": LEAK, "lib/b.py": LEAK, "c.py": LEAK, "conf/p.toml": "seams = ['../app', '../lib']", **files})
    assert places(".") == ["./c.py:1:26"]


def test_strict(project: Project) -> None:
    """Strict mode may be switched on for flake8."""
    project({"a.py": 'kind = ["utility", "x", "y"]\n', "setup.cfg": "[flake8]\npleach-strict = true\n"})
    assert places("a.py") == ["a.py:1:9"]


def test_comments(project: Project) -> None:
    """flake8 sees to `noqa`, the plugin to `pleach: ignore[...]`."""
    text = f"{LEAK[:-1]}  # noqa: PCH001\n{LEAK[:-1]}  # pleach: ignore[callclass-value]\n{LEAK}"
    project({"a.py": text})
    assert places("a.py") == ["a.py:3:26"]
    assert places("--disable-noqa", "a.py") == ["a.py:1:26", "a.py:3:26"]


def test_a_wrong_configuration_is_a_report(project: Project) -> None:
    """A configuration that cannot be obeyed fails the run without ending it."""
    project({"a.py": LEAK, "pyproject.toml": "[tool.pleach-lint]\nexlude = []\n"})
    ran = run(*FLAKE8, "a.py")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "a.py:1:1: PCH999 not analysed: pyproject.toml:2: `exlude` is not a key" in ran.stdout


def test_a_clean_run_loads_little(project: Project) -> None:
    """On a file without class words flake8 loads neither libcst nor pydantic for us."""
    project({"a.py": "x = 1\n", "pyproject.toml": "[tool.pleach-lint]\nseams = ['app/seams']\n"})
    assert run(sys.executable, "-c", LOADED, "a.py").stdout.strip() == ""
