"""Tests of the rules about suppressions: PCH900, PCH901 and PCH902."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_lint.config.governing import Configurations
from pleach_lint.config.layer import Layer
from pleach_lint.fixing.edits import applied
from pleach_lint.inspection import Inspector
from pleach_lint.rules import all_rules
from pleach_lint.selection import selector
from pleach_lint.verdict import Comments
from pleach_lint.walk import Target

if TYPE_CHECKING:
    from pathlib import Path

    from _pytest.mark import ParameterSet

    from pleach_lint.finding import Finding
    from pleach_lint.rule import Example, Rule
    from tests.conftest import Project, Run

LEAK = 'resolve_model(call_class="utility")'


def examples() -> list[ParameterSet]:
    """Each example with its rule."""
    rules = [rule for rule in all_rules() if rule.judges_comments]
    return [
        pytest.param(rule, example, id=f"{rule.code}: {example.title}") for rule in rules for example in rule.examples
    ]


def inspected(text: str, root: Path, *codes: str, comments: Comments = Comments.ALL) -> tuple[Finding, ...]:
    """What is reported in a text, with some rules on beside the usual ones."""
    layer = Layer("test", extend_select=tuple(map(selector, codes)))
    configuration = Configurations(root, overrides=(layer,), isolated=True).of_run()
    target = Target("m.py", str(root / "m.py"), configuration)
    return Inspector(comments).inspect(target, text.encode()).findings


@pytest.mark.parametrize(("rule", "example"), examples())
def test_a_rule_reports_exactly_at_its_marks(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    """The places that a rule reports in its example are the marked ones, and nothing else is reported there."""
    found = inspected(example.text, tmp_path, rule.code)
    assert [(finding.span.row, finding.span.column) for finding in found] == list(example.expected)
    assert {finding.code for finding in found} <= {rule.code}


@pytest.mark.parametrize(("rule", "example"), examples())
def test_fixes_make_of_an_example_what_it_says(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    """All fixes together give the program that the example shows, in which nothing is left to fix."""
    fixes = [finding.fix for finding in inspected(example.text, tmp_path, rule.code) if finding.fix]
    text, done = applied(example.text, fixes)
    assert (text, len(done)) == (example.text_fixed, len(fixes))
    assert not any(finding.fix for finding in inspected(text, tmp_path, rule.code))


@pytest.mark.parametrize(("rule", "example"), examples())
def test_an_example_compiles(rule: type[Rule], example: Example) -> None:
    """Python takes the program of an example before and after its fixes."""
    for text in (example.text, example.text_fixed):
        compile(text, f"{rule.code}: {example.title}", "exec", dont_inherit=True)


@pytest.mark.parametrize("comments", [Comments.OURS, Comments.NONE])
def test_they_are_for_the_command_line(comments: Comments, tmp_path: Path) -> None:
    """Where flake8 sees to `noqa`, or comments are ignored, nobody knows whether they are of use."""
    text = f"x = 1  # noqa: PCH001\n{LEAK}  # noqa\n"
    assert {finding.code for finding in inspected(text, tmp_path, "PCH902", comments=comments)} == {"PCH001"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1  # noqa: PCH001\n", ["1:8 PCH900 `PCH001` hides nothing here; remove it"], id="a noqa"),
        pytest.param("x = 1  # noqa: PCH0", ["1:8 PCH900 `PCH0` hides nothing here; remove it"], id="a prefix"),
        pytest.param("x = 1  # noqa: PCH", [], id="a prefix without digits, which flake8 takes for none"),
        pytest.param("x = 1  # noqa: PCH999", ["1:8 PCH900 `PCH999` hides nothing here; remove it"], id="never hides"),
        pytest.param(
            "x = 1  # noqa: PCH001, PCH002",
            ["1:8 PCH900 `PCH001`, `PCH002` hide nothing here; remove it"],
            id="two at once",
        ),
        pytest.param("x = 1  # noqa: pch001, E501, ABC123, PC1", [], id="other codes"),
        pytest.param("x = 1  # noqa: PCH902", [], id="a rule that is off"),
        pytest.param("x = 1  # pleach: ignore[E501]", [], id="what is not understood"),
        pytest.param(f"{LEAK}  # noqa: PCH001  # pleach: ignore[PCH001]", [], id="two that hide the same"),
        pytest.param(f"{LEAK}  # noqa: PCH0", [], id="a prefix that hides"),
        pytest.param(f"# pleach: ignore-file[ALL]\n{LEAK}  # noqa: PCH002", [], id="a file in which all is hidden"),
        pytest.param("# pleach: ignore-file[ALL]\nx = 1", ["1:1 PCH900 `ALL` hides nothing here; remove it"], id="all"),
        pytest.param("x = 1  # noqa: PCH900", ["1:8 PCH900 `PCH900` hides nothing here; remove it"], id="itself"),
        pytest.param(
            "x = 1  # noqa: PCH001, PCH900",
            ["1:8 PCH900 `PCH001`, `PCH900` hide nothing here; remove it"],
            id="itself, beside another",
        ),
        pytest.param("x = '''\n# noqa: PCH001\n", [], id="a file that Python cannot read"),
        pytest.param(
            f"{LEAK}  # pleach: ignore[PCH001]  # noqa",
            ["1:64 PCH901 `# noqa` hides whatever any tool finds here, PCH001 too; name the codes"],
            id="a bare one beside one that suffices",
        ),
        pytest.param(f"{LEAK}  # noqa: e501 PCH001 - why", [], id="lower case"),
        pytest.param(
            f"{LEAK}  # noqa because: of PCH001",
            ["1:38 PCH901 `# noqa` hides whatever any tool finds here, PCH001 too; name the codes"],
            id="bare with a reason",
        ),
    ],
)
def test_findings(text: str, expected: list[str], tmp_path: Path) -> None:
    """What is reported of a small text, with its place."""
    found = inspected(text, tmp_path)
    assert [f"{each.span.row}:{each.span.column} {each.code} {each.message}" for each in found] == expected


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        pytest.param("x = 1  # noqa: PCH001 JIRA-12 # type: ignore", "x = 1  # type: ignore", id="a comment behind"),
        pytest.param("x = 1  # noqa: PCH001 see #12", "x = 1", id="a number in the reason"),
        pytest.param("x = 1  ## noqa: PCH001", "x = 1", id="two signs"),
        pytest.param("x = 1 \t # noqa: PCH001\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n", id="other line endings"),
        pytest.param("\f# noqa: PCH001\nx = 1\n", "x = 1\n", id="a form feed"),
        pytest.param("x = 1\n# noqa: PCH001", "x = 1\n", id="the last row, without an end"),
        pytest.param("f(\n    # noqa: PCH001\n)\n", "f(\n)\n", id="within brackets"),
        pytest.param("x = 1  # noqa:PCH001,E501", "x = 1  # noqa:E501", id="the first of two"),
        pytest.param("x = 1  #pleach:ignore[ PCH001 ]", "x = 1", id="blanks in the brackets"),
        pytest.param(
            f"{LEAK}  # pleach: ignore[PCH002,callclass-value] why",
            f"{LEAK}  # pleach: ignore[callclass-value] why",
            id="one of two between brackets",
        ),
        pytest.param(f"{LEAK}  # noqa PCH0O1", f"{LEAK}  # noqa: PCH001 PCH0O1", id="a slip in the slip"),
        pytest.param(f"é = 1; {LEAK}  # noqa", f"é = 1; {LEAK}  # noqa: PCH001", id="behind another letter"),
    ],
)
def test_fixes(text: str, fixed: str, tmp_path: Path) -> None:
    """What a fix takes away, and what it leaves."""
    fixes = [finding.fix for finding in inspected(text, tmp_path) if finding.fix]
    assert applied(text, fixes)[0] == fixed


def test_a_comment_that_is_half_understood_is_left_to_its_author(tmp_path: Path) -> None:
    """Where a name is a slip, another one that hides nothing is not taken away."""
    (found,) = inspected("x = 1  # pleach: ignore[PCH001, callclass-vlaue]", tmp_path)
    assert (found.code, found.fix) == ("PCH900", None)


@pytest.mark.parametrize(
    ("behind", "is_explained"),
    [
        pytest.param("", False, id="nothing"),
        pytest.param(" - ", False, id="a dash"),
        pytest.param(" - why", True, id="a dash and a reason"),
        pytest.param("  # why", True, id="another comment"),
        pytest.param(" # type: ignore[x] # pragma: no cover", False, id="comments for tools"),
        pytest.param(" # noqa: E501 # types are wrong upstream", True, id="a reason at last"),
    ],
)
def test_reasons(behind: str, is_explained: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of pytest
    """Words for people behind the codes are a reason."""
    found = inspected(f"{LEAK}  # noqa: PCH001{behind}", tmp_path, "PCH902")
    assert [finding.code for finding in found] == ([] if is_explained else ["PCH902"])


def test_reasons_are_required_where_the_configuration_says_so(project: Project, run: Run) -> None:
    """`require-reasons` switches PCH902 on; an `ignore` that names it is stronger."""
    root = project({"m.py": f"{LEAK}  # noqa: PCH001\n"})
    assert run().code == 0
    (root / "pleach-lint.toml").write_text("require-reasons = true\n")
    assert run().out == "m.py:1:38: PCH902 `# noqa: PCH001` gives no reason; write one behind it\n"
    assert run("--ignore", "PCH902").code == 0


def test_a_file_without_class_words_is_looked_at(project: Project, run: Run) -> None:
    """A comment that was forgotten where nothing leaks any more is found, among any number of files."""
    files = {f"m{number}.py": "x = 1\n" for number in range(20)}
    project({**files, "m7.py": "x = 1  # noqa: PCH001\n", "m8.py": "# pleach: ignore-file[PCH005]\n"})
    out = run("--no-cache").out
    assert [line.split(": ")[0] for line in out.splitlines()] == ["m7.py:1:8", "m8.py:1:1"]
    assert run("--jobs", "2").out == out
    assert run().out == out


def test_a_file_that_was_not_analysed_may_need_its_comments(project: Project, run: Run) -> None:
    """Of a file about which nothing is known, it is not known either which comment hides nothing."""
    project({"m.py": f"x = 1  # noqa: PCH001\n({LEAK}\n"})
    assert [line.split()[1] for line in run().out.splitlines()] == ["PCH999"]


def test_they_can_be_switched_off(project: Project, run: Run) -> None:
    """Like all rules they can be ignored, in some files too."""
    root = project({"m.py": "x = 1  # noqa: PCH001\n"})
    assert run("--ignore", "unused-suppression").code == 0
    assert run("--per-file-ignores", "m.py:PCH9").code == 0
    (root / "m.py").write_text("# pleach: ignore-file[PCH900] a template\nx = 1  # noqa: PCH001\n")
    ran = run()
    assert ran.code == 0
    assert "1 suppressed" in ran.err


def test_a_fix_on_the_command_line(project: Project, run: Run) -> None:
    """`--fix` takes away what hides nothing, in a file without class words too, and then nothing is left."""
    root = project({"m.py": b"\xef\xbb\xbfx = 1  # noqa: PCH001\r\n", "n.py": f"{LEAK}  # noqa\n"})
    assert run("--fix").code == 0
    assert (root / "m.py").read_bytes() == b"\xef\xbb\xbfx = 1\r\n"
    assert (root / "n.py").read_text() == f"{LEAK}  # noqa: PCH001\n"
