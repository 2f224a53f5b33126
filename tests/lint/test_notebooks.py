"""Tests for notebooks: what is checked of them, and where findings are said to be."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Project, Run

LEAK = 'f(call_class="utility")\n'


def code(source: str | list[str], **more: object) -> dict[str, object]:
    """A code cell."""
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source, **more}


def prose(source: str) -> dict[str, object]:
    """A cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def notebook(*cells: dict[str, object], **metadata: object) -> str:
    """A notebook, as Jupyter writes it."""
    contents = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(contents, indent=1, ensure_ascii=False)


def places(out: str) -> list[str]:
    """Where a concise report has its findings, with their codes."""
    return [" ".join(line.split(" ")[:3]).removeprefix("n.ipynb:") for line in out.splitlines()]


def test_findings_name_their_cell(project: Project, run: Run) -> None:
    """All cells are counted; rows and columns are those of the cell."""
    project({"n.ipynb": notebook(prose("# Title"), code("x = 1"), code(["import os\n", "\n", LEAK]))})
    ran = run()
    assert ran.code == 1
    assert places(ran.out) == ["cell 3:3:14: PCH001"]


def test_cells_are_one_module(project: Project, run: Run) -> None:
    """What one cell defines is followed into the next, and reported where it is spelled."""
    project(
        {
            "n.ipynb": notebook(
                code('LANE = "utility"'), code("def ask(lane):\n    f(call_class=lane)"), code("ask(LANE)")
            )
        }
    )
    assert places(run().out) == ["cell 1:1:8: PCH001"]


def test_messages_name_cells(project: Project, run: Run) -> None:
    """A row that a message names is one of a cell, and so is a place that belongs to the finding."""
    project({"n.ipynb": notebook(code("def ask(lane):\n    f(call_class=lane)"), code("x = 1\nask('utility')"))})
    full = run("--output-format", "full").out
    assert "(argument of `ask(lane=)` (n.ipynb:cell 1:1) " in full
    assert "= note: n.ipynb:cell 1:1:9: `ask(lane=)` takes a call class" in full


def test_modules_are_followed_into_notebooks(project: Project, run: Run) -> None:
    """A notebook imports as a module does; only the module has a place without a cell."""
    project(
        {"consts.py": 'LANE = "utility"\n', "n.ipynb": notebook(code("from consts import LANE\nf(call_class=LANE)"))}
    )
    (found,) = json.loads(run("--output-format", "json").out)
    assert (found["cell"], found["location"]) == (1, {"row": 2, "column": 14})
    assert [(place["filename"], place["cell"]) for place in found["related"]] == [("consts.py", None)]


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(f"%load_ext autoreload\n{LEAK}", id="a magic"),
        pytest.param(f"!echo 'it\n{LEAK}", id="the shell, with a quote"),
        pytest.param(f"?f\n{LEAK}", id="help before"),
        pytest.param(f"f.g??\n{LEAK}", id="help behind"),
        pytest.param(f"files = !ls (\n{LEAK}", id="what the shell prints"),
        pytest.param(f"d['x'] = %sx ls\n{LEAK}", id="what a magic returns"),
        pytest.param(f"%%time\n{LEAK}", id="a cell that is timed"),
        pytest.param(f"\n%%capture out\n{LEAK[:-1]}", id="a cell whose output is kept"),
        pytest.param(f"%%with_model gpt\n{LEAK}", id="a magic that nobody knows, over Python"),
        pytest.param(f"if x:\n    %cd ..\n{LEAK}", id="a magic in a block"),
        pytest.param(f"%sql\n{LEAK}", id="a magic above Python"),
        pytest.param(f"!pip install \\\n  pleach\n{LEAK}", id="a command over two rows"),
        pytest.param(f"pip install pleach\n{LEAK}", id="a command that does not say so"),
        pytest.param(f"ls -l\n%cd ..\nrun - 1\n{LEAK}", id="a subtraction"),
        pytest.param(f"x = (1\n% 2)\n{LEAK}", id="a remainder"),
        pytest.param(f"x = (1\n% 2)\n%cd ..\n{LEAK}", id="a remainder and a magic"),
        pytest.param(f'x = """\n%cd "..\n"""; y = 1\n%cd ..\n{LEAK}', id="a magic in a string"),
        pytest.param(f"x = '''\n!'''\n%cd ..\n{LEAK}", id="a string over two rows"),
        pytest.param(f"x = 'a\\\n!'\n%cd ..\n{LEAK}", id="a string that goes on"),
        pytest.param(f"x = 1 # (\n%cd ..\n{LEAK}", id="a bracket in a comment"),
        pytest.param(f"x = 7 \\\n  % 2\n%cd ..\n{LEAK}", id="a row that goes on"),
        pytest.param(f"await f()\n%cd\n{LEAK}", id="what is awaited"),
    ],
)
def test_what_ipython_adds(project: Project, run: Run, cell: str) -> None:
    """What is no Python is left out, and nothing moves."""
    project({"n.ipynb": notebook(code(cell))})
    row = cell.rstrip("\n").count("\n") + 1
    assert places(run().out) == [f"cell 1:{row}:14: PCH001"]


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        pytest.param('%time f(call_class="utility")', "1:20", id="timed"),
        pytest.param('%timeit -n 10 -r 3 f(call_class="utility")', "1:33", id="with options"),
        pytest.param('%px --noblock f(call_class="utility")', "1:28", id="in other processes"),
        pytest.param('x = %time f(call_class="utility")', "1:24", id="with a result"),
        pytest.param('if x:\n    %prun -q f(\n        call_class="utility")', "3:20", id="over two rows, in a block"),
    ],
)
def test_what_a_magic_runs(project: Project, run: Run, cell: str, place: str) -> None:
    """Python behind a magic is checked, and shown as it stands."""
    project({"n.ipynb": notebook(code(cell))})
    assert places(run().out) == [f"cell 1:{place}: PCH001"]
    row = cell.rsplit("\n", maxsplit=1)[-1]
    assert f"| {row}\n" in run("--output-format", "full").out


