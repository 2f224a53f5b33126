"""Tests for `pleach_lint.cache`, alone and through the command line."""

from __future__ import annotations

import dataclasses
import errno
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from pleach_lint import cache
from pleach_lint.cache import Cache, is_cache
from pleach_lint.finding import Applicability, Edit, Finding, Fix, Related, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Project, Run

LEAK = 'llm.call(p, call_class="utility")\n'
SPAN = Span(1, 2, 3, 4)
FIX = Fix(Applicability.SAFE, "Use é", (Edit(SPAN, "é"), Edit(SPAN, "")))
FINDING = Finding("a.py", SPAN, "PCH001", "slug", "é\n", "help", (Related("/b.py", SPAN, "there"),), FIX)
DAY = 24 * 60 * 60


@pytest.fixture(autouse=True)
def _nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the variable says on the machine of the tests does not count."""
    monkeypatch.delenv("PLEACH_CACHE_DIR", raising=False)


def entries(root: Path) -> list[Path]:
    """The entries of the cache below a root."""
    return sorted((root / ".pleach_cache").glob("*/*.json"))


def age(path: Path, days: float) -> None:
    """Make a file look as old as that."""
    then = time.time() - days * DAY
    os.utime(path, (then, then))


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Cache, Path]]:
    """A cache with one entry, and the file of that entry."""
    found = Cache(str(tmp_path / ".pleach_cache"))
    found.save("f", (FINDING,))
    (entry,) = entries(tmp_path)
    yield found, entry
    assert [path for path in tmp_path.rglob("*.part") if path != entry.with_suffix(".part")] == []


def test_what_is_kept_comes_back(kept: tuple[Cache, Path]) -> None:
    """Every field of a finding comes back, under the name that the file has now."""
    (loaded,) = kept[0].load("f", "x/a.py") or ()
    assert dataclasses.asdict(loaded) == dataclasses.asdict(dataclasses.replace(FINDING, filename="x/a.py"))
    assert all(getattr(FINDING, field.name) != field.default for field in dataclasses.fields(Finding))


def test_nothing_found_is_an_answer_too(tmp_path: Path) -> None:
    """A file without findings has an entry; a file without an entry has not."""
    found = Cache(str(tmp_path / "c"))
    found.save("f", ())
    assert found.load("f", "a.py") == ()
    assert found.load("g", "a.py") is None


@pytest.mark.parametrize("size", range(0, 100, 7))
def test_half_an_entry(kept: tuple[Cache, Path], size: int) -> None:
    """An entry that lost its end counts as absent."""
    found, entry = kept
    entry.write_bytes(entry.read_bytes()[:size])
    assert found.load("f", "a.py") is None


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_a_changed_entry(kept: tuple[Cache, Path], place: int) -> None:
    """An entry with a changed byte counts as absent."""
    found, entry = kept
    content = bytearray(entry.read_bytes())
    content[place] ^= 1
    entry.write_bytes(content)
    assert found.load("f", "a.py") is None


@pytest.mark.parametrize("body", [b"{", b"null", b"[1]", b"[[]]", b"[[[1],1,1,1,1,[]]]", b"\xff"])
def test_a_foreign_entry(kept: tuple[Cache, Path], monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    """An entry whose seal is whole and whose content means nothing to us counts as absent."""
    found, entry = kept
    monkeypatch.setattr("json.dumps", lambda *_, **__: body.decode("latin-1"))
    found.save("f", ())
    assert entry.exists()
    assert found.load("f", "a.py") is None


@pytest.mark.parametrize("kind", ["a folder", "a link to itself"])
def test_an_unreadable_entry(kept: tuple[Cache, Path], kind: str) -> None:
    """An entry that cannot be read counts as absent, and one that cannot be replaced is a problem."""
    found, entry = kept
    entry.unlink()
    entry.mkdir() if kind == "a folder" else entry.symlink_to(entry)
    assert found.load("f", "a.py") is None


@pytest.mark.parametrize("what", ["linter", "libcst", "python"])
def test_another_linter_has_other_entries(
    kept: tuple[Cache, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    """What another version of the linter, of libcst or of Python found does not count."""
    other = tmp_path / "other.py"
    other.touch()
    if what == "python":
        monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    else:
        monkeypatch.setattr(cache, "_own_code" if what == "linter" else "_version_of_libcst", lambda: [other])
    cache.made_by.cache_clear()
    try:
        assert kept[0].load("f", "a.py") is None
    finally:
        cache.made_by.cache_clear()


def test_without_libcst(kept: tuple[Cache, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where libcst has no file that tells its version, that is a version of its own."""
    monkeypatch.setattr(cache, "find_spec", lambda _: None)
    cache.made_by.cache_clear()
    try:
        assert kept[0].load("f", "a.py") is None
    finally:
        cache.made_by.cache_clear()


