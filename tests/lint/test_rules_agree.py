"""What all rules have in common: names, pages, examples."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pleach_lint.rules
from pleach_lint.rules import all_rules, rules_by_code, visitors

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

    from pleach_lint.rule import Rule

LONGEST_SUMMARY = 88
REPORTED_BY_THE_ENGINE = {"PCH999"}
"""Rules that look at no code, so that no example can show them."""
ABOUT_COMMENTS = {"PCH900", "PCH901", "PCH902"}
FILES = sorted(file for file in Path(pleach_lint.rules.__file__).parent.rglob("*.py") if file.name != "__init__.py")


def rules() -> list[ParameterSet]:
    """Each rule, under its code."""
    return [pytest.param(rule, id=rule.code) for rule in all_rules()]


def module_name(rule: type[Rule]) -> str:
    """The last part of the name of the module that a rule lives in."""
    return rule.__module__.rpartition(".")[2]


def test_each_file_is_one_rule() -> None:
    """Every file below `rules/` gives exactly one rule, and no rule comes from elsewhere."""
    assert sorted(file.stem for file in FILES) == sorted(module_name(rule) for rule in all_rules())


@pytest.mark.parametrize("attribute", ["code", "slug"])
def test_no_two_rules_share_a_name(attribute: str) -> None:
    """Codes and slugs are unique."""
    counts = Counter(getattr(rule, attribute) for rule in all_rules())
    assert {name for name, count in counts.items() if count > 1} == set()


@pytest.mark.parametrize("rule", rules())
def test_file_slug_and_class_say_the_same(rule: type[Rule]) -> None:
    """The file is named after the slug, and so is the class."""
    words = rule.slug.split("-")
    assert (module_name(rule), rule.__name__) == ("_".join(words), "".join(word.capitalize() for word in words))


@pytest.mark.parametrize("rule", rules())
def test_a_code_is_one_that_flake8_takes(rule: type[Rule]) -> None:
    """A code is three capitals and three digits."""
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)


@pytest.mark.parametrize("rule", rules())
def test_a_page_opens_with_one_sentence(rule: type[Rule]) -> None:
    """The first line of a page is a short sentence that ends in a full stop, with a blank line after it."""
    first, second = (rule.__doc__ or "").split("\n")[:2]
    assert first == rule.summary()
    assert first.endswith(".")
    assert len(first) <= LONGEST_SUMMARY
    assert second == ""


@pytest.mark.parametrize("rule", rules())
def test_a_page_names_its_source(rule: type[Rule]) -> None:
    """A page says on a line of its own where the rule comes from."""
    assert re.search(r"^ *Source: \S", rule.__doc__ or "", re.MULTILINE)


@pytest.mark.parametrize("rule", rules())
def test_a_rule_shows_what_it_reports_and_what_not(rule: type[Rule]) -> None:
    """A rule that looks at code has examples of both kinds, and one that does not has none."""
    kinds = {example.marked for example in rule.examples}
    assert kinds == (set() if rule.code in REPORTED_BY_THE_ENGINE else {True, False})


def test_rules_look_at_code_unless_it_is_looked_at_for_them() -> None:
    """Every rule has a visitor, except those that the engine reports by itself, or that judge comments."""
    seeing = {code for pairs in visitors().values() for code, _ in pairs}
    assert seeing == set(rules_by_code()) - REPORTED_BY_THE_ENGINE - ABOUT_COMMENTS


@pytest.mark.parametrize("rule", rules())
def test_a_rule_names_a_way_out(rule: type[Rule]) -> None:
    """The end of the message is advice without a full stop, for it ends a line."""
    assert rule.way_out
    assert not rule.way_out.endswith(".")


def test_precedence_in_a_family_is_decided_by_rank() -> None:
    """No two rules of a family have the same rank, so that a literal that both find has one code."""
    pairs = combinations([rule for rule in all_rules() if rule.family], 2)
    assert [
        (one.code, other.code) for one, other in pairs if (one.family, one.rank) == (other.family, other.rank)
    ] == []


def test_titles_of_examples_are_unique() -> None:
    """A title names one example of its rule, in pages and in tests."""
    counts = Counter((rule.code, example.title) for rule in all_rules() for example in rule.examples)
    assert {title for title, count in counts.items() if count > 1} == set()
