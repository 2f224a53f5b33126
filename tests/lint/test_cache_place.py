"""Tests for `pleach_lint.cache_place`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pleach_lint.cache_place import chosen_place


@pytest.mark.parametrize(
    ("option", "variable", "configured", "expected"),
    [
        pytest.param("a", "b", "/c", "/work/a", id="the option stands over all"),
        pytest.param(None, "b", "/c", "/work/b", id="the environment stands over the configuration"),
        pytest.param(None, "", "/c", "/c", id="an empty variable says nothing"),
        pytest.param(None, "", None, "/root/.pleach_cache", id="each project has its own"),
    ],
)
def test_what_stands_over_what(
    monkeypatch: pytest.MonkeyPatch, option: str | None, variable: str, configured: str | None, expected: str
) -> None:
    """The strongest that says anything settles where the cache lies."""
    monkeypatch.setenv("PLEACH_CACHE_DIR", variable)
    monkeypatch.setattr("os.getcwd", lambda: "/work")
    assert chosen_place(option, configured).of(Path("/root")) == expected
