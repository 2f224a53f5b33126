"""Tests for `pleach-lint init`: what it adds to a repository, and what it leaves as it is."""

from __future__ import annotations

import subprocess
from configparser import RawConfigParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from pleach_lint.neighbours.ruff import ruff_settings
from pleach_lint.neighbours.toml import parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Project, Run

LEAK = 'resolve_model(call_class="utility")\n'
WORDS = ("utility", "reasoning", "converse", "synthesize")
SEAMS = {
    "src/graph/seams/__init__.py": "".join(f'def {word}_seam():\n    return ProviderSeam("{word}")\n' for word in WORDS)
}
PYPROJECT = '[project]\nname = "x"  # kept\n\n[tool.ruff]\nline-length = 99\n'
HOOKS = (
    "repos:\n  - repo: local\n    hooks:\n      - id: other\n        name: other\n        entry: x\n\nci:\n  skip: []\n"
)
REPOSITORY = {
    **SEAMS,
    "pyproject.toml": PYPROJECT,
    ".pre-commit-config.yaml": HOOKS,
    ".flake8": "[flake8]\nselect = E\n",
}


def text(name: str) -> str:
    """A file as it stands, line ends included."""
    return Path(name).read_bytes().decode()


def test_a_repository(project: Project, run: Run) -> None:
    """Every tool that is used is told, nothing that was there is gone, and everything done is said."""
    project(REPOSITORY)
    code, out, err = run("init")
    assert (code, out) == (0, "")
    assert [line.partition(": ")[0] for line in err.splitlines()] == [
        "pyproject.toml",
        "pyproject.toml",
        ".flake8",
        ".pre-commit-config.yaml",
    ]
    added = '\n[tool.ruff.lint]\nexternal = ["PCH"]\n'
    assert text("pyproject.toml") == f'{PYPROJECT}\n[tool.pleach-lint]\nseams = ["src/graph/seams"]\n{added}'
    assert text(".flake8") == "[flake8]\nselect = E,PCH\n"


def test_a_second_run_changes_nothing(project: Project, run: Run) -> None:
    """What is there already is left alone, with the reason."""
    project(REPOSITORY)
    run("init")
    before = {name: text(name) for name in REPOSITORY}
    code, _, err = run("init")
    assert (code, err.splitlines()[-1]) == (0, "nothing to do")
    assert all("left alone: " in line for line in err.splitlines()[:-1])
    assert {name: text(name) for name in REPOSITORY} == before


def test_a_text_without_a_line_end(project: Project, run: Run) -> None:
    """A diff says so where the last line of a file has no end, as git does."""
    root = project({**SEAMS, "pyproject.toml": "[project]", ".flake8": "[flake8]\nselect = E"})
    diff = run("init", "--dry-run").out
    assert diff.count("\\ No newline at end of file\n") == 3
    subprocess.run(["git", "apply"], input=diff, encoding="utf-8", cwd=root, check=True)
    assert text(".flake8") == "[flake8]\nselect = E,PCH"


def test_a_dry_run(project: Project, run: Run) -> None:
    """`--dry-run` prints a diff that git can apply, and changes nothing."""
    root = project(REPOSITORY)
    diff = run("init", "--dry-run").out
    assert {name: text(name) for name in REPOSITORY} == REPOSITORY
    subprocess.run(["git", "apply"], input=diff, encoding="utf-8", cwd=root, check=True)
    applied = {name: text(name) for name in REPOSITORY}
    for name, content in REPOSITORY.items():
        Path(name).write_text(content)
    run("init")
    assert {name: text(name) for name in REPOSITORY} == applied


def test_findings_that_are_there(project: Project, run: Run) -> None:
    """The findings of today are stored, so that the gate is green until a new one comes."""
    project({**SEAMS, "src/app.py": LEAK, "src/other.py": LEAK})
    assert ".pleach-baseline.json: would add 2 findings" in run("init", "--dry-run").err
    assert run().code == 1
    assert ".pleach-baseline.json: added 2 findings, which later runs pass over" in run("init").err
    assert run().code == 0
    Path("src/app.py").write_text(f"{LEAK}converse_call(call_class='converse')\n")
    assert run().out.startswith("src/app.py:2:26: PCH001 ")
    assert ".pleach-baseline.json: left alone: it holds findings already" in run("init").err


