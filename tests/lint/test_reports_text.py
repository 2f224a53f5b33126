"""Tests for the reports that people read: `full` and `concise`."""

from __future__ import annotations

import pytest

from pleach_lint.finding import Finding, Related, Span
from pleach_lint.reports import Reported, Screen, report

SCREEN = Screen()


def finding(column: int = 7, end: int = 16, row: int = 1, end_row: int | None = None) -> Finding:
    """A finding at a place of `m.py`."""
    return Finding("m.py", Span(row, column, end_row or row, end), "PCH001", "callclass-value", "the reason")


def full(text: str, found: Finding, screen: Screen = SCREEN) -> list[str]:
    """The lines of a full report of one finding."""
    return "".join(report("full").render([Reported(found, text)], screen)).split("\n")


def test_concise() -> None:
    """One line a finding, and nothing when there is none."""
    concise = report("concise")
    assert "".join(concise.render([Reported(finding(), "")], SCREEN)) == "m.py:1:7: PCH001 the reason\n"
    assert list(concise.render([], SCREEN)) == []


def test_full() -> None:
    """The row of the finding stands under its headline, with carets, the way out, and what else belongs to it."""
    found = Finding(
        *("m.py", Span(12, 7, 12, 16), "PCH001", "callclass-value", "the reason", "take a seam"),
        related=(Related("c.py", Span(3, 5, 3, 9), "defined here"),),
    )
    assert full("\n" * 11 + 'f(a, k="utility")\r\nrest', found) == [
        "m.py:12:7: PCH001 [callclass-value] the reason",
        "   |",
        '12 | f(a, k="utility")',
        "   |       ^^^^^^^^^",
        "   = help: take a seam",
        "   = note: c.py:3:5: defined here",
        "",
        "",
    ]


def test_full_stars_what_can_be_fixed() -> None:
    """A finding that `--fix` would fix has a star, as in Ruff's reports."""
    written = "".join(report("full").render([Reported(finding(), "", is_fixable=True)], SCREEN))
    assert written == "m.py:1:7: PCH001 [callclass-value] [*] the reason\n\n"


def test_full_without_text() -> None:
    """A file that could not be decoded has no row to show."""
    assert full("", finding()) == ["m.py:1:7: PCH001 [callclass-value] the reason", "", ""]


@pytest.mark.parametrize(
    ("text", "column", "row", "carets"),
    [
        pytest.param('é = 1;"utility"', 7, '1 | é = 1;"utility"', "  |       ^^^^^^^^^", id="letters with accents"),
        pytest.param('日本=1;"utility"', 6, '1 | 日本=1;"utility"', "  |        ^^^^^^^^^", id="wide characters"),
        pytest.param('\tf(k="utility")', 6, '1 |     f(k="utility")', "  |         ^^^^^^^^^", id="a tab"),
        pytest.param('e\u0301 ="utility"', 5, '1 | e\u0301 ="utility"', "  |    ^^^^^^^^^", id="a combining accent"),
        pytest.param(
            '"\x1b[2J","utility"',
            8,
            '1 | "\N{REPLACEMENT CHARACTER}[2J","utility"',
            "  |        ^^^^^^^^^",
            id="escapes",
        ),
        pytest.param(
            '"\u202e" ,"utility"',
            6,
            '1 | "\N{REPLACEMENT CHARACTER}" ,"utility"',
            "  |      ^^^^^^^^^",
            id="characters that turn the text around",
        ),
    ],
)
def test_carets_stand_under_the_place(text: str, column: int, row: str, carets: str) -> None:
    """Carets are counted in columns of the terminal, and no character can disturb it."""
    assert full(text, finding(column, column + 9))[2:4] == [row, carets]


def test_carets_on_a_narrow_screen() -> None:
    """Characters that the terminal cannot show appear as escapes, and the carets move with them."""
    lines = full('日 ="utility"', finding(4, 13), Screen(encoding="ascii"))
    assert lines[2:4] == ['1 | \\u65e5 ="utility"', "  |         ^^^^^^^^^"]


@pytest.mark.parametrize(
    ("end", "end_row", "carets"),
    [
        pytest.param(3, 2, "  |       ^^^", id="to the end of its first row"),
        pytest.param(7, 1, "  |       ^", id="at least one"),
    ],
)
def test_carets_of_odd_places(end: int, end_row: int, carets: str) -> None:
    """A finding over several rows is marked on its first; an empty one has one caret."""
    assert full('f(a, k"""\n"""', finding(7, end, end_row=end_row))[3] == carets


def test_a_place_behind_the_row() -> None:
    """A place behind the last character is marked there."""
    assert full("f(", finding(3, 4))[3] == "  |   ^"


@pytest.mark.parametrize(
    ("column", "row"),
    [
        pytest.param(1, '1 | "utility"' + "x" * 111 + "...", id="at the start"),
        pytest.param(302, "1 | ..." + "x" * 40 + '"utility"' + "x" * 71 + "...", id="in the middle"),
        pytest.param(602, "1 | ..." + "x" * 40 + '"utility"', id="at the end"),
    ],
)
def test_a_long_row_is_cut(column: int, row: str) -> None:
    """Of a long row the surroundings of the place are shown."""
    text = "x" * (column - 1) + '"utility"' + "x" * (602 - column)
    lines = full(text, finding(column, column + 9))
    assert lines[2] == row
    assert lines[3].index("^") == row.index('"')


@pytest.mark.parametrize(
    ("width", "row"),
    [
        pytest.param(54, "1 | " + "x" * 36 + '"utility"' + "y" * 5, id="room for the whole"),
        pytest.param(53, "1 | ..." + "x" * 14 + '"utility"' + "y" * 5, id="no room for the last character"),
        pytest.param(9, "1 | ..." + "x" * 8 + '"utility"' + "y" * 5, id="no room for anything"),
    ],
)
def test_a_row_fits_the_terminal(width: int, row: str) -> None:
    """A row is cut where it would run on in the next line, away from its carets."""
    lines = full("x" * 36 + '"utility"' + "y" * 5, finding(37, 46), Screen(width=width))
    assert lines[2] == row
    assert lines[3].index("^") == row.index('"')


def test_colours() -> None:
    """On a screen with colours, the text is the same but for them."""
    text = 'f(a, k="utility")'
    coloured = "\n".join(full(text, finding(8, 17), Screen(color=True)))
    assert "\x1b[31m\x1b[1mPCH001\x1b[0m" in coloured
    assert "\x1b[" not in "\n".join(full(text, finding(8, 17)))
