"""Tests for `pleach_lint.fixing.edits` and `pleach_lint.offsets`: how edits come into a text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pleach_lint.finding import Applicability, Edit, Fix, Span
from pleach_lint.fixing.edits import applied
from pleach_lint.offsets import Offsets

TEXTS = st.text(st.sampled_from("ab\n\r\té\U0001f600"), max_size=30)


def fix(*edits: tuple[int, int, str]) -> Fix:
    """Edits of the first row: from one column up to another, and the new text."""
    changes = tuple(Edit(Span(1, start, 1, end), text) for start, end, text in edits)
    return Fix(Applicability.SAFE, "Change", changes)


def test_several_fixes() -> None:
    """Fixes that leave each other alone are all applied, those that touch end to end too."""
    fixes = [fix((1, 2, "A")), fix((2, 4, ""), (6, 6, "!")), fix((4, 5, "D"))]
    assert applied("abcde", fixes) == ("ADe!", frozenset(fixes))


def test_fixes_in_each_others_way() -> None:
    """Of two fixes that overlap, or put different texts in one place, the first is applied, and none by half."""
    first, inside, same_place = fix((2, 5, "X"), (7, 7, "+")), fix((1, 1, "-"), (3, 4, "Y")), fix((7, 7, "*"))
    assert applied("abcdef", [first, inside, same_place]) == ("aXef+", frozenset([first]))


def test_what_is_alike_is_done_once() -> None:
    """An edit that several fixes have, such as an import, is done once for all of them."""
    one, other = fix((1, 1, "import x;"), (2, 3, "B")), fix((1, 1, "import x;"), (3, 4, "C"))
    assert applied("abc", [one, other]) == ("import x;aBC", frozenset([one, other]))


def test_past_the_end() -> None:
    """A place in the row below the last is the end of the text."""
    gone = Fix(Applicability.SAFE, "Remove", (Edit(Span(2, 1, 3, 1), ""),))
    assert applied("a\nb", [gone]) == ("a\n", frozenset([gone]))


@given(TEXTS, st.data())
def test_places_and_offsets(text: str, data: st.DataObject) -> None:
    """The place of every character, counted in rows and code points, leads back to its offset."""
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset]
    ends = [newline.end() for newline in re.finditer(r"\r\n|\r|\n", text) if newline.end() <= offset]
    place = (len(ends) + 1, offset - (ends[-1] if ends else 0) + 1)
    assert Offsets(text).of(*place) == len(before)


@given(TEXTS)
def test_rows(text: str) -> None:
    """The rows and their endings make up the text."""
    offsets = Offsets(text)
    rows = [offsets.row(number + 1) for number in range(len(re.findall(r"\r\n|\r|\n", text)) + 1)]
    assert rows == re.split(r"\r\n|\r|\n", text)
    assert offsets.newline == (re.findall(r"\r\n|\r|\n", text) or ["\n"])[0]
