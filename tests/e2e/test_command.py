"""The command line as users meet it: a process of its own, real streams, signals and encodings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Project

LEAK = 'resolve_model(call_class="utility")\n'
COMMAND = (sys.executable, "-m", "pleach_lint")
SCRIPT = str(Path(sys.executable).with_name("pleach-lint"))
IN_TWO_PROCESSES = """
import sys
from pleach_lint import checking, cli
checking._SAMPLE = checking._PAYS = checking._COPIES_PAY = 0
if __name__ == "__main__":
    sys.argv = ["pleach-lint", *sys.argv[1:]]
    cli.main()
"""
LOADED = """
import sys
before = set(sys.modules)
from pleach_lint import cli
sys.argv = ["pleach-lint", *sys.argv[1:]]
try:
    cli.main()
finally:
    heavy = {"libcst", "pydantic", "pathspec", "rich", "multiprocessing", "pleach_lint.flow.analysis"}
    print(*sorted(heavy & set(sys.modules) - before))
"""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end and take what it writes as UTF-8."""
    env = {**os.environ, **environment}
    return subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("command", [pytest.param(COMMAND, id="module"), pytest.param((SCRIPT,), id="script")])
def test_the_two_ways_to_start(project: Project, command: tuple[str, ...]) -> None:
    """The module and the script are the same command."""
    project({"a.py": LEAK})
    ran = run(*command, "check", ".")
    assert (ran.returncode, ran.stdout.split(": ")[0]) == (1, "a.py:1:26")
    assert ran.stderr.startswith("checked 1 file (1 parsed, ")


def test_a_clean_run_loads_little(project: Project) -> None:
    """A file without class words is let through without the analysis, libcst, pydantic, and more."""
    project({"a.py": "import os\n", "pyproject.toml": "[tool.pleach-lint]\nseams = ['app/seams']\n"})
    hook = ("check", "--force-exclude", "--select", "callclass-literals", "a.py")
    assert run(sys.executable, "-c", LOADED, *hook).stdout.strip() == ""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_narrow_encodings(project: Project, encoding: str) -> None:
    """Whatever the console can show, the findings arrive, and characters that it cannot show as escapes."""
    project({"名.py": f'é = "日本"; {LEAK}'})
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    ran = subprocess.run((*COMMAND, "--output-format", "full"), env=env, capture_output=True, check=False)
    assert ran.returncode == 1
    row, carets = ran.stdout.decode(encoding).split("\n")[2:4]
    wide_characters = row.count("日") + row.count("本")
    assert carets.index("^") == row.index('"utility"') + wide_characters


def test_names_that_are_no_text(project: Project) -> None:
    """A file whose name is no UTF-8 is checked and shown with escapes."""
    root = project({})
    (root / os.fsdecode(b"\xff.py")).write_text(LEAK)
    ran = run(*COMMAND)
    assert (ran.returncode, ran.stdout.split(": ")[0]) == (1, "\\udcff.py:1:26")


def test_a_closed_pipe(project: Project) -> None:
    """`pleach-lint | head` ends without a word about it."""
    project({"a.py": LEAK * 3000})
    command = f"{sys.executable} -m pleach_lint | head -1; exit ${{PIPESTATUS[0]}}"
    ran = run("bash", "-c", command)
    assert (ran.returncode, len(ran.stdout.splitlines())) == (1, 1)
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["rule --all", "config", "check --help"])
def test_what_nobody_reads_is_no_finding(project: Project, command: str) -> None:
    """A command that finds nothing does not exit as if it had when its reader has gone."""
    project({})
    ran = run(
        "bash", "-c", f"{{ sleep 1; {sys.executable} -m pleach_lint {command}; }} | true; exit ${{PIPESTATUS[0]}}"
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("command", ["check", "rule --all", "config"])
def test_a_full_disk(project: Project, command: str) -> None:
    """What cannot be written is said in plain words, not taken for a fault of ours."""
    project({"a.py": LEAK})
    ran = run("bash", "-c", f"{sys.executable} -m pleach_lint {command} > /dev/full")
    assert (ran.returncode, ran.stderr) == (2, "error: standard input or output failed: No space left on device\n")


@pytest.mark.parametrize("command", [pytest.param(COMMAND, id="alone"), pytest.param(("-c",), id="in processes")])
def test_interrupt(project: Project, tmp_path: Path, command: tuple[str, ...]) -> None:
    """Ctrl-C ends the whole group of processes at once, with exit code 130 and at most one line."""
    project({f"m{number}.py": LEAK * 400 for number in range(60)})
    program = tmp_path / "in_two_processes.py"
    program.write_text(IN_TWO_PROCESSES)
    started = (sys.executable, str(program), "--jobs", "2") if command == ("-c",) else command
    with subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        time.sleep(1.5)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert len(err.splitlines()) <= 1
    time.sleep(3)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_processes_write_the_same_bytes(project: Project, tmp_path: Path) -> None:
    """The report does not depend on the number of processes."""
    project({f"{folder}/m{number}.py": LEAK * number for folder in "ab" for number in range(8)})
    program = tmp_path / "in_two_processes.py"
    program.write_text(IN_TWO_PROCESSES)
    written = {run(sys.executable, str(program), "--jobs", jobs).stdout for jobs in ("1", "2", "4")}
    assert len(written) == 1
    assert len(written.pop().splitlines()) == 56


def test_long_lists_of_files(project: Project) -> None:
    """Run in several pieces on a long list of files, as hooks are, each piece is right in itself and their sum too."""
    names = [f"very/long/directory/name/{number:04d}/module.py" for number in range(1500)]
    project(dict.fromkeys(names, "x = 1\n") | {names[7]: LEAK, names[1400]: LEAK})
    pieces = [run(*COMMAND, "--force-exclude", *names[start::2]) for start in (0, 1)]
    assert [piece.returncode for piece in pieces] == [1, 1]
    found = sorted(line for piece in pieces for line in piece.stdout.splitlines())
    assert found == run(*COMMAND, ".").stdout.splitlines()


def test_unreadable_files(project: Project) -> None:
    """A file that may not be read was not analysed; the superuser, who may read everything, reads it."""
    root = project({"a.py": LEAK})
    (root / "a.py").chmod(0)
    ran = run(*COMMAND)
    assert ran.returncode == 1
    assert ran.stdout.split(" ")[1] in {"PCH999", "PCH001"}
