"""Tests for `pleach-lint doctor`: what it complains about, and what it lets pass."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Project, Run

CODE = {"a.py": "x = 1\n", "seams/__init__.py": ""}
OURS = "[tool.pleach-lint]\n"
RUFF = "[tool.ruff.lint]\n"


def complaints(run: Run) -> list[str]:
    """What the doctor says of the working directory, one line each."""
    return [line for line in run("doctor").out.splitlines() if line.startswith(("error: ", "warning: "))]


def test_health(project: Project, run: Run) -> None:
    """Where nothing is wrong, that is said, and the exit code is 0."""
    project({**CODE, "pyproject.toml": f"{OURS}seams = ['seams']\n{RUFF}external = ['PCH']\nselect = ['ALL']\n"})
    assert run("doctor") == (0, "", "nothing switches the gate off\n")


def test_a_complaint(project: Project, run: Run) -> None:
    """A complaint says what, where, and what to do; one that is fatal makes the exit code 1."""
    project({**CODE, "pyproject.toml": f"{RUFF}select = ['RUF']\n"})
    code, out, err = run("doctor")
    assert (code, err) == (1, "1 thing that would switch the gate off\n")
    assert out == (
        "error: ruff takes `noqa: PCH001` for a mistake (RUF100, RUF102), and its fix deletes it\n"
        "  where: pyproject.toml\n"
        '  do:    add "PCH" to `lint.external` of ruff; `pleach-lint init` does\n\n'
    )


def test_json(project: Project, run: Run) -> None:
    """The same for machines."""
    project({**CODE, "pyproject.toml": f"{OURS}seams = ['gone']\nignore = ['PCH001']\n"})
    read = json.loads(run("doctor", "--output-format", "json").out)
    assert [(each["where"], each["is_fatal"]) for each in read] == [("pyproject.toml", False)] * 2
    assert read[0].keys() == {"what", "where", "remedy", "is_fatal"}


@pytest.mark.parametrize(
    ("settings", "deleted"),
    [
        pytest.param(f"{RUFF}select = ['ALL']", "RUF100, RUF102", id="all rules"),
        pytest.param(f"{RUFF}extend-select = ['RUF100']", "RUF100", id="one rule"),
        pytest.param("[tool.ruff]\nselect = ['RUF1']", "RUF100, RUF102", id="where it stood once"),
        pytest.param(f"{RUFF}select = ['ALL']\nignore = ['RUF100']", "RUF102", id="one is off"),
        pytest.param(f"{RUFF}select = ['RUF102']\nignore = ['RUF']\nexternal = ['X']", "RUF102", id="the closer wins"),
        pytest.param(f"{RUFF}select = ['E']", "", id="other rules"),
        pytest.param(f"{RUFF}select = ['ALL']\nextend-ignore = ['RUF10']", "", id="both are off"),
        pytest.param(f"{RUFF}select = ['ALL']\nexternal = ['PC']", "", id="a prefix is external"),
        pytest.param("[tool.ruff]\nextend = 'base.toml'", "RUF100, RUF102", id="inherited"),
        pytest.param(
            "[tool.ruff]\nextend = 'base.toml'\n[tool.ruff.lint]\nexternal = ['PCH']", "", id="inherited and mended"
        ),
        pytest.param("[tool.ruff]\nextend = 'gone.toml'", "", id="inherited from nothing"),
        pytest.param("[tool.ruff]\nextend = 'gone/pyproject.toml'", "", id="inherited from no project"),
        pytest.param(
            "[tool.ruff]\nextend = 'pyproject.toml'\n[tool.ruff.lint]\nselect = ['RUF102']", "RUF102", id="a circle"
        ),
    ],
)
def test_ruff(project: Project, run: Run, settings: str, deleted: str) -> None:
    """Ruff is complained about when a fix of a rule that is on would delete our codes."""
    project({**CODE, "pyproject.toml": settings, "base.toml": "[lint]\nselect = ['ALL']\n"})
    found = [line for line in complaints(run) if f"({deleted})" in line]
    assert bool(found) == bool(deleted)
    assert complaints(run) == found


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param("select = E,PCH", [], id="both selected"),
        pytest.param("max-line-length = 99", [], id="nothing selected"),
        pytest.param("select =\n    E9  # kept\n    PCH", [], id="a line for each"),
        pytest.param("select = E", ["flake8 does not report PCH"], id="ours not selected"),
        pytest.param("select = PCH", ["flake8 does not report E9"], id="syntax errors not selected"),
        pytest.param("extend-ignore = PCH0", ["flake8 does not report PCH"], id="ours ignored"),
        pytest.param("ignore = E,W", ["flake8 does not report E9"], id="syntax errors ignored"),
        pytest.param("extend_select = PCH\nignore = P", [], id="the closer wins"),
        pytest.param("exclude = .git,*project*", ["the path of this checkout, "], id="the checkout is excluded"),
        pytest.param("exclude = project", [], id="a name further up excludes nothing"),
        pytest.param(
            "per-file-ignores =\n    a.py: E1, PCH\n    b.py: E2", ["flake8 ignores PCH in a.py"], id="in a file"
        ),
    ],
)
def test_flake8(project: Project, run: Run, settings: str, expected: list[str]) -> None:
    """flake8 is complained about when its settings leave out our codes, files, or what it cannot parse."""
    project({**CODE, ".flake8": f"[flake8]\n{settings}\n"})
    found = complaints(run)
    assert len(found) == len(expected)
    assert all(text in line for text, line in zip(expected, found, strict=True))


@pytest.mark.parametrize("content", ["[other]\nx = 1\n", "[flake8\n", "x\n"])
def test_files_without_settings_of_flake8(project: Project, run: Run, content: str) -> None:
    """A file that says nothing to flake8 is passed over."""
    project({**CODE, "setup.cfg": content, "tox.ini": "[flake8]\nselect = E\n"})
    assert "tox.ini" in run("doctor").out


def test_flake8_without_the_plugin(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flake8 that would not find the plugin is worth a look: the doctor may be installed elsewhere."""
    project({**CODE, ".flake8": "[flake8]\n"})
    monkeypatch.setattr("sys.path", [path for path in __import__("sys").path if "site-packages" not in path])
    code, out, _ = run("doctor")
    assert code == 0
    assert "warning: flake8 would not find our plugin" in out


