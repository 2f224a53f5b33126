"""Tests for `pleach_lint.rewriting`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pleach_lint.rewriting import RewriteError, replace_file

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    """New content takes the place of the old; the mode stays, and nothing else is left in the folder."""
    file = tmp_path / "run.py"
    file.write_bytes(b"old")
    file.chmod(0o750)
    replace_file(file, b"new\r\n", before=b"old")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new\r\n", 0o750)
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    """A file that was not there can be read by whom other new files can be read."""
    usual = tmp_path / "usual"
    usual.touch()
    replace_file(tmp_path / "made", b"x")
    assert (tmp_path / "made").stat().st_mode == usual.stat().st_mode


def test_a_link_stays(tmp_path: Path) -> None:
    """What a link leads to is written, in its own folder."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "real.py").write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to("far/real.py")
    replace_file(link, b"new", before=b"old")
    assert link.is_symlink()
    assert (tmp_path / "far" / "real.py").read_bytes() == b"new"


def test_what_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """A file that does not hold what it held any more is not written."""
    file = tmp_path / "m.py"
    file.write_bytes(b"edited")
    with pytest.raises(RewriteError, match=r"m\.py: changed while it was looked at, so it was left alone; run again"):
        replace_file(file, b"new", before=b"old")
    assert file.read_bytes() == b"edited"


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Where there is no folder, the reason is said in plain words."""
    with pytest.raises(RewriteError, match=r"m\.py: cannot be written: No such file or directory"):
        replace_file(tmp_path / "gone" / "m.py", b"new")


@pytest.mark.parametrize("mode", [0o444, 0o644], ids=["to all, root too", "to us"])
def test_a_read_only_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    """A file that its owner protects is not replaced, and nothing unfinished stays."""
    file = tmp_path / "m.py"
    file.write_bytes(b"old")
    file.chmod(mode)
    monkeypatch.setattr(os, "access", lambda *_: mode == 0o444)  # root may write everything
    with pytest.raises(RewriteError, match="it is read-only"):
        replace_file(file, b"new")
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == b"old"
