from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings

if TYPE_CHECKING:
    from pathlib import Path


def columns(root: Path, line: str, *, strict: bool) -> list[int]:
    """Where one line is reported, in order."""
    checked = check_source(root / "program.py", line.encode(), Project(Settings(root, strict=strict)))
    return [finding.span.column for finding in checked.findings]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param('item = {"type": "reasoning"}', [17], id="a value under another key"),
        pytest.param('redis.set(key, b"synthesize")', [16], id="bytes"),
        pytest.param('part = f"utility"', [8], id="an f-string without holes"),
        pytest.param('key = "call_class=utility".split("=")', [7], id="a pair in one text"),
        pytest.param('log.info("call_class=utility")', [10], id="a log message"),
        pytest.param('meta["stage"] = "converse"', [17], id="a store under another key"),
        pytest.param('lane: str = "utility"', [13], id="an annotated assignment"),
    ],
)
def test_strict_mode_reports_more(tmp_path: Path, line: str, expected: list[int]) -> None:
    """A word without evidence is silent by default and reported in strict mode."""
    assert columns(tmp_path, line, strict=False) == []
    assert columns(tmp_path, line, strict=True) == expected


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('node(accepts_seam="utility")', id="a keyword"),
        pytest.param('meta = {"acceptsSeam": "utility"}', id="a key"),
        pytest.param('meta["accepts_seam"] = "utility"', id="a store"),
        pytest.param('accepts_seam = "utility" if final else None', id="an assignment"),
        pytest.param('accepts_seam: str = "utility"', id="an annotated assignment"),
        pytest.param('"utility"', id="a string that stands as a statement"),
        pytest.param('text = f"{kind} utility {n}"', id="a part of an f-string"),
        pytest.param('text = f"utility{n}"', id="the beginning of an f-string"),
        pytest.param("client.converse(reasoning=1)", id="names"),
    ],
)
def test_strict_mode_leaves_declarations_and_names_alone(tmp_path: Path, line: str) -> None:
    """What declares a seam, stands as a statement, or is no string is never reported."""
    assert columns(tmp_path, line, strict=True) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param('node(stage="utility", accepts_seam=None)', [12], id="another keyword"),
        pytest.param('meta = {"utility": accepts_seam}', [9], id="a key beside a declared value"),
        pytest.param('if kind == "utility": ...', [12], id="a comparison"),
    ],
)
def test_only_the_declared_value_is_left_alone(tmp_path: Path, line: str, expected: list[int]) -> None:
    """A word near a declaration is reported like any other."""
    assert columns(tmp_path, line, strict=True) == expected


def test_a_word_without_evidence_is_not_claimed_to_be_a_class(tmp_path: Path) -> None:
    """What strict mode reports may be a call class; what there is evidence for is one."""
    source = b'kind = "reasoning"\nask(call_class="utility")\n'
    checked = check_source(tmp_path / "program.py", source, Project(Settings(tmp_path, strict=True)))
    suspected, used = [finding.message for finding in checked.findings]
    assert suspected.startswith('"reasoning" may be used as a call class (a bare class word')
    assert used.startswith('"utility" is used as a call class (keyword `call_class`)')
