"""Tests for `pleach_lint.baseline.identity`: when two findings are the same one."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, cast

import pytest

from pleach_lint.baseline.identity import identified
from pleach_lint.engine import check_source
from pleach_lint.finding import Finding, Span
from pleach_lint.project import Project, Settings
from pleach_lint.rule import NAMELESS, Example
from pleach_lint.rules import all_rules
from pleach_lint.vocabulary import CLASS_WORDS
from tests.lint.test_programs import SEAM, programs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pleach_lint.baseline.entries import Identity


def at(text: str, row: int, column: int = 1, message: str = "") -> tuple[str, str, str]:
    """Scope, digest and statement of a finding at a place."""
    finding = Finding("m.py", Span(row, column, row, column + 1), "PCH001", "slug", message)
    (only,) = identified(text, [finding])
    return only.identity.scope, only.identity.digest, only.statement


PLACES = '''@mark("a")
class Desk:
    async def ask(self, lane="b"):
        with open("c") as file: x = "d"; y = "e"
        match x:
            case "f" if y: z = "g"
        try:
            pass
        except ("h",):
            pass
        def inner(): return "i"
    x = """
"j" """
if "k":
    pass
elif "l": m = "n"  # o
# p
'''


@pytest.mark.parametrize(
    ("found", "scope", "statement"),
    [
        pytest.param('"a"', "<module>", '@mark("a") class Desk:', id="a decorator"),
        pytest.param('"b"', "Desk", 'async def ask(self, lane="b"):', id="a default"),
        pytest.param('"c"', "Desk.ask", 'with open("c") as file:', id="the head of a block"),
        pytest.param('"d"', "Desk.ask", 'x = "d"', id="the first in a row"),
        pytest.param('"e"', "Desk.ask", 'y = "e"', id="the second in a row"),
        pytest.param('"f"', "Desk.ask", '"f" if y:', id="a pattern"),
        pytest.param('"g"', "Desk.ask", 'z = "g"', id="below a pattern"),
        pytest.param('"h"', "Desk.ask", 'except ("h",):', id="an exception"),
        pytest.param('"i"', "Desk.ask.inner", 'return "i"', id="in a nested function"),
        pytest.param('"j"', "Desk", 'x = """ "j" """', id="in a string of several rows"),
        pytest.param('"k"', "<module>", 'if "k":', id="a condition"),
        pytest.param('"l"', "<module>", 'elif "l":', id="another condition"),
        pytest.param('"n"', "<module>", 'm = "n"', id="below it"),
        pytest.param("# o", "<module>", "# o", id="a comment behind"),
        pytest.param("# p", "<module>", "# p", id="a comment alone"),
    ],
)
def test_scope_and_statement(found: str, scope: str, statement: str) -> None:
    """A finding belongs to the innermost statement around it, without the blocks in that, and to the scope of this."""
    row = next(row for row, line in enumerate(PLACES.splitlines(), 1) if found in line)
    column = PLACES.splitlines()[row - 1].index(found) + 1
    assert at(PLACES, row, column)[::2] == (scope, statement)


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        pytest.param('ask(f"{x!r:>{w}} {y=}" "z", 1, 1.5, None, b"", u"é")', "97d306d2bbe6acff", id="values"),
        pytest.param(
            "@d\nasync def ask(a, /, b: int = 1, *c, d=2, **e) -> None: ...", "00e399c6b814d83c", id="a signature"
        ),
        pytest.param("class Desk(Base, metaclass=M): ...", "c2266855601312af", id="a class"),
        pytest.param(
            "x = lambda: (yield), [*a], {**b}, c[1:2, ...], -1j, d if b else (c := d)",
            "236ae79a4468747e",
            id="operators",
        ),
        pytest.param(
            "x: int = [a async for b in c for a in b if a], {a: b for a, b in c}", "ac2b3db62cbf819a", id="loops"
        ),
    ],
)
def test_digests_are_the_same_on_every_python(text: str, digest: str) -> None:
    """A baseline that one Python wrote holds on all others."""
    assert at(text, 1)[1] == digest


def test_a_comment_belongs_to_its_statement() -> None:
    """The same comment behind another statement is another one; where it stands alone, it is the same anywhere."""
    text = "a(b)  # noqa\nc(d)  # noqa\na( b )  # noqa\n# noqa\n\n# noqa\n"
    first, second, third, *alone = (
        at(text, row, column)[1] for row, column in ((1, 7), (2, 7), (3, 9), (4, 1), (6, 1))
    )
    assert first == third != second
    assert alone[0] == alone[1] not in {first, second}


@pytest.mark.parametrize(
    ("message", "word"),
    [
        pytest.param('"utility" is used as a call class', "utility", id="a word"),
        pytest.param('some "utility" is used', "", id="a word elsewhere"),
        pytest.param("not analysed", "", id="no word"),
    ],
)
def test_the_word_is_that_at_the_beginning_of_the_message(message: str, word: str) -> None:
    """A finding that is about another class is another finding."""
    (only,) = identified("x", [Finding("m.py", Span(1, 1, 1, 2), "PCH001", "slug", message)])
    assert only.identity.word == word


def test_each_message_about_a_class_begins_with_it(tmp_path: Path) -> None:
    """What baselines rely on holds for the marked examples of the rules about call classes."""
    for rule in all_rules():
        for example in rule.examples if rule.family == "callclass-literals" else ():
            for finding in found(example.text, example, tmp_path):
                assert identified(example.text, [finding])[0].identity.word in CLASS_WORDS, finding.message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = '''", id="an open string"),
        pytest.param("def f(:", id="no Python"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_text_that_cannot_be_parsed(text: str) -> None:
    """Where there are no statements, the row is one."""
    assert at(text, 1) == at(f"  {text}", 1)
    assert at(text, 1)[::2] == ("<module>", text)


def test_a_deep_statement() -> None:
    """A statement of any depth has an identity."""
    assert at(f"x = {' + '.join('a' * 3000)}", 1)[2].endswith("...")


def test_formatting_changes_no_identity(tmp_path: Path) -> None:
    """After a formatter has laid the programs out anew, with other quotes and shorter lines, nothing is new or gone."""
    every = [*(cast("Example", param.values[0]) for param in programs()[::4]), *marked_examples()]
    folder = tmp_path / "formatted"
    folder.mkdir()
    for number, example in enumerate(every):
        (folder / f"p{number}.py").write_text(example.text, encoding="utf-8")
    style = ("--line-length", "60", "--config", 'format.quote-style = "single"')
    subprocess.run(["ruff", "format", "-q", "--isolated", *style, str(folder)], check=True)
    for number, example in enumerate(every):
        formatted = (folder / f"p{number}.py").read_text(encoding="utf-8")
        assert identities(formatted, example, tmp_path) == identities(example.text, example, tmp_path), example.text


def marked_examples() -> Iterator[Example]:
    """The examples in which something is found."""
    yield from (example for rule in all_rules() for example in rule.examples if example.marked)


def found(text: str, example: Example, root: Path) -> tuple[Finding, ...]:
    """What is found in a text that stands in place of an example."""
    for name, content in {"app/seams/__init__.py": SEAM, **(example.files or {})}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return check_source(root / NAMELESS, text.encode(), Project(Settings(root, strict=example.strict))).findings


def identities(text: str, example: Example, root: Path) -> list[Identity]:
    """What the findings of a text are known by."""
    return sorted(each.identity for each in identified(text, found(text, example, root)))
