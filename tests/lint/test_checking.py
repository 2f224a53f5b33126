"""Tests for `pleach_lint.inspection`, `pleach_lint.checking` and `pleach_lint.processes`."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from pleach_lint import checking, inspection, processes
from pleach_lint.checking import available_processors, check_all
from pleach_lint.config.effective import Configuration
from pleach_lint.config.governing import Configurations
from pleach_lint.discovery import discover
from pleach_lint.faults import WorkerError
from pleach_lint.inspection import Inspector
from pleach_lint.processes import check_in_processes, work
from pleach_lint.screening import State
from pleach_lint.verdict import Comments, Results, SeamPackage

if TYPE_CHECKING:
    from pleach_lint.project import Settings
    from pleach_lint.walk import Target
    from tests.conftest import Project

LEAK = 'resolve_model(call_class="utility")\n'
FILES = {
    **{f"m{number}.py": LEAK * number for number in range(1, 6)},
    "seams/a.py": LEAK,
    "b.py": f"{LEAK[:-1]}  # noqa: PCH001\n",
    "clean.py": "x = 1\n",
    "broken.py": f"{LEAK})",
}


def targets() -> tuple[Target, ...]:
    """The files below the working directory."""
    return discover(["."], Configurations(Path.cwd()), Path.cwd()).targets


def alone() -> Results:
    """What one process says of them."""
    return check_all(targets(), 1, Comments.ALL, lambda _: None)


class Deadly(Configuration):
    """A configuration that kills the process that asks for its settings, as a crash in native code would."""

    @property
    def settings(self) -> Settings:
        """Never return."""
        os._exit(1)


class Unloadable(Configuration):
    """A configuration that ends the process that is sent it."""

    def __reduce__(self) -> tuple[object, ...]:
        """Stand for a call that ends the process."""
        return leave, ()


def leave() -> None:
    """End the process without a word."""
    os._exit(1)


def trapped(trap: type[Configuration], path: str) -> tuple[Target, ...]:
    """The files below the working directory, one of which is a trap."""
    root = str(Path.cwd())
    return tuple(
        target._replace(configuration=trap(root, target.configuration.layers)) if target.path == path else target
        for target in targets()
    )


@pytest.fixture
def never_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes begin with nothing, as on systems that have no other kind."""
    monkeypatch.setattr(processes, "may_fork", lambda: False)


