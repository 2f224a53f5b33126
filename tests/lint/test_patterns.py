"""Tests for `pleach_lint.patterns` and `pleach_lint.paths`."""

from __future__ import annotations

import ntpath
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import pytest

from pleach_lint import patterns
from pleach_lint.paths import shown, visible
from pleach_lint.patterns import PathMatcher, Pattern

if TYPE_CHECKING:
    from pathlib import PurePath


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        pytest.param("migrations", "/r/app/migrations", True, id="a name, anywhere"),
        pytest.param("migrations/", "/r/app/migrations", True, id="a name with a slash behind it"),
        pytest.param("migrations", "/r/app/migrations_old", False, id="a longer name"),
        pytest.param("*.egg", "/r/a/b.egg", True, id="a glob of names"),
        pytest.param("test_?.py", "/r/a/test_1.py", True, id="one character"),
        pytest.param("app/gen", "/r/app/gen", True, id="a path"),
        pytest.param("./app/gen", "/r/app/gen", True, id="a path with a dot before it"),
        pytest.param("app/gen", "/r/other/app/gen", False, id="a path starts at its base"),
        pytest.param("app/*.py", "/r/app/x/y.py", True, id="a star crosses folders"),
        pytest.param("**/gen/*.py", "/r/gen/y.py", True, id="two stars match no folder"),
        pytest.param("**/gen/*.py", "/r/a/b/gen/y.py", True, id="two stars match folders"),
        pytest.param("../other/x.py", "/other/x.py", True, id="a path that starts above"),
        pytest.param("/abs/x.py", "/abs/x.py", True, id="an absolute path"),
        pytest.param("app/gen", "/s/app/gen", False, id="another base"),
        pytest.param("a[b]/*", "/r/ab/x", True, id="a set of characters"),
    ],
)
def test_a_pattern_matches_a_path(pattern: str, path: str, *, matches: bool) -> None:
    """A pattern without a slash is a name; one with a slash is a path from its base."""
    folder, _, name = path.rpartition("/")
    assert PathMatcher([Pattern(pattern, "/r")]).matches(folder or "/", name) is matches


@pytest.mark.parametrize(
    ("path", "covers"),
    [
        pytest.param("/r/tests/unit/a.py", True, id="below the folder"),
        pytest.param("/r/tests", True, id="the folder itself"),
        pytest.param("/r/app/a.py", False, id="elsewhere"),
        pytest.param("/tests/r/a.py", False, id="a folder above the root does not count"),
        pytest.param("/", False, id="the top of the disk"),
    ],
)
def test_a_pattern_covers_what_lies_below(path: str, *, covers: bool) -> None:
    """A folder that a pattern means is meant with all that lies in it, up to the root."""
    assert PathMatcher([Pattern("tests", "/r")]).covers(path, "/r") is covers


def test_a_pattern_as_seen_from_elsewhere() -> None:
    """A pattern can be rewritten for another folder."""
    assert Pattern("app/seams/", "/r/pkg").seen_from("/r") == "pkg/app/seams"
    assert Pattern("app/seams", "/r").seen_from("/r/pkg") == "../app/seams"


def test_a_pattern_on_another_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Across drives a pattern stays absolute, where `relpath` would raise."""
    monkeypatch.setattr(patterns, "os", type("os", (), {"path": ntpath, "sep": "\\"}))
    assert Pattern("app\\seams", "C:\\r").seen_from("D:\\") == "C:\\r\\app\\seams"


@pytest.mark.parametrize(
    ("path", "cwd", "expected"),
    [
        pytest.param(PurePosixPath("/r/a/b.py"), PurePosixPath("/r"), "a/b.py", id="below"),
        pytest.param(PurePosixPath("/rest/b.py"), PurePosixPath("/r"), "/rest/b.py", id="a name that begins the same"),
        pytest.param(PureWindowsPath("C:\\r\\a.py"), PureWindowsPath("c:\\R"), "a.py", id="Windows ignores case"),
        pytest.param(PureWindowsPath("C:\\a.py"), PureWindowsPath("D:\\"), "C:\\a.py", id="another drive"),
    ],
)
def test_a_path_is_shown(path: PurePath, cwd: PurePath, expected: str) -> None:
    """A path below the working directory is shown relative to it, any other as it is."""
    assert shown(path, cwd) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("a b é.py", "a b é.py", id="letters and spaces"),
        pytest.param("a\n::set-env.py", "a\\n::set-env.py", id="a line break"),
        pytest.param("\x1b[2J.py", "\\x1b[2J.py", id="a terminal command"),
        pytest.param("\udcff.py", "\\udcff.py", id="a byte that is no UTF-8"),
    ],
)
def test_a_name_stays_on_its_line(name: str, expected: str) -> None:
    """What a file is called cannot break a line of output."""
    assert visible(name) == expected
