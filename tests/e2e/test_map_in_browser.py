"""The seam map as a browser shows it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.lint.test_seam_map_page import LEAKY, Page

if TYPE_CHECKING:
    from tests.conftest import Project, Run

BROWSER = shutil.which("chromium")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars")
MEASURED = """<script>addEventListener("load", () => {
  const box = document.getElementById("find");
  box.value = "MERGE";
  box.dispatchEvent(new Event("input"));
  document.body.dataset.wide = document.documentElement.scrollWidth > innerWidth;
});</script></body>"""

pytestmark = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed; see .ci/install-chromium")


def browse(page: Path, *options: str) -> str:
    """Open a page, and return what the browser writes."""
    profile = f"--user-data-dir={page.parent / 'profile'}"
    command = (str(BROWSER), *OPTIONS, profile, *options, page.as_uri())
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=120).stdout


@pytest.fixture
def page(project: Project, run: Run) -> Path:
    """A map with something of every kind."""
    project(LEAKY)
    run("map", "-q", "--output-format", "html", "-o", "map.html")
    return Path("map.html").resolve()


@pytest.mark.parametrize("width", [pytest.param(360, id="narrow"), pytest.param(1600, id="wide")])
def test_a_page_in_a_window(page: Path, width: int) -> None:
    """The page fits into its window, its script runs under its own policy, and its filter hides rows."""
    page.write_text(page.read_text().replace("</body>", MEASURED))
    shown = browse(page, f"--window-size={width},900", "--dump-dom")
    assert 'data-wide="false"' in shown
    assert '<html lang="en" class="js">' in shown
    assert ">1 of 10 rows<" in shown
    assert len([row for row in shown.split("<tr id=")[1:] if 'hidden=""' in row.partition(">")[0]]) == 9


def test_light_and_dark(page: Path) -> None:
    """The page is drawn in the colours that the reader prefers."""
    pictures = []
    for scheme in ("0", "1"):
        picture = page.with_name(f"{scheme}.png")
        browse(page, f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={picture}")
        pictures.append(picture.read_bytes())
    assert pictures[0].startswith(b"\x89PNG")
    assert pictures[0] != pictures[1]


def test_what_the_browser_reads(page: Path) -> None:
    """The browser finds the tables that the file holds, and no markup that a program smuggled in."""
    read = Page(browse(page, "--dump-dom"))
    assert (read.tags["table"], read.tags["b"]) == (7, 0)