def test_verdicts(project: Project) -> None:
    """Each file has a verdict in its place, and the seam packages that were met are named."""
    root = project(FILES)
    results = alone()
    by_path = dict(zip((target.path for target in targets()), results.verdicts, strict=True))
    assert {path: len(verdict.findings) for path, verdict in by_path.items()} == {
        **{f"m{number}.py": number for number in range(1, 6)},
        "seams/a.py": 0,
        "b.py": 0,
        "clean.py": 0,
        "broken.py": 1,
    }
    assert len(by_path["b.py"].suppressed) == 1
    assert by_path["clean.py"].state is State.WITHOUT_CLASS_WORDS
    assert by_path["broken.py"].state is State.NOT_ANALYSED
    assert results.seams == {SeamPackage(str(root), "seams", configured=False)}


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("forks", [pytest.param(True, id="copies"), pytest.param(False, id="new ones")])
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_processes_say_the_same(
    project: Project,
    jobs: int,
    forks: bool,  # noqa: FBT001 - pytest hands it over by name
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any number of processes, of either kind, gives the same answer as one, file by file."""
    project(FILES)
    monkeypatch.setattr(processes, "may_fork", lambda: forks)
    done: list[int] = []
    assert check_in_processes(targets(), jobs, Inspector(Comments.ALL), done.append) == alone()
    assert done[-1] == len(FILES)


@pytest.mark.usefixtures("never_copied")
def test_processes_without_signal_masks(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes work too on systems that cannot hold back a signal."""
    project(FILES)
    monkeypatch.setattr("pleach_lint.processes.signal", ModuleType("signal"))
    assert check_in_processes(targets(), 2, Inspector(Comments.ALL), lambda _: None) == alone()


@pytest.mark.usefixtures("never_copied")
def test_an_interrupt_while_processes_start(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a process is being started is not lost, and no process is left."""
    project(FILES)
    start = multiprocessing.context.SpawnProcess.start

    def start_slowly(process: multiprocessing.context.SpawnProcess) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        start(process)

    monkeypatch.setattr(multiprocessing.context.SpawnProcess, "start", start_slowly)
    with pytest.raises(KeyboardInterrupt):
        check_in_processes(targets(), 2, Inspector(Comments.ALL), lambda _: None)
    assert multiprocessing.active_children() == []


def test_processes_start_when_they_pay(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while, the rest of long work is shared, and the answer is the same."""
    project(FILES)
    expected = alone()
    for limit in ("_SAMPLE", "_PAYS", "_COPIES_PAY"):
        monkeypatch.setattr(checking, limit, 0)
    done: list[int] = []
    assert check_all(targets(), 2, Comments.ALL, done.append) == expected
    assert done[-1] == len(FILES)


def test_short_work_stays_here(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short work is done by one process, however many are allowed."""
    project({"a.py": LEAK, "b.py": LEAK})
    monkeypatch.delattr(processes, "check_in_processes")
    assert len(check_all(targets(), 8, Comments.ALL, lambda _: None).verdicts) == 2


@pytest.mark.usefixtures("never_copied")
@pytest.mark.parametrize("jobs", [pytest.param(2, id="in the middle"), pytest.param(len(FILES), id="on its last file")])
def test_a_process_that_dies(project: Project, jobs: int) -> None:
    """A file on which the process dies was not analysed, and every other file is checked all the same."""
    project(FILES)
    files = trapped(Deadly, "m3.py")
    results = check_in_processes(files, jobs, Inspector(Comments.ALL), lambda _: None)
    expected = alone()
    by_path = {target.path: pair for target, *pair in zip(files, results.verdicts, expected.verdicts, strict=True)}
    found, _ = by_path.pop("m3.py")
    assert found.findings[0].message.startswith("not analysed: the process that checked it died")
    assert all(found == usual for found, usual in by_path.values())
    assert results.seams == expected.seams


@pytest.mark.usefixtures("never_copied")
def test_a_process_that_cannot_start(project: Project) -> None:
    """A process that never begins to work is an error, rather than a verdict on every file."""
    project(FILES)
    with pytest.raises(WorkerError, match="`--jobs 1` does without"):
        check_in_processes(trapped(Unloadable, "m3.py"), 1, Inspector(Comments.ALL), lambda _: None)


def test_a_process_whose_reader_is_gone(project: Project) -> None:
    """A process that nobody listens to any more ends without a word."""
    project(FILES)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    receiver.close()
    before = signal.getsignal(signal.SIGINT)
    try:
        work(targets(), 1, Inspector(Comments.ALL), sender)
    finally:
        signal.signal(signal.SIGINT, before)


def test_many_files_are_looked_at_first(project: Project) -> None:
    """What is said of many files, of which most show nothing, is said of each of them alone."""
    project({**FILES, **{f"plain{number}.py": "x = 1\n" for number in range(30)}, "wide.py": "x = 'ä'\n"})
    files = targets()
    each = [check_all([file], 1, Comments.ALL, lambda _: None).verdicts[0] for file in files]
    assert list(alone().verdicts) == each
    (Path.cwd() / "plain7.py").write_bytes(b"x = '\xff'\n")
    assert [verdict.state for verdict in alone().verdicts].count(State.NOT_ANALYSED) == 2


def test_a_file_that_vanishes(project: Project) -> None:
    """A file that is gone when its turn comes was not analysed."""
    root = project({"a.py": LEAK})
    (target,) = targets()
    (root / "a.py").unlink()
    verdict = Inspector(Comments.ALL).inspect(target)
    assert verdict.state is State.NOT_ANALYSED
    assert "cannot be read: No such file or directory" in verdict.findings[0].message


def test_what_is_no_file(project: Project) -> None:
    """What cannot be read at all was not analysed, and is not opened."""
    root = project({})
    os.mkfifo(root / "pipe.py")
    (target,) = discover(["pipe.py"], Configurations(root), root).targets
    (finding,) = Inspector(Comments.ALL).inspect(target).findings
    assert finding.message.startswith("not analysed: not a regular file; ")


def test_a_fault_of_ours_costs_one_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the analysis makes its file one that was not analysed, and names its kind and place alone."""
    project({"a.py": LEAK})

    def parse_and_check(*_: object) -> None:
        raise KeyError("a tree as deep as the file")

    monkeypatch.setattr(inspection, "parse_and_check", parse_and_check)
    (verdict,) = alone().verdicts
    assert verdict.state is State.NOT_ANALYSED
    assert "internal error: KeyError at test_checking.py:" in verdict.findings[0].message
    assert "tree" not in verdict.findings[0].message


def test_comments_can_be_disregarded(project: Project) -> None:
    """Without comments, what they hide is found."""
    project({"a.py": f"{LEAK[:-1]}  # noqa: PCH001\n{LEAK[:-1]}  # pleach: ignore[PCH001]\n"})
    (target,) = targets()
    found = {comments: len(Inspector(comments).inspect(target).findings) for comments in Comments}
    assert found == {Comments.ALL: 0, Comments.OURS: 1, Comments.NONE: 2}


def test_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is at least one processor, on systems too that do not say which may be used."""
    assert available_processors() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert available_processors() == (os.cpu_count() or 1)
