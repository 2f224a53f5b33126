"""The services in `fixtures/`: what is found in the leaky one; the repaired one is silent and does the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"
LEAKY = FIXTURES / "leaky_service"
CLEAN = FIXTURES / "clean_service"

LEAKS = [
    ("PCH001", "desk/answers.py", 20, 73),
    ("PCH003", "desk/answers.py", 25, 76),
    ("PCH001", "desk/answers.py", 27, 76),
    ("PCH005", "desk/audit.py", 12, 9),
    ("PCH002", "desk/audit.py", 17, 35),
    ("PCH004", "desk/models.py", 11, 11),
    ("PCH004", "desk/models.py", 11, 31),
    ("PCH004", "desk/models.py", 11, 54),
    ("PCH004", "desk/models.py", 11, 76),
    ("PCH001", "desk/triage.py", 13, 88),
]
"""Code, file, row and column of each finding, in the order of the report."""


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python module."""
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=cwd, capture_output=True, encoding="utf-8", check=False
    )


def test_the_leaky_service_has_exactly_these_findings() -> None:
    """Leaks of five kinds are found where they stand, one of them through another module."""
    checked = run("pleach_lint", "--no-cache", "--output-format", "json", cwd=LEAKY)
    found = [
        (item["code"], item["filename"].replace("\\", "/"), item["location"]["row"], item["location"]["column"])
        for item in json.loads(checked.stdout)
    ]
    assert found == LEAKS
    assert checked.returncode == 1


def test_a_leak_through_another_module_names_the_place_it_comes_from() -> None:
    """The finding in `answers.py` points to the constant in `settings.py`, and to the wrapper that takes it."""
    checked = run("pleach_lint", "--no-cache", "--output-format", "json", "desk/answers.py", cwd=LEAKY)
    related = json.loads(checked.stdout)[0]["related"]
    places = [(Path(place["filename"]).name, *place["location"].values()) for place in related]
    assert places == [("settings.py", 5, 16), ("asking.py", 13, 38)]


@pytest.mark.parametrize("arguments", [pytest.param((), id="by default"), pytest.param(("--strict",), id="strict")])
def test_the_repaired_service_is_silent(arguments: tuple[str, ...]) -> None:
    """Nothing is found in the service that goes through its seams, and every file of it was analysed."""
    checked = run("pleach_lint", "--no-cache", *arguments, "--expect-files", "8", cwd=CLEAN)
    assert (checked.returncode, checked.stdout) == (0, "")
    assert "8 files" in checked.stderr
    assert "seams: desk/seams; 0 findings, 0 suppressed, 0 in baseline, 0 not analysed" in checked.stderr


def test_the_repair_changes_nothing_but_the_leaks() -> None:
    """Both services say the same to the same question."""
    said = [run("desk", "Where", "is", "my", "parcel?", cwd=service).stdout for service in (LEAKY, CLEAN)]
    assert said[0] == said[1]
    assert said[0].endswith("3 calls, 1 answer\n")


def test_both_services_share_one_seam_package() -> None:
    """The seam package needed no repair."""
    written = [(service / "desk" / "seams" / "__init__.py").read_bytes() for service in (LEAKY, CLEAN)]
    assert written[0] == written[1]
