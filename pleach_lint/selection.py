"""Which rules are on: codes, prefixes, slugs and families, and what wins when they disagree. Knows no files."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.declarations import declarations
from pleach_lint.nearest import suggestion

if TYPE_CHECKING:
    from pleach_lint.declarations import Declaration

_ALL: Final = "ALL"
_SHORTEST_PREFIX: Final = len("PCH")
_UNNAMED: Final = (-inf, False)


class UnknownSelectorError(Exception):
    """A name that selects no rule."""

    def __init__(self, name: str) -> None:
        whole = (called for rule in declarations() for called in (rule.code, *_words(rule)))
        super().__init__(f"unknown rule `{name}`{suggestion(name, whole)}")


class Selector(NamedTuple):
    """One entry of `select`, `ignore` and their like."""

    name: str
    """As written: a code, a prefix of one (`PCH0`), a slug, a family or `ALL`."""
    codes: frozenset[str]
    """The rules that it means; never empty."""
    on_command_line: bool = False

    @property
    def rank(self) -> tuple[float, bool]:
        """How much the entry weighs: the fewer rules it means the more, then the command line more than a file."""
        return (-len(self.codes), self.on_command_line)


def selector(name: str, *, on_command_line: bool = False) -> Selector:
    """Understand one name.

    Raises:
        UnknownSelectorError: if it selects no rule.
    """
    codes = frozenset(rule.code for rule in declarations() if name in _names(rule))
    if not codes:
        raise UnknownSelectorError(name)
    return Selector(name, codes, on_command_line)


def selector_names() -> tuple[str, ...]:
    """Every name that selects something, in no particular order."""
    return tuple({name for rule in declarations() for name in _names(rule)})


def enabled_codes(
    select: tuple[Selector, ...] | None, extend_select: tuple[Selector, ...], ignore: tuple[Selector, ...]
) -> frozenset[str]:
    """Decide which rules are on.

    The entry that names a rule most closely decides; between equals the command line beats a file, and then `ignore`
    beats `select`. A `select` of None stands for the rules that are on by default.
    """
    chosen = (*(select or ()), *extend_select)
    by_default = selector(_ALL).rank

    def is_on(rule: Declaration) -> bool:
        weight = _weight(chosen, rule.code)
        if select is None and rule.default:
            weight = max(weight, by_default)
        return weight > _weight(ignore, rule.code) or not rule.ignorable

    return frozenset(rule.code for rule in declarations() if is_on(rule))


def optional_codes() -> frozenset[str]:
    """The rules that are off unless they are selected."""
    return frozenset(rule.code for rule in declarations() if not rule.default)


def is_ignorable(code: str) -> bool:
    """Tell whether anything may switch a rule off or hide its findings."""
    return code in ignored_codes((selector(_ALL),))


def ignored_codes(ignore: tuple[Selector, ...]) -> frozenset[str]:
    """The rules that entries switch off where nothing speaks for them, as those of `per-file-ignores` do."""
    return frozenset(rule.code for rule in declarations() if rule.ignorable and _weight(ignore, rule.code) > _UNNAMED)


def _weight(selectors: tuple[Selector, ...], code: str) -> tuple[float, bool]:
    """What the entry that names a rule most closely weighs."""
    return max((entry.rank for entry in selectors if code in entry.codes), default=_UNNAMED)


def _names(rule: Declaration) -> tuple[str, ...]:
    """What a rule is called by."""
    prefixes = (rule.code[:end] for end in range(_SHORTEST_PREFIX, len(rule.code) + 1))
    return (*_words(rule), *prefixes)


def _words(rule: Declaration) -> tuple[str, ...]:
    """What a rule is called by, but for codes."""
    return (_ALL, *filter(None, (rule.family,)), rule.slug)
