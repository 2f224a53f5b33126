"""What benchmarks measure on is what they say it is."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.generate_repo import MARK, Leak, generate
from benchmarks.lint_budgets import Row
from benchmarks.repo_forms import LEAK_FORMS

if TYPE_CHECKING:
    from pathlib import Path

SMALL = {"modules": 60, "leaks": 40, "seed": 3}


def found_in(folder: Path) -> list[Leak]:
    """What the command line reports."""
    command = [sys.executable, "-m", "pleach_lint", "check", "--no-cache", "--output-format", "json"]
    checked = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return [
        Leak(item["filename"], item["location"]["row"], item["location"]["column"], item["code"])
        for item in json.loads(checked.stdout)
    ]


def test_a_generated_repository_leaks_exactly_where_it_says(tmp_path: Path) -> None:
    """The leaks that are planted are those that are found, with their codes, and are written down beside the code."""
    planted = generate(tmp_path, **SMALL)
    assert found_in(tmp_path) == planted
    assert [Leak(**leak) for leak in json.loads((tmp_path / "planted.json").read_text())] == planted
    assert len(planted) == SMALL["leaks"]


def test_every_form_of_leak_is_planted(tmp_path: Path) -> None:
    """A small repository holds a leak of each rule that a form stands for."""
    planted = generate(tmp_path, **SMALL)
    assert {leak.code for leak in planted} == {code for form in LEAK_FORMS for code in MARK.findall(form)}


def test_a_repository_without_leaks_uses_no_seams(tmp_path: Path) -> None:
    """Without leaks, no module beside those that all share imports the seam package."""
    assert generate(tmp_path, modules=5, leaks=0, seed=1) == []
    assert [path for path in tmp_path.glob("shop/p*/*.py") if "seams" in path.read_text()] == []


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two runs with the same arguments write the same files."""
    for name in ("one", "other"):
        generate(tmp_path / name, **SMALL)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.py"))
    assert [
        name for name in files if (tmp_path / "one" / name).read_bytes() != (tmp_path / "other" / name).read_bytes()
    ] == []


@pytest.mark.parametrize(
    ("ours", "budget", "holds"),
    [
        pytest.param(1.0, 0.5, True, id="at the budget"),
        pytest.param(1.1, 0.5, False, id="above it"),
        pytest.param(9.9, None, True, id="nothing is asked"),
    ],
)
def test_a_budget_is_the_most_that_the_ratio_may_be(ours: float, budget: float | None, holds: bool) -> None:  # noqa: FBT001 - a case
    """A row holds as long as ours over theirs is not above the budget."""
    row = Row("a tree", 1, 0.1, ours, "a peer", 2.0, "s", budget)
    assert (row.ratio, row.holds) == (ours / 2, holds)