def test_rows_that_go_on_to_the_end_of_a_cell(project: Project, run: Run) -> None:
    """A command over several rows, with no line break behind it, moves nothing in later cells."""
    project({"n.ipynb": notebook(code("!pip install \\\n  pleach \\\n  lint"), code(LEAK))})
    assert places(run().out) == ["cell 2:1:14: PCH001"]


def test_an_argument_without_end(project: Project, run: Run) -> None:
    """Behind a magic, Python is looked for so far and no further; what is left over is told."""
    project(
        {"n.ipynb": notebook(code("%time f(\n" + "x,\n" * 1_000 + 'call_class="utility")'), code("%cd (\n" * 3_000))}
    )
    assert places(run().out) == ["cell 1:1002:1: PCH999"]


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(code(f"%%bash\n{LEAK}"), id="a shell"),
        pytest.param(code("%%custom\nSELECT 'utility' AS call_class FROM t"), id="a magic that nobody knows"),
        pytest.param(code("%sql\nSELECT 'utility' AS call_class FROM t"), id="a language of Databricks"),
        pytest.param(code("%timeit -n 3 for x in y: f('utility')\n%time"), id="what is no statement behind a magic"),
        pytest.param(code('%R call_class = "utility"\nx = %R call_class = "utility"'), id="a row in R"),
        pytest.param(code(LEAK, metadata={"vscode": {"languageId": "fsharp"}}), id="a language of its own"),
        pytest.param(prose(LEAK), id="text"),
        pytest.param({"cell_type": "raw", "metadata": {}, "source": LEAK}, id="neither text nor code"),
    ],
)
def test_cells_that_are_not_python(project: Project, run: Run, cell: dict[str, object]) -> None:
    """A cell in another language is left alone."""
    project({"n.ipynb": notebook(cell)})
    assert run().code == 0


@pytest.mark.parametrize(
    ("metadata", "number"),
    [
        pytest.param({"language_info": {"name": "R"}}, 0, id="R"),
        pytest.param({"kernelspec": {"language": "julia", "name": "j"}}, 0, id="Julia, by its kernel"),
        pytest.param({"kernelspec": {"language": "python"}}, 1, id="Python, by its kernel"),
        pytest.param({"language_info": {"name": "ipython"}}, 1, id="IPython"),
        pytest.param({"language_info": {"name": "R"}, "kernelspec": {"language": "python"}}, 1, id="both"),
        pytest.param({"kernelspec": {"name": "mine"}}, 1, id="a kernel that does not say"),
        pytest.param({"kernelspec": "?", "language_info": {"name": 3}}, 1, id="nonsense"),
    ],
)
def test_languages(project: Project, run: Run, metadata: dict[str, object], number: int) -> None:
    """A notebook whose kernel speaks another language has no Python; one that does not say has."""
    project({"n.ipynb": notebook(code(LEAK), **metadata)})
    assert len(places(run().out)) == number


