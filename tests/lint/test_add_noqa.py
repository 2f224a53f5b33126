"""Tests of `--add-noqa`: where comments go, with flake8 itself as the judge of whether they hide what they should."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, cast

import pytest

from pleach_lint.comment_edits import hiding
from pleach_lint.finding import Applicability, Fix
from pleach_lint.fixing.edits import applied
from pleach_lint.rules import all_rules
from tests.lint.test_programs import SEAM, programs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pleach_lint.rule import Example
    from tests.conftest import Project, Run

LEAK = 'resolve_model(call_class="utility")'
MENTIONS = '"""\n# noqa: E501\n"""'


def with_comments(text: str, *rows: int, codes: tuple[str, ...] = ("PCH001",), reason: str = "") -> str:
    """A text with the comments that hide codes on some rows."""
    edits = hiding(text, dict.fromkeys(rows, codes), reason)
    return applied(text, [Fix(Applicability.SAFE, "Hide", (edit,)) for edit in edits])[0]


def flake8(*paths: str) -> list[str]:
    """What flake8 reports of ours."""
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "PCH", *paths]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert not ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        pytest.param("f(x)", 1, "f(x)  # noqa: PCH001", id="at the end of a row"),
        pytest.param("f(x)  \t\r\ny\r\n", 1, "f(x)  # noqa: PCH001\r\ny\r\n", id="in place of blanks at its end"),
        pytest.param("f(x)  # why", 1, "f(x)  # why  # noqa: PCH001", id="behind a comment"),
        pytest.param("f(\n    x,\n)", 2, "f(\n    x,  # noqa: PCH001\n)", id="within brackets"),
        pytest.param("f('''\n''', x)\n", 1, "f('''\n''', x)  # noqa: PCH001\n", id="behind a string of several rows"),
        pytest.param("a = 1 + \\\n    f(x)", 1, "a = 1 + \\\n    f(x)  # noqa: PCH001", id="behind a backslash"),
        pytest.param("f(x)  # noqa: E501", 1, "f(x)  # noqa: E501, PCH001", id="beside another code"),
        pytest.param("f(x)  # NOQA:E501,W291 # y", 1, "f(x)  # NOQA:E501,W291, PCH001 # y", id="beside two codes"),
        pytest.param("f(x)  # noqa: E501 why", 1, "f(x)  # noqa: E501, PCH001 why", id="before a reason"),
        pytest.param(
            f"f({MENTIONS}, x)", 3, f"f({MENTIONS}, x)  # pleach: ignore[PCH001]", id="behind a string with a noqa"
        ),
        pytest.param(
            'f"""{\nx\n}"""', 2, 'f"""{\nx\n}"""  # pleach: ignore[PCH001]', id="in the braces of an f-string"
        ),
        pytest.param('f"""\n{x}"""', 2, 'f"""\n{x}"""  # noqa: PCH001', id="in an f-string whose braces are whole"),
        pytest.param("x = '''\n", 2, "x = '''\n", id="where Python cannot read"),
    ],
)
def test_places(text: str, row: int, expected: str) -> None:
    """A comment stands where it speaks for the row, and where flake8 looks first."""
    assert with_comments(text, row) == expected


@pytest.mark.parametrize(
    ("text", "reason", "expected"),
    [
        pytest.param("f(x)", "until June", "f(x)  # noqa: PCH001  until June", id="a reason"),
        pytest.param("f(x)", "AB12: later", "f(x)  # noqa: PCH001  - AB12: later", id="like a code"),
        pytest.param("f(x)  # noqa: E1", "why", "f(x)  # noqa: E1, PCH001  why", id="beside another code"),
        pytest.param("f(x)  # noqa: E1 old", "why", "f(x)  # noqa: E1, PCH001 old", id="beside another reason"),
        pytest.param('f"""{\nx}"""', "why", 'f"""{\nx}"""  # pleach: ignore[PCH001] why', id="in a comment of ours"),
    ],
)
def test_reasons(text: str, reason: str, expected: str) -> None:
    """The reason stands behind the codes, unless there is one."""
    assert with_comments(text, 1, reason=reason) == expected