def test_the_folder_is_marked(kept: tuple[Cache, Path]) -> None:
    """Backups and git leave the folder out, and it can be told from folders that are not ours."""
    folder = kept[1].parent.parent
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert (folder / ".gitignore").read_text().endswith("\n*\n")
    assert is_cache(folder)


def test_a_folder_with_other_things(tmp_path: Path) -> None:
    """A folder in which something else lies is not made a cache, which `clean` would remove."""
    (tmp_path / "notes.txt").touch()
    found = Cache(str(tmp_path))
    found.save("f", (FINDING,))
    assert found.problem == f"cannot keep a cache in {tmp_path}: it holds other things than a cache"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES])
def test_a_disk_that_refuses(kept: tuple[Cache, Path], monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Whatever the reason for which nothing can be written, it is kept as one, and what was half written is gone."""
    found, entry = kept

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    found.save("g", (FINDING,))
    assert os.strerror(number) in found.problem
    assert [*entry.parent.iterdir()] == [entry]


def test_one_problem_is_enough(kept: tuple[Cache, Path]) -> None:
    """After a failure nothing is tried again."""
    found, entry = kept
    found.problem = "the disk is full"
    found.save("g", (FINDING,))
    assert [*entry.parent.iterdir()] == [entry]


def test_ctrl_c_in_the_middle_of_writing(kept: tuple[Cache, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt leaves no half-written file."""
    found, entry = kept

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        found.save("g", (FINDING,))
    assert [*entry.parent.iterdir()] == [entry]


@pytest.mark.parametrize(
    ("name", "days", "stays"),
    [
        pytest.param("old.json", 31, False, id="an entry that nobody looked at"),
        pytest.param("young.json", 29, True, id="an entry that somebody looked at"),
        pytest.param("x.json.1.ab.part", 2, False, id="what a killed process left"),
        pytest.param("y.json.1.ab.part", 0, True, id="what a process is writing"),
    ],
)
def test_old_entries_go(kept: tuple[Cache, Path], name: str, days: float, *, stays: bool) -> None:
    """What nobody looks at for long is removed, whichever version made it."""
    _, entry = kept
    folder = entry.parent.parent
    other = folder / "0.0.0" / name
    other.parent.mkdir()
    other.touch()
    age(other, days)
    age(folder / "last-pruned", 2)
    Cache(str(folder)).save("g", ())
    assert other.exists() is stays
    other.unlink(missing_ok=True)


def test_old_entries_are_looked_for_once_a_day(kept: tuple[Cache, Path]) -> None:
    """A run soon after another does not look through the cache."""
    _, entry = kept
    age(entry, 31)
    Cache(str(entry.parent.parent)).save("g", ())
    assert entry.exists()


def test_a_look_keeps_an_entry_young(kept: tuple[Cache, Path]) -> None:
    """An entry that is in use does not grow old."""
    found, entry = kept
    age(entry, 29)
    assert found.load("f", "a.py") is not None
    assert time.time() - entry.stat().st_mtime < DAY


def test_a_warm_run_says_the_same(project: Project, run: Run) -> None:
    """A second run has its findings from the cache, and prints the same bytes."""
    root = project({"a.py": LEAK, "b.py": f"{LEAK[:-1]}  # noqa: PCH001\n", "c.py": "x = 1\n", "bad.py": f"{LEAK})"})
    cold = run("--output-format", "full")
    assert len(entries(root)) == 2
    assert run("--output-format", "full") == cold
    assert run("--output-format", "full", "--no-cache") == cold


def test_selection_and_comments_come_after_the_cache(project: Project, run: Run) -> None:
    """What is reported follows the options and comments of each run, whatever an earlier one reported."""
    project({"a.py": f"{LEAK[:-1]}  # noqa: PCH001\n"})
    assert [run(*options).code for options in ((), ("--ignore-noqa",), ("--ignore-noqa", "--ignore=PCH001"))] == [
        0,
        1,
        0,
    ]


def test_findings_come_from_the_cache(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose findings are known is not analysed."""
    project({"a.py": LEAK})
    cold = run()
    monkeypatch.delattr("pleach_lint.inspection.parse_and_check")
    assert run() == cold
    assert "internal error: NameError" in run("--no-cache").out


def test_a_constant_of_another_file(project: Project, run: Run) -> None:
    """A change in a file invalidates what it feeds."""
    root = project({"consts.py": "LANE = 'other'\n", "a.py": "from consts import LANE\nask(call_class=LANE)\n"})
    assert run("a.py").code == 0
    (root / "consts.py").write_text("LANE = 'utility'\n")
    assert run("a.py").code == 1
    assert len(entries(root)) == 2


def test_a_file_that_changes_under_the_run(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings that rest on two states of a file are reported, and not kept."""
    root = project({"consts.py": "LANE = 'utility'\n", "a.py": "from consts import LANE\nask(call_class=LANE)\n"})
    monkeypatch.setattr("pleach_lint.reach._content", lambda _: b"LANE = 'other'\n")
    assert run("a.py").code == 1
    assert entries(root) == []


def test_no_cache(project: Project, run: Run) -> None:
    """`--no-cache` leaves nothing behind, and neither does standard input."""
    root = project({"a.py": LEAK})
    assert run("--no-cache").code == 1
    assert not (root / ".pleach_cache").exists()


@pytest.mark.parametrize("way", ["option", "environment", "configuration"])
def test_another_place(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """The cache can be moved, and `clean` finds it there."""
    root = project({"a.py": LEAK})
    option = ("--cache-dir", "kept") if way == "option" else ()
    if way == "environment":
        monkeypatch.setenv("PLEACH_CACHE_DIR", "kept")
    elif way == "configuration":
        (root / "pleach-lint.toml").write_text("cache-dir = 'kept'\n")
    assert run("check", *option).code == 1
    assert [*(root / "kept").glob("*/*.json")] != []
    assert run("clean", *option).err == f"removed {root / 'kept'}\n"
    assert sorted(path.name for path in root.iterdir() if path.name != "pleach-lint.toml") == [".git", "a.py"]


def test_a_file_where_the_folder_should_be(project: Project, run: Run) -> None:
    """A cache that cannot be written costs one warning, and no finding."""
    root = project({"a.py": LEAK, "b.py": LEAK, ".pleach_cache": "not a folder\n"})
    ran = run()
    assert (ran.code, len(ran.out.splitlines())) == (1, 2)
    assert [line for line in ran.err.splitlines() if "cache" in line] == [
        f"warning: cannot keep a cache in {root / '.pleach_cache'}: File exists"
    ]
    assert run("clean").err == f"error: {root / '.pleach_cache'} was not made by pleach-lint, and is left alone\n"


def test_clean(project: Project, run: Run) -> None:
    """`clean` removes the cache of the project from anywhere in it, once."""
    root = project({"a.py": LEAK, "sub/b.py": LEAK})
    run()
    assert run("clean", "sub").err == f"removed {root / '.pleach_cache'}\n"
    again = run("clean")
    assert (again.code, again.err) == (0, f"there is no cache in {root / '.pleach_cache'}\n")


def test_clean_that_fails(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that cannot be removed is an error."""
    root = project({"a.py": LEAK})
    run()

    def refuse(_: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("shutil.rmtree", refuse)
    ran = run("clean")
    assert (ran.code, ran.err) == (2, f"error: {root / '.pleach_cache'} cannot be removed: Read-only file system\n")
