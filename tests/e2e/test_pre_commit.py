"""The hooks in real runs of pre-commit, which builds their environment from this repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = Path(__file__).parents[2]
LEAK = 'answer = resolve_model(call_class="synthesize")\n'
REPAIRED = "answer = resolve_model(seam)\n"


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[str]]:
    """pre-commit with a store of its own, so that the environment is built anew, once."""
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("store"))}
    environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}

    def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-m", "pre_commit", *arguments)
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)

    return run


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A repository that uses the hooks of this one, at its last commit, and holds a leak and its seams."""
    head = git(REPOSITORY, "rev-parse", "HEAD")
    hooks = "".join(f"  - id: {name}\n" for name in ("callclass-literals", "pleach-lint", "pleach-lint-project"))
    config = f"repos:\n- repo: {REPOSITORY}\n  rev: {head}\n  hooks:\n{hooks}"
    files = {".pre-commit-config.yaml": config, "app/use.py": LEAK, "app/seams/deep.py": LEAK, "build/old.py": LEAK}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    """Run git, whoever owns the folder."""
    command = ("git", "-c", "safe.directory=*", *arguments)
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def test_notebooks(pre_commit: Callable[..., subprocess.CompletedProcess[str]], scratch: Path) -> None:
    """A leak in a notebook fails the commit, with its cell."""
    cell: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": LEAK,
    }
    (scratch / "n.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    git(scratch, "add", "n.ipynb")
    ran = pre_commit(scratch, "run", "pleach-lint", "--files", "n.ipynb")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "n.ipynb:cell 1:1:35: PCH001" in ran.stdout


def test_hooks(pre_commit: Callable[..., subprocess.CompletedProcess[str]], scratch: Path) -> None:
    """A leak fails the commit with its place; the repaired file passes; excluded and seam files never fail."""
    broken = pre_commit(scratch, "run", "--all-files")
    assert broken.returncode == 1, broken.stdout + broken.stderr
    found = [line for line in broken.stdout.splitlines() if "PCH" in line]
    assert [line.split(": ")[0] for line in found] == ["app/use.py:1:35"] * 2
    (scratch / "app/use.py").write_text(REPAIRED)
    git(scratch, "add", "--all")
    repaired = pre_commit(scratch, "run", "--all-files")
    assert repaired.returncode == 0, repaired.stdout + repaired.stderr
    assert repaired.stdout.count("Passed") == 2


def test_project_hook(pre_commit: Callable[..., subprocess.CompletedProcess[str]], scratch: Path) -> None:
    """Before a push the whole project is checked, whichever files have changed."""
    git(scratch, "rm", "--quiet", "--cached", "app/use.py")
    ran = pre_commit(scratch, "run", "pleach-lint-project", "--hook-stage", "manual", "--all-files")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "app/use.py:1:35: PCH001" in ran.stdout


def test_try_repo(pre_commit: Callable[..., subprocess.CompletedProcess[str]], scratch: Path) -> None:
    """`pre-commit try-repo` works, as one who looks for the first time would try it."""
    ran = pre_commit(scratch, "try-repo", str(REPOSITORY), "callclass-literals", "--all-files", "--ref", "HEAD")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "app/use.py:1:35: PCH001" in ran.stdout


def test_fix_hook(pre_commit: Callable[..., subprocess.CompletedProcess[str]], scratch: Path) -> None:
    """The hook that fixes changes what it can, which fails the commit once, and lets the fixed files pass."""
    (scratch / "app/use.py").write_text('def f(lane: CallClass): return lane == "utility"\n')
    command = ("try-repo", str(REPOSITORY), "pleach-lint-fix", "--all-files", "--ref", "HEAD")
    first = pre_commit(scratch, *command)
    assert (first.returncode, "files were modified by this hook" in first.stdout) == (1, True), first.stdout
    assert (scratch / "app/use.py").read_text().endswith("def f(lane: CallClass): return is_utility(lane)\n")
    git(scratch, "add", "--all")
    second = pre_commit(scratch, *command)
    assert second.returncode == 0, second.stdout + second.stderr
    assert (scratch / "app/seams/deep.py").read_text() == LEAK
