"""Tests for `pleach_lint.cli`: commands, options, streams and exit codes, run in this process."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from pleach_lint import cli
from pleach_lint.faults import WorkerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Project, Run

LEAK = 'resolve_model(call_class="utility")\n'
LEAKS = {"a.py": LEAK, "b/c.py": f"x = 1\n{LEAK}", "clean.py": "x = 1\n"}
SUMMARY = (
    "checked 1 file (0 parsed, 1 without class words), seams: none met; "
    "0 findings, 0 suppressed, 0 in baseline, 0 not analysed\n"
)


def test_findings_and_summary(project: Project, run: Run) -> None:
    """Findings go to stdout, sorted; the account of the run goes to stderr; the exit code is 1."""
    project({**LEAKS, "seams/s.py": LEAK, "d.py": f"{LEAK[:-1]}  # noqa: PCH001\n", "e.py": f"({LEAK}"})
    code, out, err = run("check", ".")
    assert code == 1
    assert [line.split(": ")[0] for line in out.splitlines()] == ["a.py:1:26", "b/c.py:2:26", "e.py:1:1"]
    assert err == (
        "checked 6 files (4 parsed, 1 without class words), seams: seams; "
        "3 findings, 1 suppressed, 0 in baseline, 1 not analysed\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="nothing"),
        pytest.param((".",), id="a path"),
        pytest.param(("check",), id="the command"),
        pytest.param(("--color", "never", "clean.py", "a.py", "b"), id="an option first"),
        pytest.param(("--", "."), id="two dashes"),
    ],
)
def test_check_is_the_default(project: Project, run: Run, arguments: tuple[str, ...]) -> None:
    """`check` may stay unsaid, and the working directory too."""
    project(LEAKS)
    assert run(*arguments) == run("check", ".")


def test_nothing_found(project: Project, run: Run) -> None:
    """A clean run prints nothing but its summary."""
    project({"clean.py": "x = 1\n"})
    assert run() == (0, "", SUMMARY)


@pytest.mark.parametrize(
    ("arguments", "code", "found"),
    [
        pytest.param(("--select", "PCH002"), 0, 0, id="another rule"),
        pytest.param(("--select", "callclass-literals"), 1, 2, id="the family"),
        pytest.param(("--select", "PCH002,PCH001"), 1, 2, id="two at once"),
        pytest.param(("--select", "PCH002", "--extend-select", "callclass-value"), 1, 2, id="one more"),
        pytest.param(("--ignore", "PCH0"), 0, 0, id="a prefix ignored"),
        pytest.param(("--per-file-ignores", "b/*:PCH001,PCH002"), 1, 1, id="ignored in some files"),
        pytest.param(("--per-file-ignores", "b:PCH001", "--per-file-ignores", "a.py:ALL"), 0, 0, id="in more files"),
        pytest.param(("--exclude", "b,x"), 1, 1, id="excluded"),
        pytest.param(("--extend-exclude", "b"), 1, 1, id="excluded as well"),
        pytest.param(("--seams", "b"), 1, 1, id="a seam package"),
        pytest.param(("--exit-zero",), 0, 2, id="a report that fails nothing"),
        pytest.param(("--expect-files", "3"), 1, 2, id="as many files as expected"),
        pytest.param(("--jobs", "1", "--no-cache", "-q"), 1, 2, id="options that change nothing"),
        pytest.param(("--config", "ignore = ['PCH001']"), 0, 0, id="a setting"),
        pytest.param(("--isolated",), 1, 2, id="isolated"),
    ],
)
def test_options(project: Project, run: Run, arguments: tuple[str, ...], code: int, found: int) -> None:
    """Options choose files and rules."""
    project(LEAKS)
    ran = run(*arguments)
    assert (ran.code, len(ran.out.splitlines())) == (code, found)


def test_strict(project: Project, run: Run) -> None:
    """`--strict` finds every string that equals a call class."""
    project({"a.py": 'kind = ["utility", "x", "y"]\n'})
    assert run().code == 0
    assert "PCH006" in run("--strict").out


def test_the_command_line_outweighs_the_file(project: Project, run: Run) -> None:
    """Options stand over the configuration file."""
    project({**LEAKS, "pyproject.toml": "[tool.pleach-lint]\nselect = ['PCH002']\nexclude = ['b']"})
    assert run().code == 0
    assert len(run("--select", "PCH001").out.splitlines()) == 1
    assert len(run("--isolated").out.splitlines()) == 2
    assert run("--config", "pyproject.toml", "--config", "select = ['PCH001']").code == 1


def test_the_configuration_of_the_run(project: Project, run: Run) -> None:
    """What concerns the run as a whole comes from the configuration of the working directory."""
    project({**LEAKS, "pleach-lint.toml": "output-format = 'json'", "b/pleach-lint.toml": "output-format = 'github'"})
    assert len(json.loads(run().out)) == 2
    assert run("--output-format", "concise", "b").out.startswith("b/c.py:2:26: PCH001 ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("--select", "PCH9O9"), "unknown rule `PCH9O9`; did you mean `PCH999`?", id="an unknown rule"),
        pytest.param(("--jobs", "many"), "`jobs` must be a whole number from 1 up", id="no number"),
        pytest.param(("--per-file-ignores", "a.py"), "`a.py` is not PATTERN:RULES", id="half an entry"),
        pytest.param(("--config", "x.toml"), "x.toml is neither an existing file nor `key = value`", id="no file"),
        pytest.param(("--config", "strct = true"), "did you mean `strict`?", id="an unknown key"),
        pytest.param(("--config", "a.py", "--config", "clean.py"), "one file at most governs", id="two files"),
        pytest.param(("--config", "a.py", "--isolated"), "--isolated reads no file", id="a file in isolation"),
        pytest.param(("nosuch.py", "gone"), "error: gone: No such file or directory", id="missing paths"),
        pytest.param(("--per-file-ignores", ":PCH001"), "`:PCH001` is not PATTERN:RULES", id="rules for no file"),
        pytest.param(("--per-file-ignores", "a.py:"), "`a.py:` is not PATTERN:RULES", id="no rule for a file"),
        pytest.param(("-", "a.py"), "`-` reads standard input alone", id="standard input and more"),
        pytest.param(("--stdin-filename", "a.py", "b"), "cannot stand among other paths", id="a name and a path"),
        pytest.param(("--stdin-filename", "a.py", "-", "b"), "`-` reads standard input alone", id="all three"),
        pytest.param(("",), "Invalid value for '[PATHS]...': it is empty; say something", id="an empty path"),
        pytest.param(("--select", ""), "Invalid value for '--select': it is empty", id="an empty option"),
        pytest.param(("--exclude", " , "), "Invalid value for '--exclude': it is empty", id="an empty list"),
        pytest.param(("--stdin-filename", ""), "'--stdin-filename': it is empty", id="an empty name"),
        pytest.param(("config", ""), "Invalid value for '[PATH]': it is empty", id="the configuration of no path"),
        pytest.param(("clean", "--cache-dir="), "'--cache-dir': it is empty", id="an empty folder to clean"),
        pytest.param(("--output-format", "xml"), "'xml' is not one of", id="an unknown format"),
        pytest.param(("--mend",), "No such option", id="an unknown option"),
        pytest.param(("chekc",), "there is no command `chekc`, and no such file; did you mean `check`?", id="a typo"),
        pytest.param(("help",), "did you mean `--help`?", id="help as a command"),
        pytest.param(("quite",), "error: quite: No such file or directory", id="no command at all"),
        pytest.param(("--expect-files", "4"), "checked 3 files, but --expect-files asks for 4", id="too few files"),
        pytest.param(("rule", "PCH00I"), "no rule is called `PCH00I`; did you mean `PCH00", id="a rule that is none"),
        pytest.param(("rule", "--all", "PCH001"), "one rule or --all", id="one rule and all"),
        pytest.param(("config", "nosuch"), "nosuch: no such file or directory", id="the configuration of nothing"),
    ],
)
def test_wrong_usage(project: Project, run: Run, arguments: tuple[str, ...], message: str) -> None:
    """What cannot be obeyed is said on stderr, with what to do about it, and the exit code is 2."""
    project(LEAKS)
    ran = run(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_wrong_configuration(project: Project, run: Run) -> None:
    """A configuration that cannot be obeyed ends the run."""
    project({**LEAKS, "pyproject.toml": "[tool.pleach-lint]\nexlude = ['x']"})
    assert run() == (2, "", "error: pyproject.toml:2: `exlude` is not a key of pleach-lint; did you mean `exclude`?\n")


def test_a_fault_of_ours(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault outside of any file is one line and exit code 2, never a traceback."""
    project(LEAKS)
    monkeypatch.delattr("pleach_lint.cli.check.summary")
    code, _, err = run()
    assert code == 2
    assert err.startswith("error: internal error: NameError at check.py:")