def test_the_check_obeys(project: Project, run: Run) -> None:
    """The check reads what was written."""
    project({**SEAMS, "src/app.py": LEAK, "tests/seams/fake.py": "x = 1\n"})
    run("init")
    found = run("--ignore-baseline", ".").out.splitlines()
    assert [line.partition(":")[0] for line in found] == ["src/app.py"]
    assert text("pleach-lint.toml") == 'seams = ["src/graph/seams"]\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"a/seams/x.py": LEAK}, ["a/seams"], id="by its name"),
        pytest.param({"a/seams/deep/seams/x.py": LEAK}, ["a/seams"], id="one in another"),
        pytest.param({"a/seams/x.py": "", "b/seams/y.py": ""}, ["a/seams", "b/seams"], id="two that tell nothing"),
        pytest.param(
            {"llm/lanes.py": "def utility_seam(): ...\ndef converse_seam(): ...\n"}, ["llm"], id="by factories"
        ),
        pytest.param({"llm/lanes.py": "def utility_seam(): ...\n"}, [], id="one factory is too few"),
        pytest.param({"lanes.py": "def utility_seam(): ...\ndef converse_seam(): ...\n"}, [], id="never everything"),
        pytest.param({"a.py": "x = 1\n"}, [], id="none"),
        pytest.param({"a.py": "", "seams/x.ipynb": "{}", "seams/y.py": ""}, ["seams"], id="beside a notebook"),
    ],
)
def test_seam_packages(project: Project, run: Run, files: Mapping[str, str], expected: list[str]) -> None:
    """Seam packages are folders of that name, and folders that define several factories."""
    project(files)
    run("init")
    assert (parsed(text("pleach-lint.toml")) or {}).get("seams", []) == expected


def test_no_seams_yet(project: Project, run: Run) -> None:
    """Where no seam package is found, the file says where to name it, and the next run leaves it alone."""
    project({"a.py": "x = 1\n", "pyproject.toml": ""})
    assert "without `seams`, since no seam package was found" in run("init").err
    assert '# seams = ["src/graph/seams"]' in text("pyproject.toml")
    assert "nothing to do" in run("init").err


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("tool = {}\n", id="an inline table"),
        pytest.param("[tool\n", id="not TOML"),
        pytest.param(b"name = '\xff'\n", id="not UTF-8"),
    ],
)
def test_settings_that_cannot_be_added(project: Project, run: Run, content: str | bytes) -> None:
    """A file to which nothing can be added safely is left alone, and what to do by hand is said."""
    root = project({**SEAMS, "pyproject.toml": content})
    err = run("init").err
    assert "left alone: " in err
    assert "by hand" in err
    assert (root / "pyproject.toml").read_bytes() == (content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("ruff.toml", "", id="an empty file"),
        pytest.param("ruff.toml", "line-length = 99", id="no line end"),
        pytest.param(".ruff.toml", "[lint]\nselect = ['ALL']\n", id="a table"),
        pytest.param("ruff.toml", "[lint]\nexternal = []\n", id="an empty list"),
        pytest.param("ruff.toml", "[lint]\nexternal = ['X']  # kept\n", id="a list"),
        pytest.param("ruff.toml", "[lint]\nexternal = [\n  'X',\n]\n", id="a long list"),
        pytest.param("ruff.toml", "[lint]\nexternal = [  # kept\n]\n", id="a long empty list"),
        pytest.param("ruff.toml", "[lint]\r\nexternal = [\r\n  'X',\r\n]\r\n", id="a long list, other line ends"),
        pytest.param("ruff.toml", "lint.select = ['E']\n", id="a dotted key"),
        pytest.param("ruff.toml", "lint.external = ['X']\n", id="a dotted list"),
        pytest.param("ruff.toml", "[lint.per-file-ignores]\na = ['E']\n", id="an inner table"),
        pytest.param("ruff.toml", "[format]\r\nquote-style = 'single'\r\n", id="other line ends"),
        pytest.param("pyproject.toml", "[tool.ruff]\nlint.select = ['E']\n[tool.x]\na = 1\n", id="dotted in a table"),
        pytest.param("pyproject.toml", "[tool]\nruff.lint.select = ['E']\n", id="dotted further up"),
        pytest.param("pyproject.toml", "tool.ruff.lint.select = ['E']\n", id="dotted at the top"),
        pytest.param("pyproject.toml", "[tool.other]\nexternal = ['X']\n[tool.ruff.lint]\n", id="a list of others"),
    ],
)
def test_ruff(project: Project, run: Run, name: str, content: str) -> None:
    """Ruff is told whatever its file looks like; all that was there is there still."""
    root = project({**SEAMS, "pleach-lint.toml": "strict = false", name: content})
    run("init")
    settings = ruff_settings(root)
    assert settings is not None
    assert settings.spares_us
    kept = text(name).replace('"PCH", ', "").replace('"PCH"', "")
    assert all(line in kept.splitlines() for line in content.splitlines())
    assert text(name).count("\r\n") in {0, text(name).count("\n")}


