"""The cache as processes share it, and as an interrupt leaves it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Project

LEAK = 'llm.call(p, call_class="utility")\n'
COMMAND = (sys.executable, "-m", "pleach_lint", "check", "--jobs", "1")


def start() -> subprocess.Popen[bytes]:
    """Begin to check the working directory."""
    return subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def unfinished(root: Path) -> list[Path]:
    """Files that were not written to their end."""
    return [*root.rglob("*.part")]


def test_eight_processes_share_a_cache(project: Project) -> None:
    """Processes that make one cache at the same time say the same, and leave it whole."""
    root = project({f"f{number}.py": LEAK for number in range(40)} | {"sub/f1.py": LEAK * 2})
    together = [process.communicate() for process in [start() for _ in range(8)]]
    assert {out.count(b"\n") for out, _ in together} == {42}
    assert len(set(together)) == 1
    assert unfinished(root) == []
    assert len([*root.glob(".pleach_cache/*/*.json")]) == 41
    assert start().communicate() == together[0]


def test_ctrl_c_leaves_a_whole_cache(project: Project) -> None:
    """An interrupt leaves entries that later runs can use, and nothing half-written."""
    root = project({f"f{number}.py": LEAK * 100 for number in range(40)})
    process = start()
    while process.poll() is None and not [*root.glob(".pleach_cache/*/*.json")]:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, b"Traceback" in err) == (130, False)
    assert unfinished(root) == []
    out, _ = start().communicate()
    assert out.count(b"\n") == 4_000
