"""Tests for `pleach-lint map`: what a map holds, how it is drawn, and when it is a proof."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Project, Run

CLASSES = """
from typing import Literal
CallClass = Literal["utility", "reasoning", "converse", "synthesize"]
SYNTHESIZE = "synthesize"
class ProviderSeam:
    def __init__(self, call_class: CallClass) -> None: ...
"""
FACTORIES = """
from .classes import ProviderSeam
def utility_seam(): return ProviderSeam("utility")
def reasoning_seam(): return ProviderSeam("reasoning")
def converse_seam(): return ProviderSeam("converse")
def synthesize_seam(): return ProviderSeam("synthesize")
"""
SEAMS = {"seams/__init__.py": "", "seams/classes.py": CLASSES, "seams/factories.py": FACTORIES}
LEAK = 'resolve_model(call_class="utility")\n'
PROVEN = "proven: each class is carried by one factory and leaks nowhere"


def drawn(run: Run, *arguments: str) -> dict[str, Any]:
    """The map as JSON, read back."""
    read: dict[str, Any] = json.loads(run("map", "--output-format", "json", *arguments).out)
    return read


def part(run: Run, word: str) -> dict[str, Any]:
    """What the map of the working directory says of one class."""
    found: dict[str, Any] = next(each for each in drawn(run)["classes"] if each["class"] == word)
    return found


def test_a_map_that_is_a_proof(project: Project, run: Run) -> None:
    """Where each class has its factory and nobody else spells it, the map is a proof, and the exit code 0."""
    project({**SEAMS, "app.py": "def answer(seam): return seam.invoke()\n"})
    code, out, err = run("map")
    assert (code, err, out.splitlines()[-1]) == (0, "", PROVEN)
    assert [each["problems"] for each in drawn(run)["classes"]] == [[], [], [], []]
    assert part(run, "synthesize")["factories"] == [
        {"name": "synthesize_seam", "filename": "seams/factories.py", "cell": None, "location": {"row": 6, "column": 1}}
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param('def make_it(): return ProviderSeam("utility")', ["make_it"], id="any name"),
        pytest.param('def make(): return build(call_class="utility")', ["make"], id="any builder that takes a class"),
        pytest.param('def make(): return ProviderSeam[int]("utility")', ["make"], id="a generic builder"),
        pytest.param('def make():\n    s = ProviderSeam("utility")\n    return s', ["make"], id="by a name"),
        pytest.param('class S:\n    def one(self): return ProviderSeam("utility")', ["S.one"], id="a method"),
        pytest.param('def converse_seam(): return ProviderSeam("utility")', ["converse_seam"], id="a misleading name"),
        pytest.param("def utility_seam(deps): return deps.new()", ["utility_seam"], id="by its name alone"),
        pytest.param("def make() -> UtilitySeam: return deps.new()", [], id="another name without a word"),
        pytest.param("def converse_seam() -> UtilitySeam: ...", ["converse_seam"], id="by its return type"),
        pytest.param(
            'def converse_seam() -> ProviderSeam[Literal["utility"]]: ...', ["converse_seam"], id="by its literal type"
        ),
        pytest.param("@overload\ndef utility_seam() -> UtilitySeam: ...", [], id="an overload"),
        pytest.param("class P:\n    def utility_seam(self) -> UtilitySeam: ...", [], id="a protocol"),
        pytest.param('def check(seam): return as_seam(seam, "utility")', [], id="a check of what is called seam"),
        pytest.param('def check(x: UtilitySeam): return as_seam(x, "utility")', [], id="a check of what is typed so"),
        pytest.param('def name(): return str("utility")', [], id="a call that builds no seam"),
        pytest.param('def name(): return "utility"', [], id="no call"),
        pytest.param("def nothing():\n    return", [], id="nothing"),
        pytest.param("def name(word): return word", [], id="what is given"),
    ],
)
def test_factories(project: Project, run: Run, body: str, expected: list[str]) -> None:
    """A factory hands out what is built with a class; a usual name counts where the body does not tell."""
    project({"seams/__init__.py": f"{body}\n"})
    assert [factory["name"] for factory in part(run, "utility")["factories"]] == expected


def test_a_class_without_its_factory(project: Project, run: Run) -> None:
    """A class that no factory carries, or that two carry, breaks the proof."""
    project({**SEAMS, "seams/factories.py": FACTORIES.replace('"converse"', '"utility"')})
    code, out, _ = run("map")
    assert code == 1
    assert out.splitlines()[-1] == "not proven: utility is carried by 2 factories; converse is carried by no factory"


def test_a_stub_beside_its_source(project: Project, run: Run) -> None:
    """A stub repeats the factories of its source, and adds none."""
    project({**SEAMS, "seams/factories.pyi": FACTORIES})
    assert run("map").code == 0


@pytest.mark.parametrize("line", ["from pleach_runtime import SessionRuntime", "import pleach_runtime.seams"])
def test_factories_of_the_runtime(project: Project, run: Run, line: str) -> None:
    """A project that has no seams of its own and uses the runtime has the runtime's factories."""
    project({"app.py": f"{line}\n"})
    assert run("map").code == 0
    assert part(run, "converse")["factories"] == [
        {"name": "pleach_runtime.converse_seam", "filename": None, "cell": None, "location": None}
    ]
    assert "factory  pleach_runtime.converse_seam" in run("map").out