def test_several_codes_of_a_line_stand_together() -> None:
    """All that is found between the first and the last row of a line goes into one comment."""
    text = with_comments("f('''\n''', x)", 1, 2, codes=("PCH004", "PCH001"))
    assert text == "f('''\n''', x)  # noqa: PCH001, PCH004"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs side by side, each a project of its own, after `--add-noqa`."""
    root = tmp_path_factory.mktemp("corpus").resolve()
    for number, example in enumerate(leaking()):
        folder = root / f"p{number}"
        strict = f"strict = {str(example.strict).lower()}\n"
        files = {"app/seams/__init__.py": SEAM, "pleach-lint.toml": strict, **(example.files or {})}
        for name, text in {**files, "program.py": example.text}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    assert check(root, "--add-noqa", "--reason", "agreed").returncode == 0
    return root


def breaks(example: Example) -> bool:
    """Whether a module of a program is broken on purpose."""
    return any(name.startswith("broken") for name in example.files or {})


def leaking() -> Iterator[Example]:
    """Programs of tests and examples of rules in which something is found, and nothing is broken."""
    whole = [each for each in (cast("Example", param.values[0]) for param in programs()) if not breaks(each)]
    yield from whole[::3]
    yield from (each for rule in all_rules() if not rule.judges_comments for each in rule.examples if each.marked)


def check(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "pleach_lint", *arguments, "."]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)


def test_nothing_is_left(corpus: Path) -> None:
    """After it the run is clean: what was found is suppressed, each comment is needed, and gives a reason."""
    ran = check(corpus, "--extend-select", "PCH902")
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr


def test_flake8_agrees(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """flake8 finds nothing of ours either."""
    pytest.importorskip("flake8")
    monkeypatch.chdir(corpus)
    assert flake8(".") == []


def test_a_second_run_changes_nothing(corpus: Path) -> None:
    """What is hidden needs no further comment."""
    before = {path: path.read_bytes() for path in corpus.rglob("*.py")}
    assert "hid" not in check(corpus, "--add-noqa", "--reason", "again").stderr
    assert {path: path.read_bytes() for path in corpus.rglob("*.py")} == before
    assert sum(b"agreed" in text for text in before.values()) > 100


def test_nothing_else_changes(project: Project, run: Run) -> None:
    """Marks, encodings, line endings and files without findings stay as they are."""
    latin = f"# coding: latin-1\r\né = 1\r{LEAK}\n".encode("latin-1")
    root = project({"a.py": b"\xef\xbb\xbf" + LEAK.encode(), "b.py": latin, "c.py": "x = 1  \n"})
    code, out, err = run("--add-noqa")
    assert (code, out) == (0, "")
    assert err.startswith("hid 2 findings in 2 files\n")
    assert (root / "a.py").read_bytes() == b"\xef\xbb\xbf" + f"{LEAK}  # noqa: PCH001".encode()
    assert (root / "b.py").read_bytes() == latin.replace(b'")', b'")  # noqa: PCH001')
    assert (root / "c.py").read_text() == "x = 1  \n"


def test_what_no_comment_hides_stays(project: Project, run: Run) -> None:
    """Files that cannot be analysed and comments that hide nothing are reported as before."""
    root = project({"a.py": f"({LEAK}", "b.py": "x = 1  # noqa: PCH001\n", "c.py": f"{LEAK}\n"})
    code, out, _ = run("--add-noqa")
    assert (code, [line.split()[1] for line in out.splitlines()]) == (1, ["PCH999", "PCH900"])
    assert (root / "b.py").read_text() == "x = 1  # noqa: PCH001\n"


def test_what_the_baseline_holds_stays(project: Project, run: Run) -> None:
    """Known findings get no comment, and rules that are off do not either."""
    root = project({"m.py": f"{LEAK}\n"})
    run("--write-baseline")
    (root / "m.py").write_text(f'{LEAK}\n{LEAK.replace("utility", "converse")}\nx = call_class == "utility"\n')
    ran = run("--add-noqa", "--ignore", "PCH002")
    assert ran.code == 0
    assert "1 suppressed, 1 in baseline" in ran.err
    assert (root / "m.py").read_text().count("noqa") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("--add-noqa", "--fix"), "give it or --fix, not both", id="with a fix"),
        pytest.param(("--add-noqa", "--diff"), "give it or --diff, not both", id="with a difference"),
        pytest.param(("--add-noqa", "--ignore-noqa"), "give it or --ignore-noqa, not both", id="ignored at once"),
        pytest.param(("--add-noqa", "--write-baseline"), "give it or --write-baseline, not both", id="with a baseline"),
        pytest.param(("--reason", "why"), "--reason is what --add-noqa writes; give that too", id="a reason alone"),
        pytest.param(("--add-noqa", "--reason", " "), "'--reason': it is empty", id="an empty reason"),
        pytest.param(("--add-noqa", "--reason", "a\nb"), "--reason is one line of text", id="two lines"),
        pytest.param(("--add-noqa", "-"), "name the file instead of standard input", id="standard input"),
        pytest.param(("--add-noqa", "--config", "require-reasons=true"), "say one with --reason", id="no reason"),
    ],
)
def test_contradictions(project: Project, run: Run, arguments: tuple[str, ...], message: str) -> None:
    """What makes no sense together ends the run before anything is written."""
    root = project({"m.py": LEAK})
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err
    assert (root / "m.py").read_text() == LEAK


def test_files_that_cannot_be_written(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails for one file is one line and exit code 2; the other files are written."""
    cookie = f"# coding: ascii\n{LEAK}"
    root = project({"a.py": cookie, "b.py": LEAK})
    code, _, err = run("--add-noqa", "--reason", "später")
    assert code == 2
    assert "error: a.py: ascii cannot write the reason; it was left alone\n" in err
    assert ((root / "a.py").read_text(), (root / "b.py").read_text()) == (cookie, f"{LEAK}  # noqa: PCH001  später")
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "error: a.py: cannot be written: it is read-only\n" in run("--add-noqa").err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(
            f"""y = f"{{d['{'"' * 4}']}}"\n{LEAK}\n""",
            "error: m.py:2: no comment can hide PCH001 there, so the file was left alone\n",
            id="a row that it does not reach",
        ),
        pytest.param(
            f'y = f"""{{d[\'"""\']}}\nrow {{{LEAK}}}\n"""\n',
            "error: m.py: comments would change what it means, so it was left alone\n",
            id="a row in a string that it takes for code",
        ),
    ],
)
def test_syntax_that_an_older_tokenizer_misreads(project: Project, run: Run, text: str, problem: str) -> None:
    """Where Python is too old to tell what a comment is, nothing is written; where it is not, the comment is."""
    root = project({"m.py": text})
    code, _, err = run("--add-noqa")
    if sys.version_info >= (3, 12):
        assert code == 0
    else:
        assert problem in err
        assert (code, (root / "m.py").read_text()) == (2, text)


def test_notebooks_are_left_to_their_authors(project: Project, run: Run) -> None:
    """Nothing is written into a notebook, and that is said."""
    cell = {"cell_type": "code", "source": LEAK}
    root = project({"n.ipynb": json.dumps({"nbformat": 4, "metadata": {}, "cells": [cell]})})
    before = (root / "n.ipynb").read_bytes()
    ran = run("--add-noqa")
    assert ran.code == 2
    assert "error: n.ipynb: --add-noqa does not write into notebooks" in ran.err
    assert (root / "n.ipynb").read_bytes() == before
