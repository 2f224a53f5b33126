"""Tests for `pleach_lint.discovery`, `pleach_lint.walk` and `pleach_lint.gitignore`."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

import pytest

from pleach_lint import walk
from pleach_lint.config.files import read_inline
from pleach_lint.config.governing import Configurations
from pleach_lint.discovery import Discovered, MissingPathError, discover, discover_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Project


def found(*paths: str, setting: str = "") -> Discovered:
    """What paths mean from the working directory, under one setting of the command line."""
    cwd = Path.cwd()
    overrides = (read_inline(setting, cwd),) if setting else ()
    return discover(paths or (".",), Configurations(cwd, overrides=overrides), cwd)


def shown(*paths: str, setting: str = "") -> list[str]:
    """The files that paths mean, as they are shown."""
    return [target.path for target in found(*paths, setting=setting).targets]


def test_a_walk_finds_python_files(project: Project) -> None:
    """A folder stands for the Python files below it, in the order of their paths."""
    project({"b/c.py": "", "b/a.pyi": "", "a.pyw": "", "b.py": "", "notes.txt": "", "n.ipynb": "{}", "script": "#!"})
    assert shown() == ["a.pyw", "b.py", "b/a.pyi", "b/c.py", "n.ipynb"]


def test_paths_overlap(project: Project) -> None:
    """A file is found once, however often it is named."""
    project({"a/b.py": "", "c.py": ""})
    assert shown("a", ".", "a/b.py", "./a/../c.py") == ["a/b.py", "c.py"]


def test_a_named_file_needs_no_suffix(project: Project) -> None:
    """A file that is named is checked whatever it is called."""
    project({"bin/tool": ""})
    assert shown("bin/tool") == ["bin/tool"]


def test_paths_outside(project: Project, tmp_path: Path) -> None:
    """A path outside the working directory is shown as an absolute one."""
    root = project({"a.py": ""})
    (tmp_path / "b.py").touch()
    assert shown("../b.py", str(root / "a.py")) == [str(tmp_path.resolve() / "b.py"), "a.py"]


def test_a_folder_called_like_a_file(project: Project) -> None:
    """A folder called `x.py` is a folder."""
    project({"x.py/inner.py": ""})
    assert shown() == shown("x.py") == ["x.py/inner.py"]


def test_missing_paths(project: Project) -> None:
    """Every path that does not exist is named."""
    project({"a.py": ""})
    with pytest.raises(MissingPathError) as caught:
        found("nosuch.py", "a.py", "gone", "a\0b")
    lines = str(caught.value).splitlines()
    assert lines[:2] == ["nosuch.py: No such file or directory", "gone: No such file or directory"]
    assert lines[2].startswith("'a\\x00b': ")


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        pytest.param(os.mkfifo, "not a regular file", id="a pipe"),
        pytest.param(lambda path: Path(path).touch(), "", id="a file"),
    ],
)
def test_a_named_file_that_cannot_be_read(project: Project, make: Callable[[str], None], problem: str) -> None:
    """What is no regular file is found as a problem when it is named, since reading it might never end."""
    project({})
    make("x.py")
    assert [target.problem for target in found("x.py").targets] == [problem]


def test_a_walk_passes_pipes_and_dangling_links(project: Project) -> None:
    """A walk leaves out what cannot hold code."""
    root = project({"a.py": ""})
    os.mkfifo(root / "pipe.py")
    (root / "dangling.py").symlink_to("nowhere.py")
    (root / "circle.py").symlink_to("circle.py")
    assert shown() == ["a.py"]


def test_links(project: Project) -> None:
    """Links to folders are not followed; a file is found once, under the first of its names."""
    root = project({"app/z.py": "", "other/pleach-lint.toml": "", "other/y.py": ""})
    (root / "app/loop").symlink_to("..")
    (root / "app/a.py").symlink_to("z.py")
    (root / "app/link.py").symlink_to("../other/y.py")
    targets = found("app").targets
    assert [(target.path, Path(target.real).name) for target in targets] == [
        ("app/a.py", "z.py"),
        ("app/link.py", "y.py"),
    ]
    assert [target.configuration.root for target in targets] == [str(root), str(root / "other")]


def test_a_folder_that_vanishes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is gone when its turn comes holds nothing."""
    root = project({"a.py": "", "b/c.py": ""})
    listing = os.scandir

    def scandir(folder: str) -> list[os.DirEntry[str]]:
        entries = list(listing(folder))
        rmtree(root / "b", ignore_errors=True)
        return entries

    monkeypatch.setattr(walk, "os", type("os", (), {"scandir": scandir, "sep": os.sep, "curdir": os.curdir}))
    assert shown() == ["a.py"]


