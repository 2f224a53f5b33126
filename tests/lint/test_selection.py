"""Tests for `pleach_lint.selection` and the names of rules that it rests on."""

from __future__ import annotations

import pytest

from pleach_lint.declarations import declarations
from pleach_lint.rules import all_rules
from pleach_lint.selection import (
    Selector,
    UnknownSelectorError,
    enabled_codes,
    ignored_codes,
    is_ignorable,
    selector,
    selector_names,
)

FAMILY = {f"PCH00{digit}" for digit in "123456"}
ALWAYS = {"PCH999"}


def selectors(*names: str, on_command_line: bool = False) -> tuple[Selector, ...]:
    """Understand several names."""
    return tuple(selector(name, on_command_line=on_command_line) for name in names)


def test_declarations_are_those_of_the_rules() -> None:
    """What is read from the files of the rules is what the loaded rules say."""
    loaded = [(rule.code, rule.slug, rule.family, rule.default, rule.ignorable, rule.signs) for rule in all_rules()]
    assert list(declarations()) == loaded


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        pytest.param("PCH001", {"PCH001"}, id="a code"),
        pytest.param("callclass-value", {"PCH001"}, id="a slug"),
        pytest.param("PCH00", FAMILY, id="a prefix"),
        pytest.param("callclass-literals", FAMILY, id="a family"),
        pytest.param("ALL", FAMILY | ALWAYS, id="every rule"),
        pytest.param("PCH", FAMILY | ALWAYS, id="the shortest prefix"),
    ],
)
def test_a_name_selects_rules(name: str, codes: set[str]) -> None:
    """Codes, prefixes, slugs, families and `ALL` are names of rules."""
    assert selector(name).codes >= codes
    assert name in selector_names()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("PCH9O9", "unknown rule `PCH9O9`; did you mean `PCH999`?", id="a slip in a code"),
        pytest.param("callclass-vlaue", "unknown rule `callclass-vlaue`; did you mean `callclass-value`?", id="a slug"),
        pytest.param("pch001", "unknown rule `pch001`; did you mean `PCH001`?", id="another case"),
        pytest.param("PCH70", "unknown rule `PCH70`; did you mean `PCH", id="a prefix of none"),
        pytest.param("E501", "unknown rule `E501`", id="somebody else's code"),
        pytest.param("", "unknown rule ``", id="nothing"),
        pytest.param("PC", "unknown rule `PC`", id="less than a prefix"),
    ],
)
def test_an_unknown_name_is_refused(name: str, message: str) -> None:
    """A name that selects nothing is an error, which suggests the nearest name if one is near."""
    with pytest.raises(UnknownSelectorError) as caught:
        selector(name)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("select", "extend", "ignore", "enabled"),
    [
        pytest.param(None, (), (), FAMILY, id="by default"),
        pytest.param(None, (), ("PCH005",), FAMILY - {"PCH005"}, id="all but one"),
        pytest.param(None, (), ("ALL",), set(), id="everything ignored"),
        pytest.param(("PCH001",), (), (), {"PCH001"}, id="one"),
        pytest.param((), ("PCH002",), (), {"PCH002"}, id="nothing, and one more"),
        pytest.param(("ALL",), (), ("PCH00",), set(), id="a closer ignore wins"),
        pytest.param(("PCH001",), (), ("callclass-literals",), {"PCH001"}, id="a closer select wins"),
        pytest.param(("PCH001",), (), ("callclass-value",), set(), id="ignore wins a tie"),
    ],
)
def test_the_closest_entry_decides(
    select: tuple[str, ...] | None, extend: tuple[str, ...], ignore: tuple[str, ...], enabled: set[str]
) -> None:
    """The entry that names a rule most closely decides, `ignore` wins a tie, and PCH999 is always on."""
    chosen = None if select is None else selectors(*select)
    codes = enabled_codes(chosen, selectors(*extend), selectors(*ignore))
    assert codes & (FAMILY | ALWAYS) == enabled | ALWAYS


def test_the_command_line_wins_a_tie() -> None:
    """A code selected on the command line is on although a file ignores that very code."""
    assert "PCH005" in enabled_codes(selectors("PCH005", on_command_line=True), (), selectors("PCH005"))


def test_a_broad_select_leaves_a_configured_ignore_standing() -> None:
    """A hook that selects the family does not undo what a file ignores by code."""
    family = selectors("callclass-literals", on_command_line=True)
    assert "PCH005" not in enabled_codes(family, (), selectors("PCH005"))


def test_a_file_that_was_not_analysed_cannot_be_ignored() -> None:
    """No entry switches PCH999 off."""
    assert not is_ignorable("PCH999")
    assert is_ignorable("PCH001")
    assert ignored_codes(selectors("PCH999")) == frozenset()
    assert ignored_codes(selectors("PCH001", "PCH99")) == {"PCH001"}