@pytest.mark.parametrize(
    ("code", "stage"),
    [
        pytest.param('NodeMetadata(stage_id="answer", accepts_seam="synthesize")', "answer", id="keywords"),
        pytest.param('{"stageId": "answer", "acceptsSeam": "synthesize"}', "answer", id="a mapping"),
        pytest.param('class A(Node):\n    accepts_seam = "synthesize"\n    stage = "answer"', "answer", id="a class"),
        pytest.param('class Answer(Node):\n    accepts_seam: str = "synthesize"', "Answer", id="named by the class"),
        pytest.param('@node(accepts_seam="synthesize")\ndef answer(): ...', "answer", id="named by the function"),
        pytest.param('answer = Node(accepts_seam="synthesize")', "answer", id="named by the assignment"),
        pytest.param('answer: Node = Node(accepts_seam="synthesize")', "answer", id="by a typed assignment"),
        pytest.param('Node(accepts_seam="synthesize")', "app", id="named by the file"),
        pytest.param('WORD = "synthesize"\nNode(id="answer", accepts_seam=WORD)', "answer", id="by a constant"),
        pytest.param("from seams.classes import SYNTHESIZE\nNode(id='x', accepts_seam=SYNTHESIZE)", "x", id="a seam's"),
    ],
)
def test_nodes(project: Project, run: Run, code: str, stage: str) -> None:
    """Whatever declares with `accepts_seam` is a node, under the name that stands nearest."""
    project({**SEAMS, "app.py": f"{code}\n"})
    assert [node["stage"] for node in part(run, "synthesize")["nodes"]] == [stage]


@pytest.mark.parametrize("call", ["create_llm_decision_node(seam, ", "decision_node("])
def test_the_decision_node(project: Project, run: Run, call: str) -> None:
    """The runtime's decision nodes declare the cheapest class without saying so; one without a stage is another's."""
    project({**SEAMS, "app.py": f'{call}stage_id="loop", ask=a, read=r)\ndecision_node(state)\n'})
    assert [node["stage"] for node in part(run, "utility")["nodes"]] == ["loop"]


def test_nodes_without_calls(project: Project, run: Run) -> None:
    """A node that declares None calls no model; a field that instances fill is no node."""
    project({"app.py": "Node(name='merge', accepts_seam=None)\nclass Meta:\n    accepts_seam: str | None = None\n"})
    assert [node["stage"] for node in drawn(run)["seam_free"]] == ["merge"]
    assert "no calls\n└─ node     merge  app.py:1:33" in run("map").out


def test_a_declaration_that_is_passed_on(project: Project, run: Run) -> None:
    """A function that passes a declaration on is no node; those that call it are."""
    code = "def make(accepts_seam): return Node(accepts_seam=accepts_seam)\nmake(accepts_seam='utility')\n"
    project({**SEAMS, "app.py": code})
    assert len(part(run, "utility")["nodes"]) == 1
    assert drawn(run)["undecided"] == []


def test_leaks(project: Project, run: Run) -> None:
    """A leak is shown with its class and rule, and breaks the proof."""
    project({**SEAMS, "app.py": LEAK})
    code, out, _ = run("map")
    assert code == 1
    assert "└─ leak     PCH001 callclass-value  app.py:1:26" in out
    assert out.splitlines()[-1] == "not proven: utility leaks in 1 place"


def test_a_leak_in_the_baseline(project: Project, run: Run) -> None:
    """A leak that the baseline holds is shown as hidden by it; one beside it is not."""
    root = project({**SEAMS, "app.py": LEAK})
    run("--write-baseline", ".")
    assert [leak["hidden_by"] for leak in part(run, "utility")["hidden"]] == ["baseline"]
    (root / "app.py").write_text(f"{LEAK}call_class = 'utility'\n")
    assert [leak["location"]["row"] for leak in part(run, "utility")["leaks"]] == [2]


