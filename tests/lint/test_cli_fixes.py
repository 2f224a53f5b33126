"""Tests for the options about fixes: what is written, what is shown, and how a run ends."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pleach_lint.fixing import rounds
from pleach_lint.inspection import Inspector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pleach_lint.verdict import Verdict
    from pleach_lint.walk import Target
    from tests.conftest import Project, Run

SAFE = "def f(lane: CallClass): return lane == 'utility'\n"
SAFELY = "from pleach_runtime import is_utility\n\n\ndef f(lane: CallClass): return is_utility(lane)\n"
UNSAFE = "def g(seam): return resolve_model(call_class='synthesize')\n"
UNSAFELY = "def g(seam): return resolve_model(seam)\n"
NOTHING = "run(call_class='converse')\n"
LEFT = "2 findings, 0 suppressed, 0 in baseline, 0 not analysed"
FILES = {"a.py": SAFE, "b/b.py": UNSAFE, "c.py": NOTHING, "d.py": "x = 1\n"}


def texts(root: Path) -> dict[str, str]:
    """The files of `FILES` as they are now."""
    return {name: (root / name).read_bytes().decode() for name in FILES}


class Expected(NamedTuple):
    """What comes of a run."""

    code: int
    said: str
    """Part of what is said on stderr."""
    fixed: Mapping[str, str] = {}
    """The files that changed."""


BOTH = {"a.py": SAFELY, "b/b.py": UNSAFELY}
ONE = {"a.py": SAFELY}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(("--fix",), Expected(1, "fixed 1 finding in 1 file", ONE), id="safely"),
        pytest.param(("--fix", "--unsafe-fixes"), Expected(1, "fixed 2 findings in 2 files", BOTH), id="unsafely"),
        pytest.param(("--fix-only",), Expected(0, "fixed 1 finding in 1 file", ONE), id="only"),
        pytest.param(("--fix", "--exit-zero"), Expected(0, "fixed 1 finding", ONE), id="without failing"),
        pytest.param(("--fix", "a.py"), Expected(0, "fixed 1 finding in 1 file", ONE), id="nothing is left"),
        pytest.param(("--fix", "--ignore", "PCH002"), Expected(1, "1 finding fixable with"), id="not an ignored rule"),
        pytest.param(("--fix-only", "c.py"), Expected(0, ""), id="only, and nothing to fix"),
        pytest.param(("--diff",), Expected(1, "would fix 1 finding in 1 file"), id="a difference"),
        pytest.param(("--diff", "--exit-zero"), Expected(0, "would fix 1 finding"), id="a difference without failing"),
        pytest.param(("--diff", "c.py"), Expected(0, ""), id="no difference"),
        pytest.param(("--fix", "--expect-files", "9"), Expected(2, "asks for 9"), id="fewer files than expected"),
        pytest.param((), Expected(1, "1 finding fixable with `--fix`, 1 more with `--fix --unsafe-fixes`"), id="offer"),
        pytest.param(
            ("--unsafe-fixes",), Expected(1, "2 findings fixable with `--fix --unsafe-fixes`"), id="offer all"
        ),
        pytest.param(("b",), Expected(1, "1 finding fixable with `--fix --unsafe-fixes`"), id="an unsafe offer"),
        pytest.param(("a.py",), Expected(1, "1 finding fixable with `--fix`\n"), id="a safe offer"),
    ],
)
def test_options(project: Project, run: Run, arguments: tuple[str, ...], expected: Expected) -> None:
    """Options decide which fixes are applied, whether files are written, and what the exit code tells."""
    root = project(FILES)
    ran = run(*arguments)
    assert (ran.code, expected.said in ran.err) == (expected.code, True), ran.err
    assert texts(root) == {**FILES, **expected.fixed}


def test_what_is_left_is_reported(project: Project, run: Run) -> None:
    """After `--fix` the report and the account are those of the files as they are now."""
    project(FILES)
    ran = run("--fix")
    assert [line.split(": ")[0] for line in ran.out.splitlines()] == ["b/b.py:1:46", "c.py:1:16"]
    assert ran.err.splitlines()[1:] == [
        "1 finding fixable with `--fix --unsafe-fixes`",
        f"checked 4 files (3 parsed, 1 without class words), seams: none met; {LEFT}",
    ]


def test_a_second_run_changes_nothing(project: Project, run: Run) -> None:
    """What was fixed is not touched again, by date either."""
    root = project(FILES)
    run("--fix", "--unsafe-fixes")
    before = {name: (root / name).stat().st_mtime_ns for name in FILES}
    assert "fix" not in run("--fix", "--unsafe-fixes").err
    assert {name: (root / name).stat().st_mtime_ns for name in FILES} == before


def test_a_difference(project: Project, run: Run) -> None:
    """A difference can be given to `patch`, and nothing else goes to stdout."""
    project({"a.py": f"{SAFE}\nx = 1"})
    assert run("--diff").out.splitlines() == [
        "--- a.py",
        "+++ a.py",
        "@@ -1,3 +1,6 @@",
        "-def f(lane: CallClass): return lane == 'utility'",
        "+from pleach_runtime import is_utility",
        "+",
        "+",
        "+def f(lane: CallClass): return is_utility(lane)",
        " ",
        " x = 1",
        "\\ No newline at end of file",
    ]


def test_a_list_of_fixes(project: Project, run: Run) -> None:
    """`--show-fixes` says what was fixed where."""
    project({**FILES, "a.py": SAFE + SAFE.replace(" f", " h")})
    assert run("--fix", "--unsafe-fixes", "--show-fixes").err.splitlines()[:5] == [
        "fixed 3 findings in 2 files",
        "a.py:",
        "    2 x PCH002 (callclass-comparison)",
        "b/b.py:",
        "    1 x PCH001 (callclass-value)",
    ]


@pytest.fixture
def _input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input with a text of which one half can be fixed safely."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((SAFE + UNSAFE).encode())))


@pytest.mark.usefixtures("_input")
@pytest.mark.parametrize(
    ("arguments", "out", "expected"),
    [
        pytest.param(("--fix", "-"), SAFELY + UNSAFE, Expected(1, "-:5:46: PCH001"), id="fixed"),
        pytest.param(("--fix-only", "-q", "-"), SAFELY + UNSAFE, Expected(0, ""), id="only"),
        pytest.param(("--fix", "--ignore", "PCH", "-"), SAFE + UNSAFE, Expected(0, "0 findings"), id="nothing to fix"),
        pytest.param(
            ("--fix", "--force-exclude", "--stdin-filename", "build/x.py"),
            SAFE + UNSAFE,
            Expected(0, "left out 1 file"),
            id="excluded",
        ),
    ],
)
def test_standard_input(project: Project, run: Run, arguments: tuple[str, ...], out: str, expected: Expected) -> None:
    """What standard input becomes goes to stdout, changed or not, and findings go to stderr."""
    project({})
    ran = run(*arguments)
    assert (ran.code, ran.out) == (expected.code, out)
    assert expected.said in ran.err


@pytest.mark.usefixtures("_input")
def test_a_difference_of_standard_input(project: Project, run: Run) -> None:
    """`--diff` shows what standard input would become."""
    project({})
    ran = run("--diff", "--stdin-filename", "x.py")
    assert (ran.code, ran.out.splitlines()[:2]) == (1, ["--- x.py", "+++ x.py"])


@pytest.mark.parametrize(
    ("head", "encoding", "newline"),
    [
        pytest.param("\ufeff# marked", "utf-8", "\n", id="a byte order mark"),
        pytest.param("# coding: latin-1\n# \xe9", "latin-1", "\r\n", id="Latin 1 and CRLF"),
        pytest.param("# coding: cp1252\n# \u20ac", "cp1252", "\r", id="Windows and CR"),
        pytest.param("# \U0001f600\t\f", "utf-8", "\n", id="an emoji and a form feed"),
    ],
)
def test_other_bytes_stay(project: Project, run: Run, head: str, encoding: str, newline: str) -> None:
    """Encodings, marks and line endings stay as they are around a fix, and so does a missing last one."""
    before, after = (f"{head}\n\n{text}x = 1" for text in (SAFE, SAFELY))
    root = project({"a.py": before.replace("\n", newline).encode(encoding)})
    assert run("--fix").code == 0
    assert (root / "a.py").read_bytes() == after.replace("\n", newline).encode(encoding)


def test_what_comments_hide_is_not_fixed(project: Project, run: Run) -> None:
    """A suppressed finding stays, and so does a table of which one key is suppressed."""
    hidden = f"{SAFE[:-1]}  # noqa: PCH002\n"
    table = 'make(\n    routes={\n        "utility": a,  # noqa: PCH004\n        "converse": b,\n    }\n)\n'
    table = table.replace("make", "create_per_call_class_routing")
    root = project({"a.py": hidden, "b.py": table})
    ran = run("--fix", "--unsafe-fixes", "--output-format", "json")
    assert [item["fix"] for item in json.loads(ran.out)] == [None]
    assert (root / "a.py").read_text() + (root / "b.py").read_text() == hidden + table


def test_a_link_and_a_mode_stay(project: Project, run: Run) -> None:
    """What a link leads to is fixed, and may be executed still."""
    root = project({"far/real.py": SAFE})
    (root / "far/real.py").chmod(0o750)
    (root / "link.py").symlink_to("far/real.py")
    assert run("--fix", "link.py").code == 0
    assert (root / "link.py").is_symlink()
    assert ((root / "far/real.py").read_text(), (root / "far/real.py").stat().st_mode & 0o777) == (SAFELY, 0o750)


def test_a_file_that_cannot_be_written(project: Project, run: Run) -> None:
    """The run ends with 2 and one line of reason, and the other files are fixed."""
    root = project({"a.py": SAFE, "b.py": SAFE})
    (root / "a.py").chmod(0o444)
    ran = run("--fix")
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: a.py: cannot be written: it is read-only")
    assert ((root / "a.py").read_text(), (root / "b.py").read_text()) == (SAFE, SAFELY)


@pytest.mark.parametrize(
    "meanwhile",
    [
        pytest.param(lambda path: path.write_text("x = 1\n"), id="changed"),
        pytest.param(lambda path: path.write_bytes(b"\0"), id="not even text"),
        pytest.param(lambda path: path.unlink(), id="gone"),
    ],
)
def test_a_file_that_changes_meanwhile(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Path], object]
) -> None:
    """What is not any more what was checked is left alone."""
    project({"a.py": SAFE})
    inspect = Inspector.inspect

    def change(inspector: Inspector, target: Target, data: bytes | None = None) -> Verdict:
        verdict = inspect(inspector, target, data)
        meanwhile(Path(target.real))
        return verdict

    monkeypatch.setattr(Inspector, "inspect", change)
    ran = run("--fix", "--no-cache", "a.py")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "error: a.py: changed while it was looked at, so it was left alone; run again",
    )


def test_an_encoding_that_cannot_write_what_it_reads(project: Project, run: Run) -> None:
    """A file of which other bytes would change stays as it is, and the run says so."""
    data = b"# coding: cp932\n# \x87\x90\n" + SAFE.encode()
    root = project({"a.py": data})
    ran = run("--fix")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "error: a.py: what is read as cp932 cannot be written so; it was left alone",
    )
    assert (root / "a.py").read_bytes() == data


def test_a_fix_that_would_break_a_file(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that could not be analysed after its fixes stays as it is, and the run says so."""
    root = project({"a.py": SAFE})
    monkeypatch.setattr(rounds, "applied", lambda text, fixes: (f"({text}", frozenset(fixes)))
    ran = run("--fix")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "error: a.py: fixes would break it, so it was left alone; please report it",
    )
    assert (root / "a.py").read_text() == SAFE


