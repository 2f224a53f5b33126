"""Tests for `pleach_lint.reports.line_hashes`, with the texts and hashes of the action that defines them.

Source: `src/fingerprints.test.ts` in https://github.com/github/codeql-action
"""

from __future__ import annotations

import pytest

from pleach_lint.reports.line_hashes import line_hash

ENDED = (
    *("e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1"),
    *("b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1"),
)


@pytest.mark.parametrize(
    ("text", "hashes"),
    [
        pytest.param("", ("c129715d7a2bc9a3:1",), id="an empty file"),
        pytest.param(
            " a\nb\n  \t\tc\n d",
            ("271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"),
            id="blanks",
        ),
        pytest.param(
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
            (
                *("8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1"),
                *("c6805c5e1288b612:1", "b86d3392aea1be30:1", "e6ceba753e1a442:1"),
            ),
            id="no end of line at the end",
        ),
        pytest.param(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", ENDED, id="ends of lines of Unix"),
        pytest.param(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", ENDED, id="of the old Macintosh"),
        pytest.param(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", ENDED, id="of Windows"),
        pytest.param(" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", ENDED, id="of all three"),
        pytest.param(
            "Lorem ipsum dolor sit amet.\n" * 10,
            (
                *(f"a7f2ff13bc495cf2:{number}" for number in range(1, 7)),
                *("a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1"),
                *("cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"),
            ),
            id="a line that is repeated",
        ),
    ],
)
def test_the_published_hashes(text: str, hashes: tuple[str, ...]) -> None:
    """Every line has the hash that the action gives it."""
    assert tuple(line_hash(text, row) for row in range(1, len(hashes) + 1)) == hashes


def test_characters_count_as_in_utf_16() -> None:
    """A character beyond the basic plane is two of the hundred, since the action counts code units."""
    assert line_hash("\N{GRINNING FACE}" * 50 + "a", 1) == line_hash("\N{GRINNING FACE}" * 50 + "b", 1)
    assert line_hash("é" * 50 + "a", 1) != line_hash("é" * 50 + "b", 1)


def test_a_row_behind_the_end() -> None:
    """Where a file has no such row, or no text, its last one stands for it."""
    assert line_hash("a\nb", 9) == line_hash("a\nb", 2)
    assert line_hash("", 7) == "c129715d7a2bc9a3:1"