@pytest.mark.parametrize(
    ("files", "by"),
    [
        pytest.param({"app.py": f"{LEAK[:-1]}  # noqa: PCH001\n"}, "comment", id="noqa"),
        pytest.param({"app.py": f"{LEAK[:-1]}  # pleach: ignore[callclass-value] old\n"}, "comment", id="pleach"),
        pytest.param({"app.py": LEAK, "pleach-lint.toml": "ignore = ['PCH001']"}, "configuration", id="ignore"),
        pytest.param({"app.py": LEAK, "pleach-lint.toml": "select = ['PCH002']"}, "configuration", id="select"),
        pytest.param(
            {"app.py": LEAK, "pleach-lint.toml": "per-file-ignores = {'*.py' = ['PCH0']}"},
            "configuration",
            id="per-file-ignores",
        ),
    ],
)
def test_what_hides_a_leak(project: Project, run: Run, files: dict[str, str], by: str) -> None:
    """A leak that something hides is shown with what hides it, and breaks no proof."""
    project({**SEAMS, **files})
    assert [leak["hidden_by"] for leak in part(run, "utility")["hidden"]] == [by]
    code, out, _ = run("map")
    assert (code, out.splitlines()[-1]) == (0, f"{PROVEN} (beside 1 hidden)")


@pytest.mark.parametrize(
    ("code", "what"),
    [
        pytest.param("import os\nresolve_model(call_class=os.environ['LANE'])", "os.environ['LANE']", id="environment"),
        pytest.param("call_class = load()", "load()", id="a call outside"),
        pytest.param("def f(): return load()\nresolve_model(call_class=f())", "f()", id="by a function"),
        pytest.param("lane = load()\nresolve_model(call_class=lane.x or None)", "lane.x or None", id="one of two"),
        pytest.param("resolve_model(call_class=load() if x else None)", "load() if x else None", id="one branch"),
        pytest.param("async def f(): resolve_model(call_class=await load())", "await load()", id="awaited"),
        pytest.param("Node(accepts_seam=load())", "declares load()", id="a declaration"),
        pytest.param("class Lane: ...\nresolve_model(call_class=Lane())", "Lane()", id="an object"),
        pytest.param("pick = lambda: load()\nresolve_model(call_class=pick())", "pick()", id="by a lambda"),
        pytest.param("def f(): log()\nresolve_model(call_class=f())", "f()", id="by a function without a value"),
        pytest.param("import os\nresolve_model(call_class=os.environ['A']['B'])", "os.environ['A']['B']", id="deeper"),
        pytest.param(f"resolve_model(call_class=load({'1' * 80}))", f"load({'1' * 54}…", id="a long expression"),
    ],
)
def test_undecided(project: Project, run: Run, code: str, what: str) -> None:
    """What the source leaves open is shown, and breaks no proof."""
    project({**SEAMS, "app.py": f"{code}\n"})
    assert [each["what"] for each in drawn(run)["undecided"]] == [what]
    assert run("map").out.splitlines()[-1] == f"{PROVEN} (beside 1 undecided)"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("def f(seam): return resolve_model(call_class=seam.call_class)", id="a seam's class"),
        pytest.param("def f(lane): return resolve_model(call_class=lane)", id="a parameter"),
        pytest.param("from seams.classes import SYNTHESIZE\nresolve_model(call_class=SYNTHESIZE)", id="a constant"),
        pytest.param("from seams.classes import WORDS\nresolve_model(call_class=WORDS[0])", id="an element"),
        pytest.param("from seams.classes import WORDS\na, b = WORDS\nresolve_model(call_class=a)", id="unpacked"),
        pytest.param("from seams.classes import WORDS\nresolve_model(call_class=choice(WORDS))", id="chosen"),
        pytest.param("from seams.classes import ProviderSeam\ncall_class = ProviderSeam(1)", id="made by the seams"),
        pytest.param("def f():\n    return f()\nresolve_model(call_class=f())", id="going round"),
        pytest.param("resolve_model(call_class=None)", id="nothing"),
        pytest.param("resolve_model(call_class={})", id="a container"),
        pytest.param("resolve_model(call_class='other')", id="another word"),
        pytest.param("resolve_model(call_class='oth' + 'er')", id="another word in pieces"),
        pytest.param("from seams.classes import LANES\nresolve_model(call_class=LANES[0])", id="an element, unknown"),
        pytest.param("from seams.classes import LANES\ncall_class = next(LANES)", id="one of many, unknown"),
    ],
)
def test_decided(project: Project, run: Run, code: str) -> None:
    """What comes from a seam, a parameter or a constant is looked at where it comes from."""
    project({**SEAMS, "seams/classes.py": f"{CLASSES}WORDS = (SYNTHESIZE,)\nLANES = load()\n", "app.py": f"{code}\n"})
    assert drawn(run)["undecided"] == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param("(accepts_seam", "not analysed: ", id="no Python"),
        pytest.param(b"accepts_seam = '\xff'", "not analysed: ", id="no text"),
        pytest.param(f"accepts_seam = {'(' * 300}1{')' * 300}", "not analysed: ", id="too deep"),
    ],
)
def test_not_analysed(project: Project, run: Run, content: str | bytes, reason: str) -> None:
    """A file that could declare a node and cannot be read breaks the proof, once."""
    project({**SEAMS, "app.py": content})
    read = drawn(run)
    assert [each["filename"] for each in read["not_analysed"]] == ["app.py"]
    assert read["not_analysed"][0]["what"].startswith(reason)
    assert run("map").out.splitlines()[-1] == "not proven: 1 file was not analysed"


