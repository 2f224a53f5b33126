"""Tests of baselines from the command line: what is passed over, what is reported, what is said to be gone."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Project, Run

FILE = ".pleach-baseline.json"
LEAK = 'resolve_model(call_class="utility")\n'
OTHER = 'resolve_model(call_class="converse")\n'
PAIR = 'ask(call_class="converse"), ask(call_class="converse")'
PROGRAM = f"""import os


def ask(prompt):
    {LEAK}

class Desk:
    def answer(self):
        for each in self:
            {LEAK}            {LEAK}        return {PAIR}
"""


def entries(root: Path, name: str = FILE) -> list[dict[str, object]]:
    """What a baseline holds."""
    return [entry for entry in json.loads((root / name).read_text())["findings"] if entry]


def rows(out: str) -> list[str]:
    """The row and code of each finding of a report."""
    return [f"{place.rsplit(':', 2)[0]} {code}" for place, code in (line.split()[:2] for line in out.splitlines())]


@pytest.fixture
def program(project: Project, run: Run) -> Path:
    """A program with five findings, all in its baseline."""
    root = project({"m.py": PROGRAM})
    assert run("--write-baseline").code == 0
    assert len(entries(root)) == 5
    return root


def test_what_is_stored_is_passed_over(program: Path, run: Run) -> None:
    """After `--write-baseline` a run is green, and its account says why."""
    assert program.is_dir()
    code, out, err = run()
    assert (code, out) == (0, "")
    assert "0 findings, 0 suppressed, 5 in baseline, 0 not analysed" in err


def test_writing_says_what_it_did(project: Project, run: Run) -> None:
    """A run that writes tells how many findings it stored, and what changed."""
    root = project({"m.py": LEAK})
    assert run("--write-baseline").err.splitlines()[0] == f"wrote 1 finding to {FILE}: 1 new, 0 gone"
    (root / "m.py").write_text(OTHER + LEAK + OTHER)
    assert run("--write-baseline").err.splitlines()[0] == f"wrote 3 findings to {FILE}: 2 new, 0 gone"
    (root / "m.py").write_text("")
    assert run("--write-baseline").err.splitlines()[0] == f"wrote 0 findings to {FILE}: 0 new, 3 gone"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("import os\n", "import os\nimport sys\n\nX = 1\n", id="lines put in above"),
        pytest.param("for each in self:", "for each in self:\n            print(1)", id="a line put in beside it"),
        pytest.param(
            "    def answer(self):", "    def first(self): ...\n    def answer(self):", id="a function put in"
        ),
        pytest.param("def ask(prompt):", "def ask(prompt, more=None):", id="a parameter added around it"),
        pytest.param("for each in self:", "for every in self.them():", id="another loop around it"),
        pytest.param('(call_class="utility")', "(\n    call_class='utility',  # why\n)", id="another layout"),
        pytest.param("\n", "\r\n", id="other line endings"),
        pytest.param("import os\n", "import os\ndef later():\n    pass\n", id="a new function above"),
    ],
)
def test_edits_elsewhere_change_nothing(program: Path, run: Run, old: str, new: str) -> None:
    """What is in the baseline stays so while its statement and the functions around it keep their meaning."""
    (program / "m.py").write_bytes(PROGRAM.replace(old, new).encode())
    code, out, err = run("--strict-baseline")
    assert (code, out) == (0, ""), err


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        pytest.param("def ask(", "def asked(", (1, 1), id="a function renamed"),
        pytest.param("class Desk", "class Table", (4, 4), id="a class renamed"),
        pytest.param("        return ask", "        yield ask", (2, 2), id="the statement changed"),
        pytest.param(f"    {LEAK}\n", f"    {OTHER}\n", (1, 1), id="one leak in place of another"),
        pytest.param(f"    {LEAK}\n", "    pass\n", (0, 1), id="a leak removed"),
        pytest.param(f"            {LEAK}", f"            {LEAK}" * 2, (2, 0), id="leaks doubled"),
        pytest.param("import os\n", f"import os\n{LEAK}", (1, 0), id="the same leak elsewhere"),
        pytest.param(
            PAIR,
            PAIR.replace("converse", "utility", 1),
            (2, 2),
            id="one of two in one statement",
        ),
    ],
)
def test_what_is_not_the_same_is_reported(program: Path, run: Run, old: str, new: str, counts: tuple[int, int]) -> None:
    """A leak in another function, in another statement or of another class is a new one, however many went away."""
    reported, gone = counts
    (program / "m.py").write_text(PROGRAM.replace(old, new))
    code, out, err = run()
    assert len(out.splitlines()) == reported
    assert code == (1 if reported else 0)
    assert (f"{FILE} holds {gone} entr" in err) == bool(gone)


def test_a_leak_that_moves_to_another_function_is_reported(program: Path, run: Run) -> None:
    """As many findings as before, at other places: nothing is passed over."""
    moved = PROGRAM.replace(f"    {LEAK}\n", "    pass\n\n").replace("import os\n", f"import os\n\n{LEAK}")
    (program / "m.py").write_text(moved)
    code, out, err = run()
    assert (code, rows(out)) == (1, ["m.py:3 PCH001"])
    assert "1 finding, 0 suppressed, 4 in baseline" in err


def test_code_that_moves_to_another_file_is_reported(program: Path, run: Run) -> None:
    """The file is a part of what a finding is."""
    (program / "m.py").rename(program / "n.py")
    code, out, err = run()
    assert (code, len(out.splitlines())) == (1, 5)
    assert f"{FILE} holds 5 entries whose findings are gone; --prune-baseline removes what is gone" in err


def test_the_value_behind_a_name_counts(project: Project, run: Run) -> None:
    """A leak that becomes one of another class is a new one, though its statement stays."""
    root = project(
        {"m.py": "from consts import LANE\nresolve_model(call_class=LANE)\n", "consts.py": "LANE = 'utility'"}
    )
    run("--write-baseline")
    (root / "consts.py").write_text("LANE = 'synthesize'")
    code, out, err = run()
    assert (code, len(out.splitlines())) == (1, 1)
    assert "holds 1 entry" in err


def test_it_never_grows_by_itself(program: Path, run: Run) -> None:
    """New findings stay out of the file whatever else is asked for."""
    before = (program / FILE).read_bytes()
    (program / "m.py").write_text(PROGRAM + OTHER)
    for option in ("--prune-baseline", "--strict-baseline", "-v", "--exit-zero"):
        run(option)
    assert (program / FILE).read_bytes() == before
    assert run().code == 1


@pytest.mark.parametrize(
    ("option", "code", "left"),
    [
        pytest.param("--verbose", 0, 5, id="a usual run"),
        pytest.param("--strict-baseline", 1, 5, id="a strict run"),
        pytest.param("--prune-baseline", 0, 4, id="a run that prunes"),
        pytest.param("--write-baseline", 0, 4, id="a run that writes"),
    ],
)
def test_what_is_gone(program: Path, run: Run, option: str, code: int, left: int) -> None:
    """An entry whose finding is gone is a warning, an error when strict, and goes when it is asked to."""
    (program / "m.py").write_text(PROGRAM.replace(f"    {LEAK}\n", "    pass\n"))
    ran = run(option)
    assert (ran.code, ran.out, len(entries(program))) == (code, "", left)
    gone = '  m.py: PCH001 in ask: resolve_model(call_class="utility")\n'
    assert (gone in ran.err) == (left == 5)
    assert ("error: " in ran.err) == (code == 1)


def test_few_of_many_gone_entries_are_listed(project: Project, run: Run) -> None:
    """Of more than ten entries the rest are counted."""
    root = project({"m.py": "".join(f"def f{number}():\n    {LEAK}" for number in range(12))})
    run("--write-baseline")
    (root / "m.py").write_text("")
    err = run().err
    assert "holds 12 entries" in err
    assert err.count("  m.py: PCH001 in f") == 10
    assert "\n  and 2 more\n" in err


def test_a_quiet_run_says_nothing_of_what_is_gone(program: Path, run: Run) -> None:
    """`-q` silences the warning, but not the error of a strict run."""
    (program / "m.py").write_text("")
    assert run("-q") == (0, "", "")
    assert run("-q", "--strict-baseline").err.startswith("error: ")
    assert run("--strict-baseline", "--exit-zero").code == 0


def test_a_run_on_a_part_touches_the_entries_of_that_part(project: Project, run: Run) -> None:
    """Entries of files that were not checked stay, and are not said to be gone."""
    root = project({"a.py": LEAK, "b/c.py": LEAK, "b/d.py": LEAK})
    run("--write-baseline")
    for name in ("a.py", "b/c.py"):
        (root / name).write_text("")
    (root / "b/d.py").unlink()
    assert "holds" not in run("a.py", "--prune-baseline").err
    assert [entry["file"] for entry in entries(root)] == ["b/c.py", "b/d.py"]
    assert "holds 2 entries" in run("b").err
    assert "holds 1 entry" in run("b/c.py").err
    (root / "b/c.py").write_text(OTHER)
    assert run("b/c.py", "--write-baseline").code == 0
    assert [(entry["file"], entry["word"]) for entry in entries(root)] == [
        ("b/c.py", "converse"),
        ("b/d.py", "utility"),
    ]


def test_rules_that_are_off_keep_their_entries(project: Project, run: Run) -> None:
    """What a run does not look for is not gone."""
    root = project({"m.py": f'{LEAK}if call_class == "converse":\n    pass\n'})
    run("--write-baseline")
    before = (root / FILE).read_bytes()
    assert run("--select", "PCH002", "--strict-baseline", "--prune-baseline").code == 0
    run("--select", "PCH002", "--write-baseline")
    assert (root / FILE).read_bytes() == before


def test_what_was_not_analysed_is_never_stored(project: Project, run: Run) -> None:
    """PCH999 stays a finding, and the entries of such a file stay too."""
    root = project({"m.py": LEAK})
    run("--write-baseline")
    (root / "m.py").write_text(f"({LEAK}")
    code, out, _ = run("--write-baseline")
    assert (code, rows(out)) == (1, ["m.py:1 PCH999"])
    assert len(entries(root)) == 1
    assert run("--prune-baseline").err.count("gone") == 0


def test_suppressed_findings_count_as_occurrences(project: Project, run: Run) -> None:
    """A comment hides one of two equal findings; the other one keeps its place in the baseline."""
    root = project({"m.py": LEAK * 2})
    run("--write-baseline")
    (root / "m.py").write_text(f"{LEAK[:-1]}  # noqa: PCH001 - why\n{LEAK}")
    err = run().err
    assert "0 findings, 1 suppressed, 1 in baseline" in err
    assert "holds 1 entry" in err


def test_what_it_holds_can_be_reported(program: Path, run: Run) -> None:
    """`--ignore-baseline` reports everything, whatever is wrong with the file."""
    (program / FILE).write_text("{")
    assert len(run("--ignore-baseline").out.splitlines()) == 5


def test_writing_the_same_again_changes_no_byte(program: Path, run: Run) -> None:
    """A baseline hangs on nothing but the findings; the number of processes is none of them."""
    before = (program / FILE).read_bytes()
    run("--write-baseline", "--no-cache", "--jobs", "2")
    assert (program / FILE).read_bytes() == before


@pytest.mark.parametrize("way", ["option", "configuration"])
def test_another_file(project: Project, run: Run, way: str) -> None:
    """A baseline may lie anywhere; files are named as they lie from there."""
    root = project({"app/m.py": LEAK, "ci/x": ""})
    option = ("--baseline", "ci/known.json") if way == "option" else ()
    if way == "configuration":
        (root / "pleach-lint.toml").write_text("baseline = 'ci/known.json'\n")
    code, _, err = run(*option)
    assert code == 2
    assert "error: ci/known.json: there is no such baseline; --write-baseline makes it\n" in err
    assert run("--write-baseline", *option).code == 0
    assert [entry["file"] for entry in entries(root, "ci/known.json")] == ["../app/m.py"]
    assert run(*option).code == 0


def test_it_is_found_from_below(program: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline at the root of the project holds in its folders as well."""
    (program / "below").mkdir()
    monkeypatch.chdir(program / "below")
    assert run("..").code == 0


