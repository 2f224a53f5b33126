"""The programs in the documentation of the runtime run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "runtime.md"
PROGRAMS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("program", "said"), [pytest.param(*texts, id=f"program {n}") for n, texts in enumerate(PROGRAMS, start=1)]
)
def test_program_runs(program: str, said: str) -> None:
    """A newcomer who copies it gets an answer and its audit, and sees what the page shows."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr
    shown = "\n".join(line.rstrip() for line in ran.stdout.splitlines())
    assert (said.strip() or "You asked: Why? True") in shown
