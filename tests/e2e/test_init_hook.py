"""Tests of what `pleach-lint init` writes for pre-commit, with pre-commit itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.lint.test_init import LEAK, SEAMS

if TYPE_CHECKING:
    from tests.conftest import Project, Run


def test_the_hook_runs(project: Project, run: Run) -> None:
    """pre-commit accepts the file, and the hook that runs the installed command finds a leak."""
    root = project({**SEAMS, ".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks: []\n", "app.py": LEAK})
    run("init")
    Path(".pleach-baseline.json").unlink()
    for command in (["git", "init", "-q"], ["git", "add", "."]):
        subprocess.run(command, cwd=root, check=True, capture_output=True)
    hook = [sys.executable, "-m", "pre_commit", "run", "callclass-literals", "--all-files"]
    installed = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(hook, cwd=root, check=False, capture_output=True, encoding="utf-8", env=installed)
    assert "app.py:1:26: PCH001" in ran.stdout
