"""Tests for `pleach_lint.baseline.entries`: the file of a baseline."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import pytest

from pleach_lint.baseline.entries import BaselineError, Entry, Identity, load, name_from, save

if TYPE_CHECKING:
    from pathlib import Path, PurePath

    from tests.conftest import Project, Run

NAME = "known.json"
FIRST = Entry("a.py", Identity("f", "PCH001", "utility", "00ff", 1), 'g("utility")')
SECOND = Entry("b.py", Identity("<module>", "PCH002", "", "00aa", 2), "é = 1")
HEAD = '{"pleach-lint-baseline": 1, "findings": ['


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """A file gives back what was put into it: sorted, and each entry once."""
    path = tmp_path / NAME
    save(path, [SECOND, FIRST, SECOND])
    assert load(path, NAME) == (FIRST, SECOND)
    assert path.read_bytes().isascii()


def test_the_line_of_an_entry_hangs_on_no_other(tmp_path: Path) -> None:
    """Each entry has one line, which is the same whatever stands around it."""
    path = tmp_path / NAME
    save(path, [FIRST])
    alone = path.read_text().splitlines()
    save(path, [FIRST, SECOND])
    both = path.read_text().splitlines()
    assert len(both) == len(alone) + 1
    assert set(alone) < set(both)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("\n", "\r\n", id="other line endings"),
        pytest.param("\n", "\n    ", id="indented"),
        pytest.param(",\nnull", "", id="without the last null"),
        pytest.param('{\n"p', '\ufeff{\n"p', id="a byte order mark"),
    ],
)
def test_the_layout_is_free(tmp_path: Path, old: str, new: str) -> None:
    """A file that another tool laid out anew says the same."""
    path = tmp_path / NAME
    save(path, [FIRST])
    path.write_text(path.read_text().replace(old, new), encoding="utf-8", newline="")
    assert load(path, NAME) == (FIRST,)


def test_entries_that_differ_in_their_words_for_people_are_one(tmp_path: Path) -> None:
    """How a statement was laid out when it was stored says nothing about which it is."""
    path = tmp_path / NAME
    save(path, [FIRST, FIRST._replace(statement="g('utility')")])
    assert len(load(path, NAME)) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", ":1: is not JSON: Expecting value; repair it, or delete it and run with", id="empty"),
        pytest.param(f"{HEAD}\n{{]".encode(), ":2: is not JSON: Expecting property name", id="broken in a line"),
        pytest.param(b"\xff", ": is not UTF-8 text; repair it", id="another encoding"),
        pytest.param(b"[" * 100_000, ": is not a baseline of pleach-lint; name another file", id="too deep"),
        pytest.param(b"[]", ": is not a baseline of pleach-lint; name another file with --baseline", id="a list"),
        pytest.param(b'{"name": "x"}', ": is not a baseline of pleach-lint", id="another object"),
        pytest.param(b'{"pleach-lint-baseline": 1}', ": is not a baseline of pleach-lint", id="without entries"),
        pytest.param(b'{"pleach-lint-baseline": "1", "findings": []}', ": is not a baseline", id="a version as text"),
        pytest.param(
            b'{"pleach-lint-baseline": 2, "entries": {}}',
            ": was written by a newer pleach-lint (version 2); upgrade this one",
            id="newer",
        ),
        pytest.param(
            f"{HEAD}\n<<<<<<< ours\nnull\n=======\n>>>>>>> theirs\n]}}".encode(),
            ":2: a merge is unfinished here; keep the lines of both sides, then run with --prune-baseline",
            id="an unfinished merge",
        ),
        pytest.param(
            f'{HEAD}\nnull,\n{{"file": "a.py"}}]}}'.encode(),
            ':3: an entry is not as pleach-lint writes it: {"file": "a.py"}; repair it',
            id="half an entry",
        ),
        pytest.param(f"{HEAD} 7]}}".encode(), ":1: an entry is not as pleach-lint writes it: 7;", id="a number"),
        pytest.param(
            f'{HEAD}\n{{"file":"a.py"}}]}}'.encode(), ": an entry is not as pleach-lint", id="half, laid out anew"
        ),
    ],
)
def test_what_is_no_baseline(tmp_path: Path, content: bytes, message: str) -> None:
    """A file that cannot be used is named with the line, where it is known, and with what to do."""
    path = tmp_path / NAME
    path.write_bytes(content)
    with pytest.raises(BaselineError) as error:
        load(path, NAME)
    assert str(error.value).startswith(f"{NAME}{message}")


@pytest.mark.parametrize(("key", "value"), [("occurrence", "0"), ("occurrence", "true"), ("file", "1"), ("in", "null")])
def test_values_of_other_types(tmp_path: Path, key: str, value: str) -> None:
    """An entry whose values are not of their types is refused, with its line."""
    path = tmp_path / NAME
    save(path, [SECOND, FIRST])
    lines = path.read_text().splitlines()
    before = {"occurrence": "1", "file": '"a.py"', "in": '"f"'}[key]
    lines[3] = lines[3].replace(f'"{key}": {before}', f'"{key}": {value}')
    path.write_text("\n".join(lines))
    with pytest.raises(BaselineError, match=r"known\.json:4: an entry is not as pleach-lint writes it"):
        load(path, NAME)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """What is not there, or is no file, is said to be so."""
    with pytest.raises(BaselineError, match=r"known\.json: there is no such baseline; --write-baseline makes it"):
        load(tmp_path / NAME, NAME)
    with pytest.raises(BaselineError, match=r"known\.json: cannot be read: Is a directory"):
        load(tmp_path, NAME)


@pytest.mark.parametrize("option", ["--verbose", "--write-baseline", "--prune-baseline"])
def test_a_foreign_file_is_never_overwritten(project: Project, run: Run, option: str) -> None:
    """A file that is not a baseline ends the run before anything is checked or written."""
    root = project({"m.py": 'resolve_model(call_class="utility")\n', "package.json": '{"name": "x"}'})
    assert run("--baseline", "package.json", option) == (
        2,
        "",
        "error: package.json: is not a baseline of pleach-lint; name another file with --baseline\n",
    )
    assert (root / "package.json").read_text() == '{"name": "x"}'


@pytest.mark.parametrize(
    ("path", "folder", "name"),
    [
        pytest.param(PurePosixPath("/p/app/m.py"), PurePosixPath("/p"), "app/m.py", id="below"),
        pytest.param(PurePosixPath("/p/app/m.py"), PurePosixPath("/p/ci/x"), "../../app/m.py", id="beside"),
        pytest.param(PurePosixPath("/m.py"), PurePosixPath("/"), "m.py", id="at the root"),
        pytest.param(PureWindowsPath(r"C:\p\app\m.py"), PureWindowsPath(r"C:\p"), "app/m.py", id="Windows"),
        pytest.param(PureWindowsPath(r"C:\p\m.py"), PureWindowsPath(r"C:\p\ci"), "../m.py", id="Windows, beside"),
        pytest.param(PureWindowsPath(r"D:\m.py"), PureWindowsPath(r"C:\p"), "D:/m.py", id="another drive"),
    ],
)
def test_names_of_files(path: PurePath, folder: PurePath, name: str) -> None:
    """A file has one name on all systems: as it lies from the baseline, with slashes."""
    assert name_from(path, folder) == name
