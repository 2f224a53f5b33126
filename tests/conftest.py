"""What tests of several packages share: a scratch project, and the command line run in this process."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

from pleach_lint.cli import main

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Project(Protocol):
    """A scratch project."""

    def __call__(self, files: Mapping[str, str | bytes]) -> Path:
        """Write files below its folder, make that the working directory, and return it."""
        ...


class Ran(NamedTuple):
    """What came of a run of the command line."""

    code: int
    out: str
    err: str


class Run(Protocol):
    """The command line."""

    def __call__(self, *arguments: str) -> Ran:
        """Run it to its end."""
        ...


@pytest.fixture(autouse=True, scope="session")
def interruptible() -> None:
    """Let Ctrl-C interrupt, also where the tests run in the background of a shell, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A scratch project with a repository of its own, so that nothing around it counts."""
    root = tmp_path.resolve() / "project"

    def write(files: Mapping[str, str | bytes]) -> Path:
        (root / ".git").mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        monkeypatch.chdir(root)
        return root

    return write


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process."""

    def run_with(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["pleach-lint", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Ran(end.value.code, out, err)

    return run_with
