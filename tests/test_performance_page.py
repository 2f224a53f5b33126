"""Tests for the page that shows measured figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.performance_page import filled, main

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
LINT = {
    "surroundings": "Python 3.11.",
    "rows": [
        {"what": "a tree", "files": 3, "megabytes": 0.5, "ours": 1.0, "against": "grep", "theirs": 2.0, "unit": "s"}
        | {"budget": 0.4, "ratio": 0.5, "holds": False}
    ],
}
CALLS = {
    "title": "calls",
    "versions": {"pydantic": "2.11"},
    "rows": [{"what": "a seam", "value": 64.04, "against": "", "share": 0.2, "budget": 3.0}],
}


def test_figures_take_their_place(tmp_path: Path) -> None:
    """Tables replace what stood in their places; what is written by hand stays."""
    page = tmp_path / "page.md"
    page.write_text(
        "# A\n<!-- lint -->\nTHE LAST TABLE\n<!-- end of lint -->\nB\n<!-- calls -->\n<!-- end of calls -->\n"
    )
    for name, found in (("lint", LINT), ("calls", CALLS)):
        (tmp_path / f"{name}.json").write_text(json.dumps(found))
    given = [str(page), f"lint={tmp_path / 'lint.json'}", f"calls={tmp_path / 'calls.json'}"]
    assert main(given) == 0
    once = page.read_text(encoding="utf-8")
    assert "| a tree | 3 | 0.5 | 1.00 s | grep | 2.00 s | 0.500 | ≤ 0.4 | missed |\n" in once
    assert "| a seam | 64.0 | the budget, in µs | 0.200 | ≤ 3 | holds |\n" in once
    assert "THE LAST TABLE" not in once
    assert once.startswith("# A\n<!-- lint -->\n")
    main(given)
    assert page.read_text(encoding="utf-8") == once


def test_a_place_that_is_missing() -> None:
    """Figures without a place in the page are an error, and change nothing."""
    with pytest.raises(ValueError, match="<!-- lint -->"):
        filled("# A\n", "lint", "figures")


def test_the_page_has_its_places() -> None:
    """The committed page takes every table that it tells how to measure, and shows it."""
    text = PAGE.read_text(encoding="utf-8")
    for name in ("lint", "calls", "ledger", "streams", "answers"):
        assert filled(text, name, "figures") != text
        assert f"<!-- {name} -->\n\n" in text, f"no figures of {name}"