def test_processes_that_cannot_start(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no process can be started, the run says what to do about it."""
    project(LEAKS)

    def check_all(*_: object) -> None:
        raise WorkerError("`--jobs 1` does without")

    monkeypatch.setattr("pleach_lint.cli.check.check_all", check_all)
    assert run() == (2, "", "error: `--jobs 1` does without\n")


def test_interrupt(project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends the run with exit code 130 and at most an empty line."""
    project(LEAKS)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr("pleach_lint.cli.check.check_all", interrupted)
    monkeypatch.setattr(cli, "os", type("os", (), {"_exit": leave}))
    monkeypatch.setattr(sys, "argv", ["pleach-lint"])
    with pytest.raises(SystemExit, match="130"):
        cli.main()
    assert capsys.readouterr().err.strip() == ""


@pytest.mark.parametrize(
    ("files", "arguments", "warning"),
    [
        pytest.param(
            {"notes.txt": ""},
            (),
            "no Python files found under the given paths, besides what excludes and .gitignore leave out",
            id="no files",
        ),
        pytest.param(
            {"a/seams/x.py": LEAK, "b/seams/x.py": LEAK},
            (),
            "2 seam packages without configuration (a/seams, b/seams); name yours under `seams`",
            id="two seam packages by name",
        ),
        pytest.param(
            {**LEAKS, "pleach-lint.toml": "seams = ['app/seems']"},
            (),
            "`seams` names app/seems, which matches nothing (pleach-lint.toml)",
            id="a seam package that is not there",
        ),
        pytest.param(LEAKS, ("--ignore", "PCH999"), "`PCH999` cannot be ignored (command line)", id="a vain ignore"),
        pytest.param(
            {"a.py": f"{LEAK[:-1]}  # pleach: ignore\n"},
            (),
            "a.py:1: this `pleach:` comment names no rule; put codes or slugs in brackets: `ignore[...]`",
            id="a comment that hides nothing",
        ),
    ],
)
def test_doubts(project: Project, run: Run, files: Mapping[str, str], arguments: tuple[str, ...], warning: str) -> None:
    """What may have been meant otherwise is a warning, which `-q` silences."""
    project(files)
    assert f"warning: {warning}\n" in run(*arguments).err
    assert run("-q", *arguments).err == ""


@pytest.mark.parametrize(
    "seams",
    [
        pytest.param("a/seams", id="a path"),
        pytest.param("*/seams", id="a glob"),
        pytest.param("elsewhere", id="a folder that holds no Python"),
    ],
)
def test_no_doubt_about_seams_that_exist(project: Project, run: Run, seams: str) -> None:
    """Seam packages that are configured and exist are no reason to warn."""
    project({"a/seams/x.py": LEAK, "b/seams/x.py": LEAK, "elsewhere/x.txt": ""})
    assert "warning" not in run("--seams", seams).err


def test_excluded_files_are_counted(project: Project, run: Run) -> None:
    """With `--force-exclude`, a note says how many named files were left out, and no warning follows."""
    project({"build/b.py": LEAK})
    code, out, err = run("--force-exclude", "build/b.py")
    assert (code, out) == (0, "")
    assert err.startswith("left out 1 file that was named but is excluded\nchecked 0 files")


def test_show_files(project: Project, run: Run) -> None:
    """`--show-files` lists what would be checked and checks nothing."""
    project(LEAKS)
    assert run("--show-files") == (0, "a.py\nb/c.py\nclean.py\n", "")


def test_statistics(project: Project, run: Run) -> None:
    """`--statistics` counts the findings of each rule on stderr."""
    project({**LEAKS, "d.py": "if call_class in {'utility'}: ...\n"})
    assert run("--statistics").err.startswith("2  PCH001 callclass-value\n1  PCH002 callclass-comparison\nchecked 4")


def test_verbose(project: Project, run: Run) -> None:
    """`-v` says which files govern, and how long it took."""
    project({**LEAKS, "b/pleach-lint.toml": ""})
    err = run("-v").err
    assert "governed by b/pleach-lint.toml\ngoverned by no configuration file\nchecked 3 files" in err
    assert err.rstrip().endswith(" s")


def test_ignore_noqa(project: Project, run: Run) -> None:
    """`--ignore-noqa` finds what comments hide."""
    project({"a.py": f"{LEAK[:-1]}  # noqa: PCH001\n"})
    assert run().code == 0
    assert run("--ignore-noqa").code == 1


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        pytest.param(("-",), "-", id="without a name"),
        pytest.param(("-", "--stdin-filename", "b/new.py"), "b/new.py", id="with a name"),
        pytest.param(("--stdin-filename", "b/new.py"), "b/new.py", id="by its name"),
    ],
)
def test_standard_input(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], path: str
) -> None:
    """Standard input is checked as the file that it is said to be."""
    project({"b/seams/x.py": ""})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAK.encode())))
    code, out, _ = run(*arguments)
    assert (code, out.split(": ")[0]) == (1, f"{path}:1:26")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("--stdin-filename", "seams/new.py"), 0, id="in a seam package"),
        pytest.param(("--stdin-filename", "build/new.py", "--force-exclude"), 0, id="in an excluded folder"),
        pytest.param(("--stdin-filename", "build/new.py"), 1, id="in an excluded folder, but named"),
    ],
)
def test_standard_input_lies_somewhere(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int
) -> None:
    """The name of standard input decides what governs it."""
    project({})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAK.encode())))
    assert run(*arguments).code == code


def test_related_files_are_shown_like_the_others(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second place of a finding is named relative to the working directory too."""
    root = project(
        {"app/consts.py": 'DEEP = "synthesize"\n', "app/use.py": "from consts import DEEP\nf(call_class=DEEP)\n"}
    )
    monkeypatch.chdir(root / "app")
    (found,) = json.loads(run("--output-format", "json", "use.py").out)
    assert [place["filename"] for place in found["related"]] == ["consts.py"]
