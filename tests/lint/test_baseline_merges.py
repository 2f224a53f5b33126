"""Baselines under git: branches that are merged, with git itself as the judge."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tests.conftest import Project, Run

FILE = ".pleach-baseline.json"
LEAK = 'def f{:02}():\n    resolve_model(call_class="utility")\n\n\n'
NUMBERS = range(0, 40, 2)


def git(root: Path, *arguments: str) -> int:
    """Run git as somebody, with no settings of this machine."""
    who = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *who, *arguments], cwd=root, capture_output=True, check=False).returncode


def program(numbers: Iterable[int]) -> str:
    """A program with some of the numbered leaks."""
    return "".join(map(LEAK.format, sorted(numbers)))


def merge(root: Path, run: Run, ours: Mapping[str, str], theirs: Mapping[str, str]) -> int:
    """Let two branches write files and their baselines, and merge them; git's exit code."""
    (root / "m.py").write_text(program(NUMBERS))
    run("--write-baseline")
    git(root, "add", ".")
    git(root, "commit", "-m", "both")
    for branch, files in (("ours", ours), ("theirs", theirs)):
        git(root, "checkout", "-b", branch, "main")
        for name, text in files.items():
            (root / name).write_text(text)
        run("--write-baseline")
        git(root, "add", ".")
        git(root, "commit", "-m", branch)
    return git(root, "merge", "ours", "-m", "merged")


@pytest.fixture
def repository(project: Project) -> Path:
    """A repository with nothing in it."""
    root = project({".gitignore": ".pleach_cache\n"})
    (root / ".git").rmdir()
    assert git(root, "init", "-q", "-b", "main") == 0
    return root


def test_branches_that_add(repository: Path, run: Run) -> None:
    """Two branches that each add a finding merge without a hand, and both findings are known then."""
    ours, theirs = program([*NUMBERS, 3]), program([*NUMBERS, 31])
    assert merge(repository, run, {"m.py": ours}, {"m.py": theirs}) == 0
    ran = run("--strict-baseline")
    assert (ran.code, ran.out) == (0, "")
    assert "22 in baseline" in ran.err


def test_one_branch_adds_where_the_other_repairs(repository: Path, run: Run) -> None:
    """What one branch repaired is not brought back by the other, which added something else."""
    assert merge(repository, run, {"m.py": program(NUMBERS[3:])}, {"m.py": program([*NUMBERS, 31])}) == 0
    ran = run("--strict-baseline")
    assert (ran.code, ran.out) == (0, "")
    assert "18 in baseline" in ran.err


NEIGHBOURS = {"n.py": program([1])}, {"o.py": program([1])}


def test_neighbours_conflict(repository: Path, run: Run) -> None:
    """Where both branches add at one place, git asks, and a run says what to do until somebody answers."""
    assert merge(repository, run, *NEIGHBOURS) == 1
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "a merge is unfinished here; keep the lines of both sides" in err


def test_neighbours_under_union(repository: Path, run: Run) -> None:
    """With `merge=union` for the file, git keeps the lines of both sides, and the result is a baseline."""
    (repository / ".gitattributes").write_text(f"{FILE} merge=union\n")
    assert merge(repository, run, *NEIGHBOURS) == 0
    ran = run("--strict-baseline")
    assert (ran.code, ran.out) == (0, "")
    assert "22 in baseline" in ran.err


def test_union_of_the_same_finding(repository: Path, run: Run) -> None:
    """Where both branches added the same finding, it is known once."""
    (repository / ".gitattributes").write_text(f"{FILE} merge=union\n")
    both = {"o.py": program([1])}
    assert merge(repository, run, {**both, "n.py": program([1])}, both) == 0
    assert "22 in baseline" in run("--strict-baseline").err
