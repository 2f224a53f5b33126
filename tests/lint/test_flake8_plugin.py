"""Tests for `pleach_lint.flake8_plugin`, called as flake8 calls it."""

from __future__ import annotations

import ast
from argparse import Namespace
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from pleach_lint import flake8_plugin
from pleach_lint.flake8_plugin import Plugin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Project, Run

LEAK = 'resolve_model(call_class="utility")\n'


@pytest.fixture(autouse=True)
def _fresh_options() -> Iterator[None]:
    """Options and what follows from them live on the class, as flake8 wants it."""
    options(Namespace(pleach_seams=(), pleach_strict=None, pleach_config=None))
    yield
    options(Namespace(pleach_seams=(), pleach_strict=None, pleach_config=None))


def options(given: Namespace) -> None:
    """Hand over options as flake8 does."""
    Plugin.parse_options(given)


def said(given: dict[str, object], *, stdin: bool = False) -> Namespace:
    """The options of flake8 with some of ours."""
    names = {"filenames": ["-" if stdin else "m.py"], "stdin_display_name": "m.py"}
    return Namespace(**{"pleach_seams": [], "pleach_strict": None, "pleach_config": None, **names, **given})


def reports(filename: str = "m.py", text: str = LEAK) -> list[str]:
    """What the plugin says of a file, as flake8 would print it."""
    plugin = Plugin(ast.parse(text), filename, text.splitlines(keepends=True))
    return [f"{row}:{column + 1}: {message}" for row, column, message, _ in plugin.run()]


def test_entry_point() -> None:
    """flake8 finds the plugin under the prefix of its codes."""
    (entry,) = entry_points(group="flake8.extension", name="PCH")
    assert entry.load() is Plugin


def test_findings(project: Project) -> None:
    """A finding has its row, its column in code points, and its code in front."""
    text = f'é = "日本"; {LEAK}'
    project({"m.py": text})
    (report,) = reports(text=text)
    assert report.startswith('1:36: PCH001 "utility" is used as a call class')


def test_notebooks_are_left_alone(project: Project) -> None:
    """JSON that happens to be Python is no module; the command line checks notebooks."""
    text = '{"cells": [{"cell_type": "code", "source": "f(call_class=\'utility\')"}]}\n'
    project({"n.ipynb": text})
    assert reports("n.ipynb", text) == []


def test_without_options(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process in which flake8 handed over no options works with the defaults."""
    project({"m.py": LEAK, "seams/s.py": LEAK})
    monkeypatch.setattr(Plugin, "_options", flake8_plugin.Options())
    assert len(reports()) == 1
    assert reports("seams/s.py") == []


def test_the_project_file_counts(project: Project) -> None:
    """What `[tool.pleach-lint]` selects and excludes holds under flake8 too."""
    text = "[tool.pleach-lint]\nignore = ['PCH001']\nexclude = ['gen']\n"
    project({"m.py": LEAK, "gen/m.py": LEAK, "sub/m.py": LEAK, "pyproject.toml": text, "sub/pleach-lint.toml": ""})
    assert [len(reports(name)) for name in ("m.py", "gen/m.py", "sub/m.py")] == [0, 0, 1]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        pytest.param({}, 1, id="no options"),
        pytest.param({"pleach_seams": ["app"]}, 0, id="a seam package"),
        pytest.param({"pleach_strict": True}, 2, id="strict"),
        pytest.param({"pleach_config": "other.toml"}, 0, id="another configuration"),
    ],
)
def test_options(project: Project, given: dict[str, object], found: int) -> None:
    """Options of flake8 stand over the configuration file."""
    text = f'{LEAK}kinds = ["utility", 1, 2]\n'
    project({"app/m.py": text, "pleach-lint.toml": "strict = false", "other.toml": "select = ['PCH002']"})
    options(said(given))
    assert len(reports("app/m.py", text)) == found


def test_our_comments_count(project: Project) -> None:
    """Our own comments hide findings; `noqa` is left to flake8."""
    text = f"{LEAK[:-1]}  # pleach: ignore[PCH001]\n{LEAK[:-1]}  # noqa\n"
    project({"m.py": text})
    assert [report.split(":")[0] for report in reports(text=text)] == ["2"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param(LEAK, "1:26", id="ASCII"),
        pytest.param(f"# coding: latin-1\né = 1; {LEAK}", "2:33", id="a declared encoding"),
        pytest.param(f"é = 1; {LEAK}", "1:33", id="UTF-8"),
        pytest.param(f"# coding: ascii\né = 1; {LEAK}", "2:1", id="bytes that the declared encoding cannot hold"),
        pytest.param(f"\n# coding: klingon\n{LEAK}", "2:1", id="an encoding that does not exist"),
    ],
)
def test_standard_input(project: Project, text: str, place: str) -> None:
    """What flake8 reads from standard input is checked, not what lies on the disk under that name."""
    project({"m.py": "x = 1\n"})
    assert reports(text=text) == []
    options(said({}, stdin=True))
    assert [report.partition(": ")[0] for report in reports(text=text)] == [place]


def test_undecodable_bytes(project: Project) -> None:
    """A file whose bytes do not decode is not analysed, though flake8 takes it for Latin-1."""
    project({"m.py": LEAK.encode() + b"# \xe9\n"})
    (report,) = reports(text=f"{LEAK}# é\n")
    assert report.startswith("2:1: PCH999 not analysed: byte 0xe9 is not utf-8 text")


def test_a_wrong_configuration(project: Project) -> None:
    """A configuration that cannot be obeyed is a report on each file, for an exception would end flake8."""
    project({"m.py": LEAK, "pleach-lint.toml": "exlude = []"})
    message = "1:1: PCH999 not analysed: pleach-lint.toml:1: `exlude` is not a key of pleach-lint"
    assert reports() == [f"{message}; did you mean `exclude`?"]


def test_a_fault_of_ours(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the plugin is a report too."""
    project({"m.py": LEAK})
    monkeypatch.delattr(flake8_plugin, "is_excluded")
    (report,) = reports()
    assert report.startswith("1:1: PCH999 not analysed: internal error: NameError at flake8_plugin.py:")


def test_a_baseline_is_passed_over(project: Project, run: Run) -> None:
    """What the baseline holds is not reported, whichever of two equal findings flake8 will hide afterwards."""
    root = project({"m.py": LEAK * 2})
    run("--write-baseline")
    assert reports(text=LEAK * 2) == []
    text = f"{LEAK[:-1]}  # noqa: PCH001\n{LEAK}{LEAK}"
    (root / "m.py").write_text(text)
    (report,) = reports(text=text)
    assert report.startswith("3:26: PCH001 ")


def test_a_broken_baseline(project: Project) -> None:
    """A baseline that cannot be used is a finding on every file, with what to do about it."""
    root = project({"m.py": LEAK, ".pleach-baseline.json": "[]"})
    (report,) = reports()
    assert report.startswith(f"1:1: PCH999 not analysed: {root / '.pleach-baseline.json'}: is not a baseline of")
