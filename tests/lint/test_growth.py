"""How the time of a check grows with what is checked, and where it ends."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from pleach_lint import engine
from pleach_lint.engine import check_source
from pleach_lint.flow import tracing
from pleach_lint.project import Project, Settings
from pleach_lint.screening import State
from tests.lint import generated

if TYPE_CHECKING:
    from pathlib import Path

    from pleach_lint.screening import Checked

MOST_SECONDS = 10
"""Of processor time, on a machine that does other things as well."""


def written(root: Path, files: dict[str, str]) -> list[Path]:
    """Write files, and name them."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return [root / name for name in files]


def seconds(root: Path, copies: int) -> float:
    """The processor time that a project of so many equal parts takes, measured three times, the best of them."""
    part = generated.project(Random(1), 12)  # noqa: S311 - nothing secret
    names = {f"part{copy}/{name}": text for copy in range(copies) for name, text in part.items()}
    paths = written(root, names)
    times = []
    for _ in range(3):
        project, start = Project(Settings(root)), time.process_time()
        for path in paths:
            check_source(path, path.read_bytes(), project)
        times.append(time.process_time() - start)
    return min(times)


def test_twice_the_files_take_twice_the_time(tmp_path: Path) -> None:
    """The time is a straight line of the number of files."""
    times = [seconds(tmp_path / str(copies), copies) for copies in (2, 4, 8, 16)]
    assert times[-1] / times[0] < 2.3**3, times


def checked(root: Path, files: dict[str, str]) -> Checked:
    """Check the last of the files, in good time."""
    *_, path = written(root, files)
    start = time.process_time()
    found = check_source(path, path.read_bytes(), Project(Settings(root)))
    assert time.process_time() - start < MOST_SECONDS
    return found


def modules(number: int, text: str, first: str) -> dict[str, str]:
    """A chain of modules, each of which imports the next; `{next}` in the text stands for its number."""
    return {"m0.py": first, **{f"m{n}.py": text.format(n=n, next=n - 1) for n in range(1, number + 1)}}


def lines(number: int, text: str) -> str:
    """A text many times, with the number of each in the place of `{n}` and the number before in that of `{next}`."""
    return "".join(text.format(n=n, next=n - 1) for n in range(1, number + 1))


def names(number: int) -> str:
    """A chain of constants from `a0`, a class, to the last."""
    return "a0 = 'utility'\n" + lines(number, "a{n} = a{next}\n")


FORWARD = "def f0(lane):\n    ask(call_class=lane)\n" + lines(2_000, "def f{n}(lane):\n    f{next}(lane)\n")
RESULTS = "def f0():\n    return 'utility'\n" + lines(2_000, "def f{n}():\n    return f{next}()\n")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"x = {' + '.join(['y'] * 5_000)}\nask(call_class='utility')\n", id="a sum of 5,000 names"),
        pytest.param(f"x = {' + '.join(['a'] * 5_000)}\nask(call_class='utility')\n".replace("a", "'z'", 1), id="text"),
        pytest.param(f"ask(call_class={' or '.join(['x'] * 5_000)} or 'utility')\n", id="5,000 alternatives"),
        pytest.param(f"{FORWARD}f2000('utility')\n", id="2,000 functions in a row"),
        pytest.param(f"{FORWARD}f0(f2000)\ndef f0(lane):\n    f2000(lane)\nask(call_class='utility')\n", id="a circle"),
        pytest.param(f"{names(5_000)}ask(call_class=a5000)\n", id="5,000 names"),
        pytest.param(
            f"{RESULTS}ask(call_class=f2000())\n",
            id="2,000 results",
        ),
        pytest.param(
            "".join(f"{'  ' * n}for i{n} in x:\n" for n in range(19)) + f"{'  ' * 19}ask(call_class='utility')\n",
            id="19 nested loops",
        ),
    ],
)
def test_odd_files_take_little_time(tmp_path: Path, text: str) -> None:
    """However odd a file is, its one finding is found in good time."""
    assert len(checked(tmp_path, {"m.py": text}).findings) == 1


@pytest.mark.parametrize(
    ("text", "first", "use"),
    [
        pytest.param("from m{next} import LANE\n", "LANE = 'utility'\n", "LANE", id="an import of a name"),
        pytest.param("from m{next} import *\n", "LANE = 'utility'\n", "LANE", id="a star import"),
        pytest.param("import m{next}\nLANE = m{next}.LANE\n", "LANE = 'utility'\n", "LANE", id="an attribute"),
    ],
)
def test_long_chains_of_modules(tmp_path: Path, text: str, first: str, use: str) -> None:
    """A constant that comes through a thousand modules is found in good time."""
    files = modules(1_000, text, first)
    found = checked(tmp_path, {**files, "a.py": f"from m1000 import LANE\nask(call_class={use})\n"})
    assert [finding.related[0].filename for finding in found.findings] == [str(tmp_path / "m0.py")]


def test_a_long_route_is_told_in_short(tmp_path: Path) -> None:
    """A message gives the first and the last of many names on the way."""
    found = checked(tmp_path, {"m.py": f"{names(9)}ask(call_class=a9)\n"})
    assert "through `a9`, `a8`, `a7`, `a6`, `a5`, 4 more, `a0`; " in found.findings[0].message


def test_a_file_that_is_too_long(tmp_path: Path) -> None:
    """A file of ten megabytes is not analysed, and says so; without anything of ours in it, it is let through."""
    text = "x = [1, 2, 3, 4, 5, 6, 7, 8]\n" * 350_000
    found = checked(tmp_path, {"m.py": f"{text}ask(call_class='utility')\n"})
    assert found.state is State.NOT_ANALYSED
    assert "longer than 2,500,000 characters" in found.findings[0].message
    assert checked(tmp_path, {"m.py": text}).state is State.WITHOUT_CLASS_WORDS


PASSED_ON = "def g(z: dict[str, CallClass]):\n    pass\ndef f(x):\n    g(x or {'k': a40})\n"
FURTHER = {
    "_STEPS": f"{names(40)}def f(x):\n    g(call_class=a40, y=x)\n",
    "_STEPS_OF_MODULE": f"{names(40)}def f(x):\n    g(call_class=a40, y=x)\n",
    "_STEPS of what is passed on": f"{names(40)}{PASSED_ON}",
}


@pytest.mark.parametrize("limit", FURTHER)
def test_values_that_come_from_too_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """Where values take more steps than a file is worth, it is not analysed, alone or after others."""
    monkeypatch.setattr(tracing, limit.split(maxsplit=1)[0], 30)
    a, b = written(tmp_path, {"a.py": FURTHER[limit], "b.py": "from a import f\nf('utility')\n"})
    project = Project(Settings(tmp_path))
    for _ in range(2):
        found = [check_source(path, path.read_bytes(), project) for path in (b, a)]
        assert [each.state for each in found] == [State.NOT_ANALYSED, State.NOT_ANALYSED]
        assert "its values come from further away than can be followed" in found[0].findings[0].message


@pytest.mark.parametrize("value", ["a400", "'' + a400"])
def test_a_stack_that_is_too_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Where the stack is too small for a file, it is not analysed; where it is large again, it is."""
    a, b = written(tmp_path, {"a.py": f"{names(400)}ask(call_class={value})\n", "b.py": "ask(call_class='utility')\n"})
    project = Project(Settings(tmp_path))
    with monkeypatch.context() as here:
        here.setattr(engine, "with_deep_stack", lambda function: function())
        assert check_source(a, a.read_bytes(), project).state is State.NOT_ANALYSED
    assert [len(check_source(path, path.read_bytes(), project).findings) for path in (a, b)] == [1, 1]
