"""The findings of a file are the same, whatever else is checked, in which order, by whom, and with which cache."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from pleach_lint.cache_place import CachePlace
from pleach_lint.checking import check_all
from pleach_lint.config.governing import Configurations
from pleach_lint.discovery import discover
from pleach_lint.engine import analyse, check_source
from pleach_lint.flake8_plugin import Plugin
from pleach_lint.inspection import Inspector
from pleach_lint.processes import check_in_processes
from pleach_lint.project import Project, Settings
from pleach_lint.rules import rules_by_code
from pleach_lint.source import decode
from pleach_lint.syntax import UnparsableSource
from pleach_lint.verdict import Comments, Verdict
from tests.lint import generated
from tests.lint.test_programs import SEAM, programs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.flow.module import Module
    from pleach_lint.rule import Example
    from pleach_lint.walk import Target
    from tests.conftest import Project as Scratch
    from tests.conftest import Run

SEEDS = (*range(5), 48)


def targets() -> tuple[Target, ...]:
    """The files below the working directory."""
    return discover(["."], Configurations(Path.cwd()), Path.cwd()).targets


def together(files: Iterable[Target], place: CachePlace | None = None) -> dict[str, Verdict]:
    """What one process says of files, in the order given."""
    inspector = Inspector(Comments.ALL, place)
    return {target.path: inspector.inspect(target) for target in files}


def write(root: Path, before: generated.Files, after: generated.Files) -> None:
    """Turn one state of a project into another."""
    for name in before.keys() - after.keys():
        (root / name).unlink()
    for name, text in after.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize("seed", SEEDS)
def test_alone_and_in_any_company(project: Scratch, seed: int) -> None:
    """Each file alone, all in any order, and any of them together have the same verdicts."""
    chance = Random(seed)  # noqa: S311 - nothing secret
    project(generated.project(chance, 10))
    files = targets()
    alone = {target.path: verdict for target in files for verdict in together([target]).values()}
    assert sum(len(verdict.findings) for verdict in alone.values()) > len(files) / 3
    for size in (len(files), len(files), len(files) // 2, 3):
        some = together(chance.sample(files, size))
        assert some == {path: alone[path] for path in some}


@pytest.mark.parametrize("seed", SEEDS)
def test_when_memory_is_short(project: Scratch, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """To drop what is known between any two files changes nothing."""
    project(generated.project(Random(seed), 10))  # noqa: S311 - nothing secret
    roomy = together(targets())
    monkeypatch.setattr("pleach_lint.project._MOST_SOURCE", 1)
    for few in (0, 3):
        monkeypatch.setattr("pleach_lint.project._FEW", few)
        assert together(targets()) == roomy


def test_any_number_of_processes(project: Scratch, run: Run) -> None:
    """One, two and four processes give the verdicts of none."""
    project(generated.project(Random(7), 12))  # noqa: S311 - nothing secret
    files = targets()
    here = check_all(files, 1, Comments.ALL, lambda _: None)
    for jobs in (1, 2, 4):
        assert check_in_processes(files, jobs, Inspector(Comments.ALL, CachePlace()), lambda _: None) == here
    assert run("--jobs", "2").out == run("--jobs", "1", "--no-cache").out != ""


@pytest.mark.parametrize("seed", SEEDS)
def test_flake8_says_the_same(project: Scratch, seed: int) -> None:
    """flake8, which calls the plugin for one file after another, reports what the command line reports."""
    root = project(generated.project(Random(seed), 10))  # noqa: S311 - nothing secret
    for path, verdict in together(targets()).items():
        text = (root / path).read_text()
        plugin = Plugin(ast.parse(text), path, text.splitlines(keepends=True))
        expected = [(f.span.row, f.span.column - 1, f"{f.code} {f.message}") for f in verdict.findings]
        assert [report[:3] for report in plugin.run()] == expected


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("output_format", ["full", "json"])
def test_any_warmth_of_the_cache(project: Scratch, run: Run, seed: int, output_format: str) -> None:
    """Without a cache, with a cold, a warm and a half-warm one, the same bytes are printed."""
    chance = Random(seed)  # noqa: S311 - nothing secret
    root = project(generated.project(chance, 10))
    plain = run("--output-format", output_format, "--no-cache")
    assert run("--output-format", output_format) == plain
    assert run("--output-format", output_format) == plain
    entries = sorted((root / ".pleach_cache").glob("*/*.json"))
    for entry in chance.sample(entries, len(entries) // 2):
        entry.unlink()
    assert run("--output-format", output_format) == plain


@pytest.mark.parametrize("seed", range(12))
def test_edits(project: Scratch, seed: int) -> None:
    """After any edit, a run with the cache of the runs before gives what a fresh run gives."""
    chance = Random(seed)  # noqa: S311 - nothing secret
    files = generated.project(chance, 8)
    root = project(files)
    together(targets(), CachePlace())
    for _ in range(8):
        before, files = files, generated.edited(chance, files)
        write(root, before, files)
        assert together(targets(), CachePlace()) == together(targets())


def test_an_edit_costs_what_it_feeds(project: Scratch, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an edit, only the files that the edited one feeds are analysed again."""
    text = "from {} import LANE\nask(call_class=LANE)\n"
    root = project(
        {"a.py": "LANE = 'utility'\n", "b.py": "LANE = 1\n", "c.py": text.format("a"), "d.py": text.format("b")}
    )
    before = run().out
    (root / "b.py").write_text("LANE = 2\n")
    monkeypatch.setattr("pleach_lint.inspection.parse_and_check", lambda path, *_: pytest.fail(path.name))
    assert "internal error" not in run("c.py").out
    assert run("c.py").out == before
    with pytest.raises(pytest.fail.Exception, match=r"d\.py"):
        run("d.py")