def test_a_folder_that_cannot_be_listed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that the system does not show is a problem, not a silence."""
    project({"a.py": ""})

    def scandir(folder: str) -> None:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr(walk, "os", type("os", (), {"scandir": scandir, "sep": os.sep, "curdir": os.curdir}))
    (target,) = found().targets
    assert (target.path, target.problem) == (".", "the folder cannot be listed: Permission denied")


@pytest.mark.parametrize(
    ("setting", "left"),
    [
        pytest.param("", ["app/a.py", "app/gen/g.py", "mybuild/m.py"], id="the usual"),
        pytest.param("exclude = ['gen']", ["app/a.py", "build/b.py", "mybuild/m.py"], id="others instead"),
        pytest.param("extend-exclude = ['app/*']", ["mybuild/m.py"], id="others as well"),
    ],
)
def test_excludes(project: Project, setting: str, left: list[str]) -> None:
    """A walk leaves out what excludes name."""
    project({"app/a.py": "", "app/gen/g.py": "", "build/b.py": "", "mybuild/m.py": ""})
    assert shown(setting=setting) == left


def test_each_project_excludes_for_itself(project: Project) -> None:
    """Excludes are those of the configuration above an entry."""
    project({"pleach-lint.toml": "exclude = ['x']", "a/pleach-lint.toml": "", "a/x/b.py": "", "x/c.py": ""})
    assert shown() == ["a/x/b.py"]


@pytest.mark.parametrize(
    ("paths", "left", "excluded"),
    [
        pytest.param(["app/gen/g.py", "app/a.py"], ["app/a.py"], 1, id="in an excluded folder"),
        pytest.param(["app"], ["app/a.py"], 0, id="found by a walk"),
        pytest.param(["sub/gen/s.py"], ["sub/gen/s.py"], 0, id="where another configuration governs"),
        pytest.param(["gen/sub/t.py"], [], 1, id="in a project in an excluded folder"),
    ],
)
def test_force_exclude(project: Project, paths: list[str], left: list[str], excluded: int) -> None:
    """With `force-exclude`, a file that a walk from above would leave out is left out when it is named, and counted."""
    files = {"app/gen/g.py": "", "app/a.py": "", "sub/gen/s.py": "", "gen/sub/t.py": ""}
    config = {
        "pleach-lint.toml": "force-exclude = true\nexclude = ['gen']",
        "sub/pleach-lint.toml": "",
        "gen/sub/pleach-lint.toml": "",
    }
    project({**files, **config})
    discovered = found(*paths)
    assert [target.path for target in discovered.targets] == left
    assert discovered.excluded == excluded


def test_a_named_file_is_checked(project: Project) -> None:
    """Without `force-exclude`, a file that is named is checked though it is excluded."""
    project({"build/b.py": ""})
    assert shown("build/b.py") == ["build/b.py"]


def test_folders_above_the_root_exclude_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout below a folder called `build` is checked like any other."""
    root = tmp_path.resolve() / "build/checkout"
    (root / ".git").mkdir(parents=True)
    (root / "a.py").touch()
    monkeypatch.chdir(root)
    assert shown("a.py", setting="force-exclude = true") == shown() == ["a.py"]


@pytest.mark.parametrize(
    ("files", "left"),
    [
        pytest.param({".gitignore": "gen/\n*.tmp.py\n"}, ["a.py", "b/k.py"], id="folders and globs"),
        pytest.param({".gitignore": "gen\n", "b/.gitignore": "k.py"}, ["a.py", "c.tmp.py"], id="a nested file"),
        pytest.param({".gitignore": "*.py\n", "b/.gitignore": "!k.py"}, ["b/k.py"], id="a nested file that takes back"),
        pytest.param(
            {".gitignore": "!\n[z-a]\ngen\n"}, ["a.py", "b/k.py", "c.tmp.py"], id="lines that are no patterns"
        ),
        pytest.param({".gitignore": b"\xff\n/gen\n"}, ["a.py", "b/k.py", "c.tmp.py"], id="bytes that are no text"),
        pytest.param({".gitignore/x": ""}, ["a.py", "b/k.py", "c.tmp.py", "gen/g.py"], id="a folder of that name"),
        pytest.param({".gitignore": "*.py", "b/.git/HEAD": ""}, ["b/k.py"], id="a repository in the repository"),
    ],
)
def test_gitignore(project: Project, files: dict[str, str | bytes], left: list[str]) -> None:
    """A walk leaves out what git ignores."""
    project({"a.py": "", "b/k.py": "", "c.tmp.py": "", "gen/g.py": "", **files})
    assert shown() == left


def test_gitignore_around_the_start(project: Project, tmp_path: Path) -> None:
    """A walk that begins below the top of the repository obeys it, and nothing above it."""
    (tmp_path / ".gitignore").write_text("*.py\n")
    project({".gitignore": "gen", "a/gen/g.py": "", "a/b.py": ""})
    assert shown("a") == ["a/b.py"]


def test_gitignore_without_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a repository, the files count from where the walk begins."""
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / "x").mkdir()
    for name in ("a.py", "b.py", ".gitignore"):
        (tmp_path / "x" / name).write_text("b.py\n")
    monkeypatch.chdir(tmp_path)
    assert shown("x") == ["x/a.py"]


def test_gitignore_can_be_disregarded(project: Project) -> None:
    """`respect-gitignore = false` walks where git does not look."""
    project({".gitignore": "*.py", "a/.gitignore": "*.py", "a/b.py": ""})
    assert shown(setting="respect-gitignore = false") == ["a/b.py"]


def test_standard_input_has_a_name(project: Project) -> None:
    """Standard input is taken for a file that need not exist, and can be excluded like one."""
    root = project({"pleach-lint.toml": "force-exclude = true\nexclude = ['gen']"})
    configurations = Configurations(root)
    named = discover_named("app/new.py", configurations, root)
    assert [(target.path, target.real) for target in named.targets] == [("app/new.py", str(root / "app/new.py"))]
    assert discover_named("gen/new.py", configurations, root) == Discovered((), 1, from_stdin=True)
