"""Tests for `pleach_lint.notebooks.magics`: what holds for every cell."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pleach_lint.notebooks.magics import as_python

PIECES = (
    *(
        "%",
        "%%",
        "%time ",
        "%%bash",
        "%%custom ",
        "!",
        "?",
        "x",
        "x = ",
        "= %cd",
        "ls -l",
        "pip install",
        "f(",
        ")",
        "[",
        "]",
    ),
    *(
        "'",
        '"',
        '"""',
        "#",
        "\\",
        "\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "    ",
        "if x:",
        "1",
        "-n 3 ",
        ";",
        "\0",
        "\ud800",
        "é",
    ),
)
BREAK = re.compile("\r\n|\r|\n")


@settings(deadline=None)  # the first cell that is no Python loads libcst
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_rows_stay(cell: str) -> None:
    """Whatever is in a cell, each row of the Python that is made of it stands where it stood."""
    made = as_python(cell)
    assert made is None or BREAK.findall(made) == BREAK.findall(cell)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_a_second_time(cell: str) -> None:
    """What is Python stays as it is."""
    made = as_python(cell)
    assert made is None or as_python(made) in {made, None}
