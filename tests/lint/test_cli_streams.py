"""Tests for what the command line makes of terminals, pipes and streams that are not there."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import pytest

from pleach_lint import cli
from pleach_lint.cli import console

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Project, Run

LEAKS = {"a.py": 'resolve_model(call_class="utility")\n', "clean.py": "x = 1\n"}


def test_full_report_and_colours(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours appear when they are asked for, or on a terminal that does not refuse them."""
    project(LEAKS)
    assert "\x1b[" not in run("--output-format", "full").out
    assert "\x1b[" in run("--output-format", "full", "--color", "always").out
    monkeypatch.setattr("pleach_lint.cli.console._in_color", lambda *_: True)
    assert "\x1b[" in run("--output-format", "full").out


@pytest.mark.parametrize(
    ("environment", "color"),
    [
        pytest.param({}, True, id="a terminal"),
        pytest.param({"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": ""}, True, id="an empty NO_COLOR"),
        pytest.param({"TERM": "dumb"}, False, id="a dumb terminal"),
    ],
)
def test_terminals(monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str], *, color: bool) -> None:
    """A terminal gets colours and a full report, unless its user says otherwise."""
    monkeypatch.setattr(sys, "stdout", terminal())
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert console.Console("auto", quiet=False, verbose=False).screen.color is color


def test_width_of_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings are cut to the width of a terminal, and to none elsewhere."""
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(sys, "stdout", terminal())
    speaker = console.Console("auto", quiet=False, verbose=False)
    assert speaker.screen.width == 70
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert speaker.screen.width is None


def terminal() -> io.TextIOWrapper:
    """A stream that says that it is a terminal."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    stream.isatty = lambda: True  # type: ignore[method-assign]  # a terminal cannot be had in every test run
    return stream


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal a bar shows after a while how far the work is, and leaves no trace."""
    stream = terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("pleach_lint.cli.progress._PATIENCE", 0)
    with console.Console("never", quiet=False, verbose=False).progress(4) as progress:
        progress.advance(1)
        progress.advance(2)
    stream.seek(0)
    drawn = "[#######                       ] 1/4 files"
    assert stream.read() == f"\r{drawn}\r{' ' * len(drawn)}\r"


def test_a_closed_stream_is_left_alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """When nobody reads any more, the run goes on to its exit code without a word."""
    project(LEAKS)
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as closed:  # noqa: PTH123 - a descriptor has no path
        monkeypatch.setattr(sys, "stdout", closed)
        monkeypatch.setattr(sys, "argv", ["pleach-lint"])
        with pytest.raises(SystemExit, match="1"):
            cli.main()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_that_is_not_there(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, stream: str) -> None:
    """A run without a stream to write to, as under `>&-`, comes to its exit code."""
    project(LEAKS)
    monkeypatch.setattr(sys, stream, None)
    assert run().code == 1


def test_no_standard_input(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input that is closed is not taken for an empty file."""
    project(LEAKS)
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = run("-")
    assert (code, err.splitlines()[-1]) == (2, "Error: standard input is closed; name a file, or send the text to it")


def test_streams_that_cannot_be_changed(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that is no text over bytes, as some test runners and editors set, is used as it is."""
    project(LEAKS)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert run().code == 1
