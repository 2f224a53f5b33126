"""Tests for `-o FORMAT=FILE`: reports into files, beside the one on stdout."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING

import pytest

from pleach_lint.config.layer import OUTPUT_FORMATS

if TYPE_CHECKING:
    from tests.conftest import Project, Run

LEAK = {"m.py": 'f(call_class="utility")\n'}


def test_several_reports_in_one_run(project: Project, run: Run) -> None:
    """Each file holds what its format would have written to stdout; stdout has its own, and the exit code stays."""
    root = project(LEAK)
    wanted = [f"--output={name}={name}.txt" for name in OUTPUT_FORMATS]
    ran = run("-q", *wanted)
    assert (ran.code, ran.out.partition(": ")[0], ran.err) == (1, "m.py:1:14", "")
    for name in OUTPUT_FORMATS:
        assert (root / f"{name}.txt").read_text(encoding="utf-8") == run("-q", "--output-format", name).out


@pytest.mark.parametrize("output_format", OUTPUT_FORMATS)
def test_a_report_without_findings(project: Project, run: Run, output_format: str) -> None:
    """A clean run replaces an earlier report, by a document that is whole."""
    root = project({"m.py": "x = 1\n", "old.txt": "old"})
    assert run("-q", "-o", f"{output_format}=old.txt") == (0, "", "")
    text = (root / "old.txt").read_text(encoding="utf-8")
    assert text == "" or text.endswith("\n")
    assert not text.startswith("old")


def test_a_name_with_equals_signs(project: Project, run: Run) -> None:
    """The first equals sign divides; those that follow belong to the name."""
    root = project(LEAK)
    assert run("-q", "-o", "json=a=b.json").code == 1
    assert len(json.loads((root / "a=b.json").read_text(encoding="utf-8"))) == 1


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        pytest.param("gone/r.json", "No such file or directory", id="no folder"),
        pytest.param("sub", "Is a directory", id="a folder"),
        pytest.param("m.py/r.json", "Not a directory", id="a file for a folder"),
        pytest.param("x" * 300, "File name too long", id="a name that is too long"),
    ],
)
def test_a_file_that_cannot_be_written(project: Project, run: Run, file: str, reason: str) -> None:
    """One line says why, the exit code is 2, and neither the findings nor the other reports are lost."""
    root = project({**LEAK, "sub/x.txt": ""})
    ran = run("-o", f"json={file}", "-o", "junit=r.xml")
    assert ran.code == 2
    assert ran.out.startswith("m.py:1:14: PCH001 ")
    assert ran.err.splitlines()[:-1] == [f"error: {file}: cannot be written: {reason}"]
    assert (root / "r.xml").exists()


def test_a_pipe(project: Project, run: Run) -> None:
    """A pipe is written to, not replaced by a file."""
    root = project(LEAK)
    os.mkfifo(root / "pipe")
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append((root / "pipe").read_text(encoding="utf-8")))
    reader.start()
    assert run("-q", "-o", "json=pipe").code == 1
    reader.join()
    assert (root / "pipe").is_fifo()
    assert len(json.loads(received[0])) == 1


def test_a_device_that_refuses(project: Project, run: Run) -> None:
    """What a device says is passed on."""
    project(LEAK)
    ran = run("-q", "-o", "json=/dev/full")
    assert (ran.code, ran.err) == (2, "error: /dev/full: cannot be written: No space left on device\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("-o", "sarif"), "`sarif` is not FORMAT=FILE, such as sarif=pleach.sarif", id="no file"),
        pytest.param(("-o", "sarif="), "`sarif=` is not FORMAT=FILE", id="an empty file"),
        pytest.param(("-o", "sarf=x"), "there is no format `sarf`; did you mean `sarif`?", id="a mistaken format"),
        pytest.param(("-o", "toml=x"), "there is no format `toml`; there are full, concise,", id="an unknown format"),
        pytest.param(("-o", "json=x", "--show-suppressed"), "needs a report that can mark them", id="no marks"),
        pytest.param(("-o", "json=x", "--diff"), "--diff and --fix-only report nothing that -o could", id="no report"),
        pytest.param(("-o", "json=x", "-o", "junit=x"), "2 reports cannot go into one file, x", id="one file twice"),
    ],
)
def test_wrong_usage(project: Project, run: Run, arguments: tuple[str, ...], message: str) -> None:
    """What cannot be understood is told before anything is checked."""
    project(LEAK)
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
