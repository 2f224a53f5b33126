"""Tests for `pleach_lint.config`: what files say, which file governs, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_lint.config.files import read_file, read_inline
from pleach_lint.config.governing import Configurations
from pleach_lint.config.layer import AUTO_JOBS, KEYS
from pleach_lint.config.table import ConfigError
from pleach_lint.patterns import Pattern

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_lint.config.effective import Configuration
    from tests.conftest import Project

EVERY_KEY = """
[tool.pleach-lint]
seams = ["app/seams"]
source-roots = ["lib"]
strict = true
names = ["lane"]
callables = ["pkg.mod:Client.ask:0", "pkg.mod:ask:lane"]
select = ["ALL"]
extend-select = ["PCH001"]
ignore = ["callclass-text"]
exclude = ["gen"]
extend-exclude = ["old/*"]
force-exclude = true
respect-gitignore = false
output-format = "json"
cache-dir = "kept"
baseline = "known.json"
require-reasons = true
jobs = 2
[tool.pleach-lint.per-file-ignores]
"tests/*" = ["PCH00"]
"""


def governing(root: Path, folder: str = ".") -> Configuration:
    """The configuration of a folder of a project."""
    return Configurations(root).governing((root / folder).resolve())


def refusal(root: Path) -> str:
    """What is said of a configuration that cannot be obeyed."""
    with pytest.raises(ConfigError) as caught:
        governing(root)
    return str(caught.value)


def test_every_key_is_read(project: Project) -> None:
    """Each key arrives as a value of its type."""
    root = project({"pyproject.toml": EVERY_KEY})
    said = governing(root).merged
    assert all(getattr(said, key) is not None for key in KEYS)
    assert said.seams == (Pattern("app/seams", str(root)),)
    assert (said.strict, said.force_exclude, said.respect_gitignore) == (True, True, False)
    assert (said.output_format, said.jobs, said.names) == ("json", 2, ("lane",))
    assert said.cache_dir == str(root / "kept")
    assert said.baseline == str(root / "known.json")
    assert [entry.name for entry in said.ignore or ()] == ["callclass-text"]


def test_as_many_processes_as_pay(project: Project) -> None:
    """The number of processes may be left to us in words."""
    assert governing(project({"pleach-lint.toml": "jobs = 'auto'"})).merged.jobs == AUTO_JOBS


def test_what_the_analysis_depends_on(project: Project) -> None:
    """The settings of the analysis hold paths relative to the root."""
    settings = governing(project({"pyproject.toml": EVERY_KEY})).settings
    assert settings.seams == ("app/seams",)
    assert settings.source_roots == ("lib",)
    assert settings.strict
    assert settings.callables == ("pkg.mod:Client.ask:0", "pkg.mod:ask:lane")


def test_without_a_file(project: Project) -> None:
    """Where no file governs, defaults do, from the top of the repository."""
    root = project({"a/b.py": ""})
    found = governing(root, "a")
    assert (found.root, found.file, found.seams) == (str(root), None, ())
    assert found.merged.jobs == AUTO_JOBS
    assert found.excluded.matches(str(root), "node_modules")


def test_without_a_repository(tmp_path: Path) -> None:
    """Where there is neither file nor repository, the working directory is the root."""
    assert governing(tmp_path.resolve()).root == str(tmp_path.resolve())


@pytest.mark.parametrize(
    ("files", "governs"),
    [
        pytest.param({"pyproject.toml": "[tool.pleach-lint]"}, "pyproject.toml", id="pyproject.toml"),
        pytest.param({"pleach-lint.toml": ""}, "pleach-lint.toml", id="an empty file of our own"),
        pytest.param(
            {"pyproject.toml": "[tool.pleach-lint]", "pleach-lint.toml": "", ".pleach-lint.toml": ""},
            ".pleach-lint.toml",
            id="the hidden file first",
        ),
        pytest.param(
            {"pleach-lint.toml": "", "a/pyproject.toml": "[project]\nname = 'pleach-lint'"},
            "pleach-lint.toml",
            id="a nearer file without our table does not count",
        ),
        pytest.param(
            {"pleach-lint.toml": "", "a/pyproject.toml": "tool = 1 # pleach-lint"}, "pleach-lint.toml", id="no tools"
        ),
        pytest.param(
            {"pleach-lint.toml": "", "a/pyproject.toml": "not TOML at all ]"}, "pleach-lint.toml", id="a foreign ruin"
        ),
        pytest.param(
            {"pleach-lint.toml": "", "a/pyproject.toml": "[tool.pleach-lint]"}, "a/pyproject.toml", id="the nearest"
        ),
        pytest.param(
            {"pleach-lint.toml": "", "a/pyproject.toml/x": ""}, "pleach-lint.toml", id="a folder of that name"
        ),
    ],
)
def test_the_nearest_file_with_settings_governs(project: Project, files: dict[str, str], governs: str) -> None:
    """Of the files above, the nearest that has settings for us governs alone."""
    root = project({"a/b/c.py": "", **files})
    assert governing(root, "a/b").file == governs


def test_settings_are_not_merged(project: Project) -> None:
    """A nearer file hides a farther one whole."""
    root = project({"pleach-lint.toml": "strict = true", "a/pleach-lint.toml": "names = ['lane']"})
    assert governing(root, "a").settings.strict is False


def test_extend_inherits(project: Project) -> None:
    """A file that extends another replaces what it says itself, and adds up what is made to add up."""
    base = "strict = true\nnames = ['lane']\nextend-exclude = ['gen']\nseams = ['pkg/seams']"
    heir = "extend = '../pleach-lint.toml'\nnames = []\nextend-exclude = ['old']"
    found = governing(project({"pleach-lint.toml": base, "pkg/pleach-lint.toml": heir}), "pkg")
    assert found.settings.strict
    assert found.settings.names == ()
    assert found.seams == ("seams",)
    assert found.origin_of("extend_exclude") == "pkg/pleach-lint.toml, pleach-lint.toml"
    assert all(found.excluded.matches(found.root, name) for name in ("gen", "old"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param({"pleach-lint.toml": "extend = 'x.toml'"}, "x.toml, which does not exist", id="missing"),
        pytest.param(
            {"pleach-lint.toml": "extend = 'pleach-lint.toml'"}, "pleach-lint.toml -> pleach-lint.toml", id="itself"
        ),
        pytest.param(
            {"pleach-lint.toml": "extend = 'b.toml'", "b.toml": "extend = 'pleach-lint.toml'"},
            "b.toml: `extend` comes back to where it began: pleach-lint.toml -> b.toml -> pleach-lint.toml",
            id="in a circle",
        ),
        pytest.param(
            {"pleach-lint.toml": "extend = 'a/pyproject.toml'", "a/pyproject.toml": ""},
            "pleach-lint.toml: `extend` names a/pyproject.toml, which has no [tool.pleach-lint]",
            id="without our table",
        ),
    ],
)
def test_extend_that_leads_nowhere(project: Project, files: dict[str, str], message: str) -> None:
    """A file that is inherited from must exist, speak to us, and not inherit from its heir."""
    assert message in refusal(project(files))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("exlude = []", "`exlude` is not a key of pleach-lint; did you mean `exclude`?", id="a slip"),
        pytest.param("extend_exclude = []", "did you mean `extend-exclude`?", id="an underscore"),
        pytest.param("banana = 1", "`banana` is not a key of pleach-lint", id="nothing like it"),
        pytest.param("exclude = 'x'", '`exclude` must be a list of strings, not a string; write ["x"]', id="a string"),
        pytest.param("exclude = 1", "`exclude` must be a list of strings, not an integer", id="a number for a list"),
        pytest.param("exclude = [1.5]", "but holds a float", id="a number in a list"),
        pytest.param("strict = 'yes'", "`strict` must be true or false, not a string", id="a word for a boolean"),
        pytest.param("strict = 1", "`strict` must be true or false, not an integer", id="a number for a boolean"),
        pytest.param("extend = 2020-01-01", "must be a string, not a date or time", id="a date for a string"),
        pytest.param("jobs = 0", 'must be a whole number from 1 up, or "auto", not 0', id="no process"),
        pytest.param("jobs = true", "not True", id="a boolean for a number"),
        pytest.param("output-format = 'jsn'", "must be one of full, concise, json, json-lines, github,", id="a choice"),
        pytest.param("select = ['PCH9O9']", "holds an unknown rule `PCH9O9`; did you mean `PCH999`?", id="a code"),
        pytest.param("per-file-ignores = []", "must be a table of lists, not a list", id="a list for a table"),
        pytest.param("per-file-ignores = {x = 'PCH001'}", 'write ["PCH001"]', id="a string in a table"),
        pytest.param("callables = ['ask']", 'holds `ask`; write "package.module:function:0"', id="half a callable"),
    ],
)
def test_a_wrong_value_is_refused(project: Project, text: str, message: str) -> None:
    """The message names the file, the line and the key, and what to write instead."""
    said = refusal(project({"pyproject.toml": f"[project]\nname = 'x'\n\n[tool.pleach-lint]\n{text}\n"}))
    assert said.startswith("pyproject.toml:5: ")
    assert message in said


def test_a_wrong_value_in_a_table_of_its_own(project: Project) -> None:
    """A key that is written as a header has the line of its header."""
    text = "[tool.pleach-lint]\n\n[tool.pleach-lint.per-file-ignores]\nx = 1\n"
    assert refusal(project({"pyproject.toml": text})).startswith("pyproject.toml:3: `per-file-ignores` must be a list")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"[tool.pleach-lint\n", "pyproject.toml:1: is not valid TOML: ", id="broken TOML"),
        pytest.param(b"\xef\xbb\xbf[tool.pleach-lint]", "pyproject.toml:1: starts with a byte order mark", id="a mark"),
        pytest.param(b"[tool.pleach-lint]\n# \xe9", "pyproject.toml:2: is not UTF-8 text", id="Latin-1"),
        pytest.param("[tool.pleach-lint]".encode("utf-16"), "pyproject.toml:1: is not UTF-8 text", id="UTF-16"),
        pytest.param(b"[[tool.pleach-lint]]", "pyproject.toml: `tool.pleach-lint` must be one table", id="two tables"),
        pytest.param(b"[tool.pleach_lint]", "[tool.pleach_lint] is spelled [tool.pleach-lint]", id="a misspelt table"),
        pytest.param(b'[tool.pleach-lint]\nseams = ["', "pyproject.toml: is not valid TOML: ", id="cut short"),
    ],
)
def test_a_broken_file_is_refused(project: Project, data: bytes, message: str) -> None:
    """A file that cannot be read is an error with a hint, never silence."""
    assert message in refusal(project({"pyproject.toml": data}))


def test_an_unreadable_file_is_refused(project: Project) -> None:
    """A file that the system refuses to give is an error."""
    root = project({})
    (root / "pleach-lint.toml").symlink_to("pleach-lint.toml")
    assert refusal(root).startswith("pleach-lint.toml: cannot be read: ")


def test_a_setting_of_the_command_line(tmp_path: Path) -> None:
    """`--config 'key = value'` is read as a file would be; its paths start from the working directory."""
    layer = read_inline("seams = ['x/y']", tmp_path)
    assert layer.seams == (Pattern("x/y", str(tmp_path)),)
    with pytest.raises(ConfigError, match=r"^--config 'a = ': is not valid TOML"):
        read_inline("a = ", tmp_path)


def test_the_command_line_stands_over_files(project: Project) -> None:
    """What is said on the command line counts, whatever the file says."""
    root = project({"pleach-lint.toml": "strict = true\nnames = ['lane']"})
    overrides = (read_inline("strict = false", root),)
    found = Configurations(root, overrides=overrides).governing(root)
    assert found.settings.strict is False
    assert found.settings.names == ("lane",)
    assert found.origin_of("strict") == "--config 'strict = false'"


def test_isolated_reads_nothing(project: Project) -> None:
    """An isolated run obeys no file."""
    root = project({"pleach-lint.toml": "strict = true"})
    assert Configurations(root, isolated=True).governing(root).file is None


@pytest.mark.parametrize(
    ("cwd", "root", "seams"),
    [
        pytest.param(".", ".", ("conf/x",), id="a file in a folder below: the working directory"),
        pytest.param("conf/deep", "conf", ("x",), id="a file above: its folder"),
    ],
)
def test_a_given_file_governs_everything(project: Project, cwd: str, root: str, seams: tuple[str, ...]) -> None:
    """A file that is named governs every folder; its paths are relative to it."""
    top = project({"conf/p.toml": "seams = ['x']", "conf/deep/a.py": "", "b/pleach-lint.toml": "strict = true"})
    found = Configurations(top / cwd, file=top / "conf/p.toml").governing(top / "b")
    assert (found.root, found.seams, found.settings.strict) == (str((top / root).resolve()), seams, False)


def test_a_given_file_must_speak_to_us(project: Project) -> None:
    """A file that is named must exist and hold settings for us."""
    root = project({"pyproject.toml": ""})
    with pytest.raises(ConfigError, match=r"pyproject.toml: does not exist, or has no \[tool.pleach-lint\]"):
        Configurations(root, file=root / "pyproject.toml")
    assert read_file(root / "absent.toml", root) == ()


@pytest.mark.parametrize(
    ("path", "off"),
    [
        pytest.param("tests/deep/a.py", {"PCH001"}, id="below a folder"),
        pytest.param("app/conftest.py", {"PCH002"}, id="by name"),
        pytest.param("app/a.py", set(), id="neither"),
        pytest.param("gen/a.py", {f"PCH00{digit}" for digit in "123456"}, id="everything that may be ignored"),
    ],
)
def test_rules_of_one_file(project: Project, path: str, off: set[str]) -> None:
    """`per-file-ignores` switches rules off in the files that its patterns mean."""
    text = "[per-file-ignores]\ntests = ['PCH001']\n'conftest.py' = ['PCH002']\n'gen/*' = ['ALL']"
    root = project({"pleach-lint.toml": text})
    found = governing(root)
    assert found.codes - found.codes_for(str(root / path)) >= off
    assert {"PCH999"} <= found.codes_for(str(root / path))
