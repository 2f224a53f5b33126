"""Tests for the HTML of `pleach-lint map`: what is in the file, whatever opens it."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tests.lint.test_seam_map import LEAK, SEAMS

if TYPE_CHECKING:
    from tests.conftest import Project, Run

ODD = '<b>&"quoted"</b>'
NODES = f"Node(stage_id={ODD!r}, accepts_seam='utility')\nNode(stage_id='merge', accepts_seam=None)\n"
APP = f"{NODES}{LEAK}{LEAK[:-1]}  # noqa: PCH001\ncall_class = load()\n"
LEAKY = {**SEAMS, "app.py": APP, "broken.py": "(accepts_seam"}


class Page(HTMLParser):
    """A page, taken apart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.loaded: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element, and note what it names and what it would load."""
        given = {name: value or "" for name, value in attrs}
        self.tags[tag] += 1
        self.ids += filter(None, [given.get("id")])
        self.links += filter(None, [given.get("href")])
        self.loaded += filter(None, [given.get("src"), given.get("xlink:href")])
        if tag == "svg" and given["class"].startswith("dot "):
            self.kinds[given["class"].removeprefix("dot ")] += 1

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.words.append(data)


def page(run: Run) -> Page:
    """The page of the working directory."""
    return Page(run("map", "-q", "--output-format", "html").out)


def test_every_text_is_escaped(project: Project, run: Run) -> None:
    """Whatever a program says is text on the page, and never markup."""
    project(LEAKY)
    read = page(run)
    assert read.tags["b"] == 0
    assert ODD in read.words


def test_a_page_needs_nothing_beside_it(project: Project, run: Run) -> None:
    """The page loads nothing, and its links lead to places in it, each of which is there once."""
    project(LEAKY)
    read = page(run)
    assert read.loaded == []
    assert {link.removeprefix("#") for link in read.links} <= set(read.ids)
    assert Counter(read.ids).most_common(1)[0][1] == 1


def test_a_mark_for_everything(project: Project, run: Run) -> None:
    """Everything has a mark in the legend, one in the drawing and one in its table."""
    project(LEAKY)
    marked = dict.fromkeys(["node", "leak", "hidden", "free", "open", "unread"], 3)
    assert page(run).kinds == marked


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param(SEAMS, {"Proven: each class is carried by one factory and leaks nowhere"}, id="a proof"),
        pytest.param(LEAKY, {"Not proven", "utility leaks in 1 place", "1 file was not analysed"}, id="problems"),
        pytest.param({"a.py": "x = 1\n"}, {"no factory", "declared by no node", "nothing"}, id="nothing there"),
        pytest.param({"a.py": "import pleach_runtime\n"}, {"pleach_runtime.utility_seam", "installed"}, id="runtime"),
    ],
)
def test_what_a_page_says(project: Project, run: Run, files: dict[str, str], words: set[str]) -> None:
    """The page says first whether it is a proof."""
    project(files)
    assert words <= set(page(run).words)