@pytest.mark.parametrize("content", ["lint = 1\n", "[lint]\nexternal = 'X'\n", "lint = {}\n"])
def test_ruff_settings_that_cannot_be_added_to(project: Project, run: Run, content: str) -> None:
    """Settings that leave no place for a list are left alone, and what to do by hand is said."""
    project({**SEAMS, "ruff.toml": content})
    assert 'ruff.toml: left alone: add `lint.external = ["PCH"]`' in run("init").err
    assert text("ruff.toml") == content


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("setup.cfg", "[flake8]\nselect = E,W\n", "[flake8]\nselect = E,W,PCH\n", id="one line"),
        pytest.param("tox.ini", "[flake8]\nselect=E, \n", "[flake8]\nselect=E,PCH\n", id="a comma at the end"),
        pytest.param("tox.ini", "[flake8]\nselect: E", "[flake8]\nselect: E,PCH", id="no line end"),
        pytest.param(
            ".flake8",
            "[flake8]\nselect =\n    E,\n    W\nignore = E1\n",
            "[flake8]\nselect =\n    E,\n    W,\n    PCH\nignore = E1\n",
            id="a line for each",
        ),
        pytest.param("setup.cfg", "[x]\nselect = A\n[flake8]\nx = 1\nselect = E\n", None, id="after another section"),
        pytest.param("setup.cfg", "[flake8]\r\nselect = E\r\n", "[flake8]\r\nselect = E,PCH\r\n", id="other line ends"),
    ],
)
def test_flake8(project: Project, run: Run, name: str, content: str, expected: str | None) -> None:
    """Our codes are added where flake8 selects others alone."""
    project({**SEAMS, name: content})
    run("init")
    assert text(name) == (expected or content.replace("select = E", "select = E,PCH"))
    parser = RawConfigParser()
    parser.read_string(text(name))
    assert parser["flake8"]["select"].replace("\n", "").endswith("PCH")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param("[flake8]\nmax-line-length = 99\n", "flake8 reports PCH", id="no select"),
        pytest.param("[flake8]\nselect = E,PCH\n", "flake8 reports PCH", id="selected"),
        pytest.param("[flake8]\nselect = E\nextend-select = PCH0\n", "flake8 reports PCH", id="selected as well"),
        pytest.param("[flake8]\nextend-ignore = PCH\n", "flake8 ignores PCH", id="ignored"),
    ],
)
def test_flake8_left_alone(project: Project, run: Run, content: str, reason: str) -> None:
    """Settings of flake8 that need nothing, or a decision, are left alone."""
    project({**SEAMS, ".flake8": content})
    assert f".flake8: left alone: {reason}" in run("init").err
    assert text(".flake8") == content


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(HOOKS, id="a key after the list"),
        pytest.param(HOOKS.partition("\nci:")[0], id="an empty end"),
        pytest.param("repos:\n- repo: local\n  hooks: []", id="not indented, no line end"),
        pytest.param("repos:  # all of them\n\n# first\n- repo: local\n  hooks: []\n# last\n", id="comments"),
        pytest.param("repos:\r\n  - repo: local\r\n    hooks: []\r\nfail_fast: true\r\n", id="other line ends"),
    ],
)
@pytest.mark.parametrize("arguments", [(), ("--hook-repository", "https://example.com/pleach")])
def test_pre_commit(project: Project, run: Run, content: str, arguments: tuple[str, ...]) -> None:
    """The hook is the last of the list, and the rest of the file means what it meant."""
    project({**SEAMS, ".pre-commit-config.yaml": content})
    run("init", *arguments)
    before, after = yaml.safe_load(content), yaml.safe_load(text(".pre-commit-config.yaml"))
    (hook,) = after["repos"].pop()["hooks"]
    assert hook["id"] == "callclass-literals"
    assert after == before
    assert [line for line in text(".pre-commit-config.yaml").splitlines() if line in content.splitlines()]


@pytest.mark.parametrize("arguments", [(), ("--hook-repository", "https://example.com/pleach")])
def test_the_hook_is_the_published_one(project: Project, run: Run, arguments: tuple[str, ...]) -> None:
    """What is written says what the published hook says, but for the language, and looks at notebooks as well."""
    manifest = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    published = {hook["id"]: hook for hook in yaml.safe_load(manifest)}
    project({**SEAMS, ".pre-commit-config.yaml": HOOKS})
    run("init", *arguments)
    (hook,) = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"].pop()["hooks"]
    assert hook.pop("types_or") == published["pleach-lint"]["types_or"]
    assert hook.pop("language", "system") == "system"
    assert hook.items() <= published["callclass-literals"].items()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(
            "repos:\n  - repo: local\n    hooks:\n      - id: pleach-lint\n", "a hook of pleach-lint", id="ours"
        ),
        pytest.param("repos: []\n", "add by hand:", id="an inline list"),
        pytest.param("repos:\n", "add by hand:", id="an empty list"),
        pytest.param("fail_fast: true\n", "add by hand:", id="no list"),
    ],
)
def test_pre_commit_left_alone(project: Project, run: Run, content: str, reason: str) -> None:
    """A file that has the hook, or that cannot be read, is left alone."""
    project({**SEAMS, ".pre-commit-config.yaml": content})
    assert reason in run("init").err
    assert text(".pre-commit-config.yaml") == content


def test_a_project_in_a_repository(project: Project, run: Run) -> None:
    """A folder with a pyproject.toml is a project of its own; the hooks are those of its repository."""
    root = project({f"part/{name}": content for name, content in SEAMS.items()})
    (root / "part/pyproject.toml").write_text("")
    (root / ".pre-commit-config.yaml").write_text(HOOKS)
    err = run("init", "part").err
    assert 'seams = ["src/graph/seams"]' in text("part/pyproject.toml")
    assert ".pre-commit-config.yaml: added the hook" in err
