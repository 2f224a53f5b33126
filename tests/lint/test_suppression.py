"""Tests for `pleach_lint.suppression` and `pleach_lint.comment_lines`."""

from __future__ import annotations

import pytest

from pleach_lint.comment_lines import noqa_row
from pleach_lint.finding import Finding, Span
from pleach_lint.suppression import Suppressions
from pleach_lint.verdict import Comments


def finding(row: int, code: str = "PCH001") -> Finding:
    """A finding somewhere on a row."""
    return Finding("m.py", Span(row, 1, row, 2), code, "slug", "message")


def hidden(text: str, *, row: int = 1, code: str = "PCH001", comments: Comments = Comments.ALL) -> bool:
    """Tell whether the comments of a text hide a finding."""
    return Suppressions(text, comments).hides(finding(row, code))


@pytest.mark.parametrize(
    ("text", "row"),
    [
        pytest.param("f(\n    p,\n    x,\n)  # noqa", 3, id="behind the closing bracket"),
        pytest.param("f(  # noqa\n    p,\n    x,\n)", 3, id="behind the opening bracket"),
        pytest.param("f('# noqa', x)", 1, id="in a string"),
        pytest.param('x = """\n# noqa\n"""', 3, id="in a string of several rows"),
        pytest.param("# noqa\nf(x)", 2, id="on the row above"),
        pytest.param("# flake8: noqa\nf(x)", 2, id="for a whole file, which is flake8's own affair"),
        pytest.param("x = 1  # noqa\ny = 2", 2, id="on another row"),
    ],
)
def test_noqa_elsewhere_hides_nothing(text: str, row: int) -> None:
    """Only a real comment at the end of the line counts."""
    assert not hidden(text, row=row)


@pytest.mark.parametrize(
    ("text", "row", "last"),
    [
        pytest.param('x = f("""\n a\n""")  # noqa: PCH001', 1, 3, id="behind a string of several rows"),
        pytest.param("x = 1 + \\\n f(x)  # noqa: PCH001", 1, 2, id="behind a backslash"),
        pytest.param("f(\r    x,  # noqa\r)", 2, 2, id="rows that end in carriage returns"),
        pytest.param("f(\r\n    x,  # noqa\r\n)", 2, 2, id="rows that end in both"),
        pytest.param('x = f"""{\n 1\n}"""  # noqa', 1, 3, id="behind an f-string"),
        pytest.param("if x:\n    f(x)  # noqa", 2, 2, id="in a block"),
    ],
)
def test_noqa_speaks_for_its_line(text: str, row: int, last: int) -> None:
    """A comment speaks for all rows that a string or a backslash joins, and JSON says where it would go."""
    assert hidden(text, row=row)
    assert noqa_row(text, row) == last


def test_rows_that_python_cannot_read() -> None:
    """Behind the first thing that Python cannot read, the row itself is searched."""
    text = "x = '''\n\n f(y)  # noqa: PCH001\n"
    assert hidden(text, row=3)
    assert not hidden(text, row=2)
    assert noqa_row(text, 3) == 3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("f(x)  # pleach: ignore[PCH001]", id="a code"),
        pytest.param("f(x)  #pleach:ignore[PCH001]", id="without blanks"),
        pytest.param("f(x)  # pleach: ignore[callclass-value] agreed in review", id="a slug and a reason"),
        pytest.param("f(x)  # pleach: ignore[callclass-literals]", id="a family"),
        pytest.param("f(x)  # pleach: ignore[PCH002, PCH001]", id="several"),
        pytest.param("f(x)  # pleach: ignore[E501, PCH001]", id="beside a foreign code"),
        pytest.param("f(x)  # type: ignore # pleach: ignore[PCH001]", id="behind another comment"),
        pytest.param("f(x)  # pleach: ignore[PCH002] # pleach: ignore[PCH001]", id="two comments in one"),
        pytest.param("x = f('''\n''')  # pleach: ignore[PCH001]", id="behind a string of several rows"),
        pytest.param("# pleach: ignore[PCH001]\nf(x)", id="above"),
        pytest.param("# pleach: ignore[PCH001]\n# why\nf(x)", id="above, with more comments between"),
        pytest.param("# pleach: ignore[PCH001]\n# pleach: ignore[PCH002]\nf(x)", id="two above"),
        pytest.param("#!x\n\n# pleach: ignore-file[PCH001] generated\n\nf(x)", id="for the file"),
        pytest.param('"""Doc."""\n# pleach: ignore-file[PCH001]\nf(x)', id="for the file, below its docstring"),
    ],
)
def test_our_comments_hide(text: str) -> None:
    """A `pleach:` comment hides the rules that it names, in the command line and under flake8 alike."""
    row = next(row for row, line in enumerate(text.splitlines(), 1) if "f(" in line)
    assert hidden(text, row=row)
    assert hidden(text, row=row, comments=Comments.OURS)
    assert not hidden(text, row=row, comments=Comments.NONE)
    assert not hidden(text, row=row, code="PCH004") or "callclass-literals" in text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# pleach: ignore[PCH001]\n\nf(x)", id="across a blank line"),
        pytest.param("g(x)  # pleach: ignore[PCH001]\nf(x)", id="behind the code above"),
        pytest.param("'# pleach: ignore[PCH001]', f(x)", id="in a string"),
        pytest.param("f(x)  # pleach: ignore", id="without names"),
        pytest.param("f(x)  # pleach: ignore[]", id="with no names in the brackets"),
        pytest.param("f(x)  # pleach: ignore[PCH002]", id="another rule"),
        pytest.param("f(x)  # pleach: ignore[callclass-vlaue]", id="a slip"),
        pytest.param("f(x)  # pleach: ignore-file[PCH001]", id="for the file, behind code"),
        pytest.param("x = 1\n# pleach: ignore-file[PCH001]\nf(x)", id="for the file, below code"),
    ],
)
def test_our_comments_elsewhere_hide_nothing(text: str) -> None:
    """A `pleach:` comment that is not understood, or stands in the wrong place, hides nothing."""
    row = next(row for row, line in enumerate(text.splitlines(), 1) if "f(" in line)
    assert not hidden(text, row=row)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("x  # pleach: ignore", "names no rule; put codes or slugs in brackets: `ignore[...]`", id="bare"),
        pytest.param(
            "x  # pleach: ignore[PCH001, callclass-vlaue]",
            "names an unknown rule `callclass-vlaue`; did you mean `callclass-value`?",
            id="a slip",
        ),
        pytest.param(
            "x  # pleach: ignore-file[PCH001]",
            "must stand alone at the top of the file, above its first statement",
            id="a misplaced one",
        ),
    ],
)
def test_misuses_are_told(text: str, message: str) -> None:
    """What a comment gets wrong is said, with its row."""
    (misuse,) = Suppressions(f"\n{text}", Comments.ALL).misuses
    assert (misuse.row, misuse.message) == (2, message)


def test_a_file_that_was_not_analysed_cannot_be_hidden() -> None:
    """No comment hides PCH999."""
    assert not hidden("x  # noqa", code="PCH999")
    assert not hidden("x  # pleach: ignore[PCH999]", code="PCH999")
    assert not hidden("# pleach: ignore-file[ALL]\nx", row=2, code="PCH999")


def test_noqa_is_left_to_flake8() -> None:
    """Where flake8 sees to `noqa`, only our own comments count."""
    assert not hidden("f(x)  # noqa", comments=Comments.OURS)