def test_standard_input(program: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an editor sends is compared as the file would be, but not stored."""
    for option, code in (("-v", 0), ("--write-baseline", 2)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
        ran = run("--stdin-filename", str(program / "m.py"), option)
        assert ran.code == code
    assert "name the file instead of standard input" in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(("--write-baseline", "--prune-baseline"), "give it or --prune-baseline, not both", id="both"),
        pytest.param(
            ("--ignore-baseline", "--strict-baseline"),
            "--ignore-baseline leaves the file alone; --strict-baseline does not",
            id="strict and ignored",
        ),
        pytest.param(("--baseline", ""), "'--baseline': it is empty", id="an empty name"),
    ],
)
def test_contradictions(program: Path, run: Run, options: tuple[str, ...], message: str) -> None:
    """Options that contradict each other end the run, and the file stays."""
    before = (program / FILE).read_bytes()
    code, _, err = run(*options)
    assert code == 2
    assert message in err
    assert (program / FILE).read_bytes() == before


def test_nothing_is_stored_without_an_answer(project: Project, run: Run) -> None:
    """A run that checked fewer files than expected writes no baseline."""
    root = project({"m.py": LEAK})
    assert run("--expect-files", "2", "--write-baseline").code == 2
    assert not (root / FILE).exists()


def test_a_baseline_that_cannot_be_written(project: Project, run: Run) -> None:
    """What cannot be written is one line, and exit code 2."""
    project({"m.py": LEAK})
    code, _, err = run("--baseline", "gone/b.json", "--write-baseline")
    assert code == 2
    assert err.startswith("error: ")
    assert err.endswith("gone/b.json: cannot be written: No such file or directory\n")