class UnscreenedProject(Project):
    """A project in which every rule is asked about every file, whatever its bytes show."""

    def may_hold_class(self, module: Module) -> bool:  # noqa: ARG002 - the signature is the project's
        """Leave each file a finding of the rules about class words."""
        return True


def shunned(settings: Settings, files: dict[str, str]) -> list[Path]:
    """Write files, and name those that the gate turns away."""
    write(settings.root, {}, files)
    project = Project(settings)
    paths = [settings.root / name for name in files]
    return [path for path in paths if not project.may_matter(path, path.read_bytes())]


def assert_nothing_is_found(settings: Settings, paths: Iterable[Path]) -> None:
    """Analyse files as if the gate had let them pass."""
    for path in paths:
        project = UnscreenedProject(settings)
        with suppress(UnparsableSource):  # It is reported before the gate has a say.
            assert analyse(path, project.read(path, decode(path.read_bytes())), project).findings == ()


def test_what_the_gate_turns_away_has_no_findings(tmp_path: Path) -> None:
    """Among files put together by chance, those that the gate turns away are right to be."""
    chance = Random(3)  # noqa: S311 - nothing secret
    number = 0
    for folder in (tmp_path / name for name in "abcdefghijkl"):
        files = {name: text for name, text in generated.project(chance, 12).items() if chance.random() < 0.5}
        turned_away = shunned(Settings(folder), files)
        assert_nothing_is_found(Settings(folder), turned_away)
        number += len(turned_away)
    assert number > 10


@pytest.mark.parametrize("program", programs())
def test_the_gate_and_the_programs(program: Example, tmp_path: Path) -> None:
    """Among the modules of each program, those that the gate turns away have no findings."""
    files = {"app/seams/__init__.py": SEAM, **(program.files or {}), "program.py": program.text}
    settings = Settings(tmp_path)
    assert_nothing_is_found(settings, shunned(settings, files))


@pytest.mark.parametrize("code", sorted(rules_by_code()))
def test_the_gate_and_the_examples(code: str, tmp_path: Path) -> None:
    """An example that the gate turns away has no mark, unless the rule judges what became of the findings."""
    rule = rules_by_code()[code]
    visits = any(name.startswith("visit_") for name in dir(rule))
    for number, example in enumerate(rule.examples):
        settings = Settings(tmp_path / str(number), strict=example.strict, optional=(code,))
        turned_away = shunned(settings, {**(example.files or {}), example.path: example.text})
        assert not (visits and example.expected and settings.root / example.path in turned_away)
        assert_nothing_is_found(settings, turned_away)


def test_a_changed_text_in_memory(tmp_path: Path) -> None:
    """A text that differs from the disk is what counts, also for what was known of files that import it."""
    write(tmp_path, {}, {"a.py": "LANE = 'other'\n", "b.py": "from a import LANE\nask(call_class=LANE)\n"})
    project = Project(Settings(tmp_path))
    b = tmp_path / "b.py"
    assert check_source(b, b.read_bytes(), project).findings == ()
    check_source(tmp_path / "a.py", b"LANE = 'utility'\nx = ask(call_class='reasoning')\n", project)
    assert len(check_source(b, b.read_bytes(), project).findings) == 1