def test_files_that_flake8_skips(project: Project, run: Run) -> None:
    """A comment that takes a whole file from flake8 is complained about where flake8 is used."""
    project({**CODE, "b.py": "x = 1\n  # flake8: noqa\n", "c.py": "x = '# flake8: noqa'\n"})
    assert complaints(run) == []
    project({".flake8": "[flake8]\n"})
    assert "where: b.py:2" in run("doctor").out
    assert len(complaints(run)) == 1


@pytest.mark.parametrize(
    ("hooks", "count"),
    [
        pytest.param("- id: flake8", 1, id="flake8 alone"),
        pytest.param("- id: flake8\n  additional_dependencies: [pleach-lint]", 0, id="with the plugin"),
        pytest.param("- id: flake8\n- id: callclass-literals", 0, id="beside our hook"),
        pytest.param("- id: ruff", 0, id="no flake8"),
    ],
)
def test_hooks(project: Project, run: Run, hooks: str, count: int) -> None:
    """A flake8 hook needs the plugin in its own environment."""
    project({**CODE, ".pre-commit-config.yaml": f"{hooks}\n"})
    assert len(complaints(run)) == count
    assert run("doctor").code == 0


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param(
            "seams = ['gone', 'seams']", "warning: `seams` names gone, which holds no Python file", id="no seams"
        ),
        pytest.param("seams = ['*']\nexclude = ['a.py']", "error: every file lies in a seam package", id="all seams"),
        pytest.param("ignore = ['PCH00']", "error: rules that find call classes are off: PCH001, ", id="all off"),
        pytest.param("ignore = ['PCH002']", "warning: rules that find call classes are off: PCH002", id="one off"),
        pytest.param("select = ['PCH001']", "warning: rules that find call classes are off: PCH002, ", id="one on"),
        pytest.param(
            "per-file-ignores = {'gone/*' = ['PCH001']}",
            "warning: `per-file-ignores` speaks of gone/*, which matches no file",
            id="no file ignores",
        ),
        pytest.param(
            "per-file-ignores = {'*.py' = ['PCH001', 'PCH002']}",
            "error: `per-file-ignores` ignores PCH001, PCH002 in every file",
            id="every file ignores",
        ),
        pytest.param("exclude = ['*']", "error: no Python file is found", id="nothing left"),
    ],
)
def test_our_own_settings(project: Project, run: Run, settings: str, expected: str) -> None:
    """Settings of ours that leave nothing, or mean nothing, are complained about."""
    project({**CODE, "pyproject.toml": f"{OURS}{settings}\n"})
    (found,) = complaints(run)
    assert found.startswith(expected)


def test_settings_that_ignore_in_some_files(project: Project, run: Run) -> None:
    """Settings that do what they say are let pass."""
    project({**CODE, "pyproject.toml": f"{OURS}per-file-ignores = {{'a.py' = ['PCH001']}}\nseams = ['seams']\n"})
    assert complaints(run) == []


def test_a_checkout_in_an_excluded_folder(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project that the configuration above leaves out is checked by no hook; one of its own is."""
    files: Mapping[str, str] = {f"build/app/{name}": text for name, text in CODE.items()}
    root = project({**files, "pyproject.toml": OURS})
    monkeypatch.chdir(root / "build/app")
    (found,) = complaints(run)
    assert "build/app lies in a folder that is excluded" in found
    (root / "build/app/pyproject.toml").write_text(OURS)
    assert complaints(run) == []


def test_each_project_of_a_repository(project: Project, run: Run) -> None:
    """Every configuration below is looked at."""
    project({**CODE, "part/a.py": "", "part/pleach-lint.toml": "seams = ['gone']", "pyproject.toml": OURS})
    (found,) = complaints(run)
    assert found == "warning: `seams` names gone, which holds no Python file"