def test_fixes_that_never_end(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fix that leaves its finding is tried a bounded number of times."""
    root = project({"a.py": SAFE})
    monkeypatch.setattr(rounds, "_MOST_ROUNDS", 3)
    monkeypatch.setattr(rounds, "applied", lambda text, fixes: (f"{text}#", frozenset(fixes)))
    assert run("--fix").code == 1
    assert (root / "a.py").read_text() == f"{SAFE}###"


@pytest.mark.parametrize("way", ["--diff", "--fix-only"])
@pytest.mark.parametrize("option", [("-o", "json=x.json"), ("--write-baseline",), ("--prune-baseline",)])
def test_nothing_is_stored_of_what_is_not_reported(
    project: Project, run: Run, way: str, option: tuple[str, ...]
) -> None:
    """Options that store findings contradict those that report none."""
    root = project(FILES)
    ran = run(way, *option)
    assert ran.code == 2
    assert f"--diff and --fix-only report nothing that {option[0]} could write" in ran.err
    assert texts(root) == FILES


def test_a_baseline_beside_fixes(project: Project, run: Run) -> None:
    """What a baseline holds is fixed too, and the baseline then has entries to be removed."""
    root = project(FILES)
    run("--write-baseline")
    ran = run("--fix")
    assert (ran.code, texts(root)) == (0, {**FILES, "a.py": SAFELY})
    assert "--prune-baseline removes what is gone" in ran.err
