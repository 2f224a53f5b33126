"""The command line, flake8 and the pre-commit hooks say the same of every program that the tests know."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pleach_lint.rules import all_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
SEAM = 'from typing import Literal\nCallClass = Literal["utility", "reasoning", "converse", "synthesize"]\n'
SUPPRESSED = """
f(call_class="utility")  # noqa: PCH001
f(call_class="utility")  # noqa: PCH002
f(call_class="utility")  # pleach: ignore[PCH001] agreed
f(
    call_class="utility",
)  # noqa
f(call_class="utility", text='''
''')  # noqa: PCH001
"""
FLAKE8 = (
    sys.executable,
    "-m",
    "flake8",
    "--isolated",
    "--select",
    "PCH",
    "--format",
    "%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s",
)


class Said(NamedTuple):
    """A finding as any front says it."""

    path: str
    row: int
    column: int
    code: str
    message: str


def programs() -> Iterator[Mapping[str, str]]:
    """Programs by path of their files: the examples of the rules, those of the tests, and the fixtures."""
    for rule in all_rules():
        for example in rule.examples:
            strict = f"strict = {str(example.strict).lower()}\n"
            yield {"case.py": example.text, "pleach-lint.toml": strict, **(example.files or {})}
    for file in sorted((HERE.parent / "lint/programs").glob("*.txt")):
        for section in re.split(r"^### .*\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            code, *modules = re.split(r"^--- (.*)\n", section, flags=re.MULTILINE)
            yield {"program.py": code, "pleach-lint.toml": "", **dict(zip(modules[::2], modules[1::2], strict=True))}
    for fixture in ("clean_service", "leaky_service"):
        folder = REPOSITORY / "fixtures" / fixture
        paths = [path for suffix in ("py", "toml") for path in folder.rglob(f"*.{suffix}")]
        yield {str(path.relative_to(folder)): path.read_text() for path in paths}
    yield {"suppressed.py": SUPPRESSED, "pleach-lint.toml": "seams = ['app/seams']"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All programs side by side, each a project of its own."""
    root = tmp_path_factory.mktemp("corpus")
    for number, program in enumerate(programs()):
        for name, text in {"app/seams/__init__.py": SEAM, **program}.items():
            path = root / f"{number:03d}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return root


def run(corpus: Path, *command: str) -> str:
    """Run a command in the corpus and return what it finds."""
    ran = subprocess.run(command, cwd=corpus, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode in {0, 1}, ran.stderr
    return ran.stdout


def of_json(text: str) -> set[Said]:
    """Findings of a JSON report."""
    return {
        Said(found["filename"], found["location"]["row"], found["location"]["column"], found["code"], found["message"])
        for found in json.loads(text)
    }


def is_read_here(path: Path) -> bool:
    """Whether the running Python, and so flake8, can parse a file."""
    try:
        ast.parse(path.read_bytes())
    except SyntaxError:
        return False
    return True


@pytest.fixture(scope="module")
def by_command_line(corpus: Path) -> set[Said]:
    """What the command line finds in one run over everything."""
    return of_json(run(corpus, sys.executable, "-m", "pleach_lint", "check", "--output-format", "json", "."))


def test_there_is_something_to_agree_on(by_command_line: set[Said]) -> None:
    """The programs have findings of every rule of the family."""
    assert {said.code for said in by_command_line} >= {f"PCH00{digit}" for digit in "123456"}
    assert len(by_command_line) > 100


def test_flake8_agrees(corpus: Path, by_command_line: set[Said]) -> None:
    """flake8 finds the same, but for files that its Python cannot parse, and for what is wrong with comments."""
    lines = [line.split("\t") for line in run(corpus, *FLAKE8, ".").splitlines()]
    by_flake8 = {Said(os.path.normpath(path), int(row), int(column), *rest) for path, row, column, *rest in lines}
    left_out = {"PCH999", *(rule.code for rule in all_rules() if rule.judges_comments)}
    expected = {said for said in by_command_line if said.code not in left_out and is_read_here(corpus / said.path)}
    assert by_flake8 == expected


@pytest.mark.parametrize("pieces", [1, 7])
def test_the_hook_agrees(corpus: Path, by_command_line: set[Said], pieces: int) -> None:
    """The hook finds the same on the files that pre-commit names, in one run or in several."""
    manifest = (REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (entry,) = re.findall(r"^- id: pleach-lint\n(?:  .*\n)*?  entry: pleach-lint (.*)\n", manifest, re.MULTILINE)
    names = sorted(str(path.relative_to(corpus)) for path in corpus.rglob("*.py*") if path.suffix in {".py", ".pyi"})
    command = (sys.executable, "-m", "pleach_lint", *shlex.split(entry), "--output-format", "json")
    found = [of_json(run(corpus, *command, *names[start::pieces])) for start in range(pieces)]
    assert set().union(*found) == by_command_line
    assert sum(map(len, found)) == len(by_command_line)
