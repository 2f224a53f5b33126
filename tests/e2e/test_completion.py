"""What a shell offers while a command line is written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
IN_BASH = """
eval "$(_PLEACH_LINT_COMPLETE=bash_source pleach-lint)"
COMP_WORDS=(pleach-lint {words}) COMP_CWORD={position} COMPREPLY=()
compopt() {{ :; }}
_pleach_lint_completion pleach-lint
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def offered(*words: str) -> set[str]:
    """What is offered for the last word."""
    asked = {**ENVIRONMENT, "_PLEACH_LINT_COMPLETE": "zsh_complete"}
    asked |= {"COMP_WORDS": " ".join(("pleach-lint", *words)), "COMP_CWORD": str(len(words))}
    ran = subprocess.run(["pleach-lint"], env=asked, capture_output=True, encoding="utf-8", check=True)
    return set(ran.stdout.splitlines()[1::3])


@pytest.mark.parametrize(
    ("words", "among"),
    [
        pytest.param(("",), {"check", "map", "doctor"}, id="a command"),
        pytest.param(("ma",), {"map"}, id="the rest of a command"),
        pytest.param(("--s",), {"--select", "--seams", "--strict"}, id="options of the default command"),
        pytest.param(("--ver",), {"--version", "--verbose"}, id="options of both"),
        pytest.param(("--select", ""), {"PCH001", "callclass-literals", "ALL"}, id="rules for the default command"),
        pytest.param(("check", "--ignore", "PCH0"), {"PCH001", "PCH00"}, id="rules by prefix"),
        pytest.param(("check", "--select", "PCH001,PCH002"), {"PCH001,PCH002"}, id="one more of several"),
        pytest.param(("check", "--output-format", ""), {"full", "concise", "json"}, id="formats"),
        pytest.param(("map", "--output-format", ""), {"text", "json", "mermaid", "html"}, id="formats of a map"),
        pytest.param(("rule", "callclass-v"), {"callclass-value"}, id="a rule to explain"),
    ],
)
def test_what_is_offered(words: tuple[str, ...], among: set[str]) -> None:
    """Commands, options and their values are offered, and nothing that does not begin as what is written."""
    found = offered(*words)
    assert among <= found
    assert all(name.startswith(words[-1]) for name in found)


def test_paths() -> None:
    """What begins no command is a path, which the shell itself completes."""
    asked = {**ENVIRONMENT, "_PLEACH_LINT_COMPLETE": "bash_complete", "COMP_WORDS": "pleach-lint sr", "COMP_CWORD": "1"}
    assert subprocess.run(["pleach-lint"], env=asked, capture_output=True, check=True).stdout == b"file,sr\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_in_bash() -> None:
    """The script that the documentation names works in bash."""
    script = IN_BASH.format(words="--select callclass-ta", position=2)
    ran = subprocess.run(["bash", "-c", script], env=ENVIRONMENT, capture_output=True, encoding="utf-8", check=True)
    assert ran.stdout == "callclass-table\n"