def test_notebooks(project: Project, run: Run) -> None:
    """What stands in a notebook is told by cell and row."""
    cells = [["x = 1"], ["%matplotlib inline\n", "Node(accepts_seam='utility')\n", LEAK]]
    document = {"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4}
    project({**SEAMS, "app.ipynb": json.dumps(document)})
    (node,), (leak,) = (part(run, "utility")[key] for key in ("nodes", "leaks"))
    assert [(each["cell"], each["location"]["row"]) for each in (node, leak)] == [(2, 2), (2, 3)]
    assert "app.ipynb:cell 2:3:26" in run("map").out


def test_values_from_too_far_away(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A declaration that cannot be followed in good time leaves its file not analysed."""
    monkeypatch.setattr("pleach_lint.flow.tracing._STEPS", 1)
    project({**SEAMS, "app.py": "A = load()\nB = A\nNode(accepts_seam=B)\n"})
    (found,) = drawn(run)["not_analysed"]
    assert (found["filename"], found["what"]) == ("app.py", "not analysed: its values come from too far away")


def test_a_folder_that_is_a_file(project: Project, run: Run) -> None:
    """What cannot be opened is told as not analysed."""
    root = project(SEAMS)
    (root / "pipe.py").symlink_to("/dev/null")
    assert drawn(run, "pipe.py", "seams")["not_analysed"][0]["what"] == "not analysed: not a regular file"


def test_mermaid(project: Project, run: Run) -> None:
    """Mermaid gets labels in which nothing can be taken for its syntax."""
    code = 'Node(stage_id="a\\"]-->b", accepts_seam="utility")\nNode(accepts_seam=None)\n'
    project({**SEAMS, "app.py": f"{code}{LEAK}{LEAK[:-1]}  # noqa\ncall_class = load()\n"})
    _, out, err = run("map", "--output-format", "mermaid")
    assert out.startswith('flowchart LR\n  utility(("utility<br/>leaks in 1 place")):::leak\n')
    assert 'utility --> utility_n0("a#34;#93;--#62;b<br/>app.py:1:40")' in out
    assert 'utility_hidden0>"PCH001 hidden by comment<br/>app.py:4:26"]:::hidden -.-> utility' in out
    assert 'open0>"load()<br/>app.py:5:14"]:::open' in out
    assert 'free0("app (no calls)<br/>app.py:2:19")' in out
    assert err == "not proven: utility leaks in 1 place\n"


def test_a_map_in_a_file(project: Project, run: Run) -> None:
    """`--output` writes the map to a file, and the verdict to stderr."""
    root = project(SEAMS)
    assert run("map", "-o", "map.txt") == (0, "", f"{PROVEN}\n")
    assert (root / "map.txt").read_text().splitlines()[-1] == PROVEN
    assert run("map", "-q", "-o", "map.txt").err == ""


def test_paths_and_seams(project: Project, run: Run) -> None:
    """PATHS, `--seams` and `--config` choose what is drawn."""
    files = {f"app/{name}": text for name, text in SEAMS.items()}
    project({**{name.replace("seams", "own"): text for name, text in files.items()}, "x.toml": "seams = ['app/own']"})
    assert run("map", "app").code == 1
    assert run("map", "--seams", "app/own").code == 0
    assert run("map", "--config", "x.toml", "app/own").code == 0


def test_one_project_at_a_time(project: Project, run: Run) -> None:
    """Files of another project are left out, with a word about where they are."""
    root = project({**SEAMS, "other/pleach-lint.toml": "", "other/app.py": LEAK})
    (root / "other/pleach-lint.toml").write_text("strict = true")
    code, _, err = run("map")
    assert code == 0
    assert err == f"warning: left out 1 file of other projects; each has a map of its own: {root / 'other'}\n"


def test_no_seams(project: Project, run: Run) -> None:
    """Where no seam package is met, what to do about it is said."""
    project({"app.py": "x = 1\n"})
    assert "name the folder that makes your seams under `seams`, or with --seams" in run("map").err


def test_an_output_that_cannot_be_written(project: Project, run: Run) -> None:
    """A map that cannot be written is no answer, for a reason in one line."""
    project(SEAMS)
    code, _, err = run("map", "-o", "gone/map.html")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "cannot be written" in err


def test_no_files(project: Project, run: Run) -> None:
    """A map of nothing is no answer."""
    project({"README": ""})
    code, _, err = run("map")
    assert code == 2
    assert "no Python files found under the given paths; name the folder of your project" in err
