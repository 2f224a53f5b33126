"""Tests for what the engine says of the way that a literal takes to a slot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings

if TYPE_CHECKING:
    from pleach_lint.finding import Finding
    from tests.conftest import Project as Scratch

BASE = "def inner(prompt, lane):\n    return resolve_model(call_class=lane)\n"
LLM = "from base import inner\n\n\ndef ask(prompt, lane):\n    return inner(prompt, lane=lane)\n"
CONSTS = 'LANE = "utility"\n'


def only_finding(files: dict[str, str], project: Scratch) -> Finding:
    """The finding in `main.py`, the last of some files."""
    root = project(files)
    (finding,) = check_source(root / "main.py", files["main.py"].encode(), Project(Settings(root))).findings
    return finding


@pytest.mark.parametrize(
    ("use", "way"),
    [
        pytest.param(
            'ask("hi", "utility")',
            "is used as a call class (argument of `ask(lane=)` (llm.py:4) → `inner(lane=)` → "
            "`resolve_model(call_class=)`); go",
            id="by itself",
        ),
        pytest.param(
            'ask("hi", LANE)',
            "reaches `ask(lane=)` (llm.py:4) → `inner(lane=)` → `resolve_model(call_class=)` through `LANE`; go",
            id="as a constant",
        ),
        pytest.param(
            "resolve_model(call_class=LANE)",
            "reaches `resolve_model(call_class=)` (main.py:3) through `LANE`; go",
            id="without a wrapper",
        ),
    ],
)
def test_the_way_is_told_link_by_link(project: Scratch, use: str, way: str) -> None:
    """A message names every wrapper on the way, and the place of the first."""
    program = f"from llm import ask\nfrom consts import LANE\n{use}\n"
    finding = only_finding({"base.py": BASE, "llm.py": LLM, "consts.py": CONSTS, "main.py": program}, project)
    assert way in finding.message


def test_related_places_lead_along_the_way(project: Scratch) -> None:
    """The constant, and each parameter that the class is passed to, are related places."""
    program = 'from llm import ask\nfrom consts import LANE\nask("hi", LANE)\n'
    finding = only_finding({"base.py": BASE, "llm.py": LLM, "consts.py": CONSTS, "main.py": program}, project)
    places = [(Path(place.filename).name, place.span.row, place.span.column) for place in finding.related]
    assert places == [("consts.py", 1, 8), ("llm.py", 4, 17), ("base.py", 1, 19)]


@pytest.mark.parametrize(
    ("taker", "place"),
    [
        pytest.param("class Job:\n    name: str\n    lane: str\n\n", (3, 5, 3, 14), id="a field"),
        pytest.param("class Job:\n    def __init__(self, lane): self.lane = lane\n\n", (2, 24, 2, 28), id="a method"),
        pytest.param(
            "class Job:\n    def __init__(self, **more):\n        self.lane = more['lane']\n\n",
            (2, 26, 2, 30),
            id="what collects it",
        ),
    ],
)
def test_a_link_is_where_the_class_is_taken(project: Scratch, taker: str, place: tuple[int, int, int, int]) -> None:
    """A related place is the parameter or field, or what stands for it."""
    decorated = f"from dataclasses import dataclass\n@dataclass\n{taker}" if "name: str" in taker else taker
    shift = 2 if decorated != taker else 0
    send = "def send(job: Job): resolve_model(call_class=job.lane)\n"
    finding = only_finding(
        {"jobs.py": decorated + send, "main.py": 'from jobs import Job\nJob(lane="utility")\n'}, project
    )
    spans = [
        (span.row - shift, span.column, span.end_row - shift, span.end_column)
        for span in (each.span for each in finding.related)
    ]
    assert place in spans


def test_a_long_way_is_cut(project: Scratch) -> None:
    """Of a way through very many functions, a message names the first and the last, and tells how many are between."""
    links = "".join(f"def f{number}(x): f{number + 1}(x)\n" for number in range(200))
    program = f"{links}def f200(x): resolve_model(call_class=x)\nf0('utility')\n"
    finding = only_finding({"main.py": program}, project)
    assert (
        "`f0(x=)` (main.py:1) → `f1(x=)` → `f2(x=)` → `f3(x=)` → `f4(x=)` → 196 more → `resolve_model(call_class=)`"
        in finding.message
    )
    assert len(finding.related) == 50