def test_format_3(project: Project, run: Run) -> None:
    """In the format before, cells lie in worksheets, and their source has another name."""
    cells = [prose("a"), {"cell_type": "code", "language": "python", "input": ["x = 1\n", LEAK], "outputs": []}]
    other = {"cell_type": "code", "language": "ruby", "input": LEAK}
    sheets = [{"cells": cells}, {"cells": [other, cells[1]]}]
    project({"n.ipynb": json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": sheets}, indent=1)})
    found = json.loads(run("--output-format", "json").out)
    assert [(each["cell"], each["location"]["row"]) for each in found] == [(2, 2), (4, 2)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param('{"cells": [', "1:1: PCH999 not analysed: not a notebook: no valid JSON (Expecting", id="cut off"),
        pytest.param(
            '{\n"cells": x}', "2:1: PCH999 not analysed: not a notebook: no valid JSON (Expecting", id="a word"
        ),
        pytest.param(LEAK, "1:1: PCH999 not analysed: not a notebook: no valid JSON", id="Python"),
        pytest.param("[]", "1:1: PCH999 not analysed: not a notebook: JSON without `cells`", id="an array"),
        pytest.param('{"a": 1}', "1:1: PCH999 not analysed: not a notebook: JSON without `cells`", id="another object"),
        pytest.param('{"cells": {}}', "not a notebook: its cells are no array", id="an object for cells"),
        pytest.param('{"cells": [1]}', "not a notebook: a cell is no object", id="a number for a cell"),
        pytest.param(
            '{"cells": [{}, {"cell_type": "code", "code": "x"}]}',
            "not a notebook: the source of cell 2 is no text",
            id="no source",
        ),
        pytest.param('{"cells": [' + "[" * 100_000, "not a notebook: JSON that cannot be taken in", id="too deep"),
        pytest.param('{"cells": ' + "9" * 10_000 + "}", "JSON", id="a number that is too long"),
        pytest.param("\ufeff\ufeff{}", "two byte order marks", id="two byte order marks"),
    ],
)
def test_files_that_are_no_notebooks(project: Project, run: Run, text: str, said: str) -> None:
    """A file that is called one and is none was not analysed, for a reason on one plain line."""
    project({"n.ipynb": text})
    ran = run()
    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert said in ran.out


@pytest.mark.parametrize("text", ["", " \n", '{"cells": []}', notebook(), notebook(code("")), "\ufeff" + notebook()])
def test_notebooks_without_code(project: Project, run: Run, text: str) -> None:
    """A notebook that nobody has written in yet is fine."""
    project({"n.ipynb": text})
    assert run().code == 0


def test_a_cell_that_is_no_python(project: Project, run: Run) -> None:
    """A cell that cannot be parsed is named, by the row in it."""
    project({"n.ipynb": notebook(code(LEAK), code("x = 1\ndef f(:\n"), code("x = 2"))})
    ran = run()
    assert ran.code == 1
    assert places(ran.out) == ["cell 2:2:1: PCH999"]


def test_a_cell_that_ends_too_early(project: Project, run: Run) -> None:
    """What the parser says of rows is said of cells, and the end of a cell has a place in the file too."""
    project({"n.ipynb": notebook(code("x = 1"), code("call_class\nif x:"))})
    said = run("--output-format", "github").out
    assert "after 'if' statement in cell 2:2 (" in said
    assert "file=n.ipynb,line=15,col=32," in said


def test_what_concerns_the_whole_notebook(project: Project, run: Run) -> None:
    """Where no row is to blame, the first one of the first cell is named."""
    project({"n.ipynb": notebook(prose("x"), code(LEAK), code("x = '" + "x" * 2_500_000 + "'"))})
    assert places(run().out) == ["cell 2:1:1: PCH999"]


@pytest.mark.parametrize(
    ("comment", "number"),
    [
        pytest.param("  # noqa: PCH001", 1, id="noqa"),
        pytest.param("  # pleach: ignore[callclass-value]", 1, id="pleach"),
        pytest.param("  # noqa: E501", 2, id="another rule"),
    ],
)
def test_comments(project: Project, run: Run, comment: str, number: int) -> None:
    """A comment hides what is on its row of its cell, and nothing in others."""
    project({"n.ipynb": notebook(code("%cd\n" + LEAK.rstrip() + comment), code("%cd\n" + LEAK))})
    assert len(places(run().out)) == number
    assert len(places(run("--ignore-noqa").out)) == 2


def test_a_comment_ends_with_its_cell(project: Project, run: Run) -> None:
    """A comment that speaks for the next line does not reach into the next cell, nor one for the file beyond it."""
    project({"n.ipynb": notebook(code("# pleach: ignore[PCH001]"), code(LEAK))})
    assert places(run().out) == ["cell 1:1:1: PCH900", "cell 2:1:14: PCH001"]


def test_a_comment_that_is_not_understood(project: Project, run: Run) -> None:
    """A warning names the cell."""
    project({"n.ipynb": notebook(code("x = 1"), code(f"y = 1\n{LEAK.rstrip()}  # pleach: ignore[nonsense]"))})
    assert "warning: n.ipynb:cell 2:2: this `pleach:` comment names an unknown rule" in run().err


def test_where_a_noqa_goes(project: Project, run: Run) -> None:
    """The row for a `noqa` counts within the cell too."""
    project({"n.ipynb": notebook(code("x = 1"), code('f(call_class="utility", x="""\n""")'))})
    (found,) = json.loads(run("--output-format", "json").out)
    assert (found["cell"], found["location"]["row"], found["noqa_row"]) == (2, 1, 2)


def test_standard_input(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name tells that a notebook is coming."""
    project({"x.py": ""})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(notebook(code(LEAK)).encode())))
    assert places(run("--stdin-filename", "n.ipynb").out) == ["cell 1:1:14: PCH001"]


def test_words_that_json_escapes(project: Project, run: Run) -> None:
    """A word is found however the file spells it."""
    text = notebook(code(LEAK)).replace("utility", "\\u0075tility").replace("call_class", "call\\u005fclass")
    project({"n.ipynb": text})
    assert places(run().out) == ["cell 1:1:14: PCH001"]


def test_declared_encodings_mean_nothing(project: Project, run: Run) -> None:
    """A comment in the first cell does not change how the rest is read."""
    project({"n.ipynb": notebook(code(f"# coding: latin-1\ns = 'é'; {LEAK}"))})
    assert places(run().out) == ["cell 1:2:23: PCH001"]


def test_half_a_character(project: Project, run: Run) -> None:
    """A notebook that holds what no encoding has is read all the same."""
    project({"n.ipynb": notebook(code("s = '?'; " + LEAK)).replace("?", "\\ud800")})
    assert places(run("--output-format", "concise").out) == ["cell 1:1:23: PCH001"]
    assert run("--output-format", "sarif").code == 1


def test_findings_are_kept(project: Project, run: Run) -> None:
    """A second run takes the findings from the cache, though the cells are other ones by then."""
    root = project({"n.ipynb": notebook(code("x = 1"), code(LEAK))})
    assert places(run().out) == ["cell 2:1:14: PCH001"]
    (root / "n.ipynb").write_text(notebook(prose("new"), code("x = 1"), code(LEAK)), encoding="utf-8")
    assert places(run().out) == ["cell 3:1:14: PCH001"]
    assert len(list(root.glob(".pleach_cache/*/*.json"))) == 1


def test_many_files(project: Project, run: Run) -> None:
    """Notebooks are not lost among many modules, whose bytes are looked at first."""
    project({**{f"m{number}.py": "x = 1\n" for number in range(20)}, "n.ipynb": notebook(code(LEAK))})
    assert places(run().out) == ["cell 1:1:14: PCH001"]


def located(run: Run, root_text: str) -> list[str]:
    """What stands in a file at the places that the report for hosts has."""
    rows = root_text.split("\n")
    results = json.loads(run("--output-format", "sarif").out)["runs"][0]["results"]
    found: list[str] = []
    for result in results:
        region: dict[str, Any] = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] == region["endLine"]
        found.append(rows[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1])
    return found


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(["x = 1\n", "\n", LEAK], id="rows"),
        pytest.param(f"x = 1\n\n{LEAK}", id="one string"),
        pytest.param([LEAK[:5], LEAK[5:]], id="a row in two parts"),
        pytest.param(f"s = '\N{GRINNING FACE}é\\t'; {LEAK}", id="letters"),
        pytest.param(f"x = 1\r\ny = 2\r{LEAK}", id="other line breaks"),
    ],
)
def test_places_in_the_file(project: Project, run: Run, source: str | list[str], indent: int | None) -> None:
    """Formats for hosts point at the word in the file, whatever is escaped around it, and name the cell."""
    cells = (prose('"source": ["x"]'), code("y = '\\u00e9'"), code(source))
    outputs = {"toc": {"cells": ["a"]}, "worksheets": ["b"]}
    for ascii_only in (False, True):
        contents = {"metadata": outputs, "cells": cells, "nbformat": 4}
        text = json.dumps(contents, indent=indent, ensure_ascii=ascii_only)
        project({"n.ipynb": text})
        assert located(run, text) == ['\\"utility\\"']


def test_places_over_several_rows(project: Project, run: Run) -> None:
    """A place that ends in another row than it starts in does so in the file."""
    project({"n.ipynb": notebook(code(["f(call_class='''utility\\\n", "''')\n"]))})
    (result,) = json.loads(run("--output-format", "sarif").out)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["endLine"] - region["startLine"], region["endColumn"]) == (1, 9)
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "cell 1"}]
    (diagnostic,) = json.loads(run("--output-format", "rdjson").out)["diagnostics"]
    assert diagnostic["location"]["range"] == {"start": {"line": 9}, "end": {"line": 10}}
