"""One TOML table of ours, asked key by key for values of one type. Knows no key by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pleach_lint.nearest import suggestion
from pleach_lint.patterns import Pattern
from pleach_lint.selection import Selector, UnknownSelectorError, selector

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_KINDS: Final = {
    "bool": "a boolean",
    "int": "an integer",
    "float": "a float",
    "str": "a string",
    "list": "a list",
    "dict": "a table",
}


class ConfigError(Exception):
    """A configuration that cannot be obeyed; the message names the file, the key, and the line where it is known."""


class Origin(NamedTuple):
    """Where a table was written."""

    name: str
    """The file as it is shown to people, or the option."""
    folder: str
    """Absolute; what paths in the table are relative to."""
    text: str = ""
    """The whole text, to find lines in; empty when there are none to name."""
    on_command_line: bool = False


class Table:
    """Values that are taken out one at a time; what nobody asks for is unknown."""

    def __init__(self, values: Mapping[str, object], origin: Origin) -> None:
        self._values = values
        self._asked: list[str] = []
        self.origin = origin

    def flag(self, key: str) -> bool | None:
        """A boolean; None when the key is absent, here as below."""
        value = self._ask(key)
        if value is None or isinstance(value, bool):
            return value
        raise self.error(key, f"must be true or false, not {_kind(value)}")

    def string(self, key: str) -> str | None:
        """One string."""
        value = self._ask(key)
        if value is None or isinstance(value, str):
            return value
        raise self.error(key, f"must be a string, not {_kind(value)}")

    def path(self, key: str) -> str | None:
        """One path, absolute."""
        text = self.string(key)
        return None if text is None else str(Path(self.origin.folder, Path(text).expanduser()))

    def choice(self, key: str, choices: tuple[str, ...]) -> str | None:
        """One of a few words."""
        value = self.string(key)
        if value is None or value in choices:
            return value
        raise self.error(key, f"must be one of {', '.join(choices)}, not `{value}`{suggestion(value, choices)}")

    def count(self, key: str, *, auto: int) -> int | None:
        """A whole number from 1 up, or `auto` for the word "auto"."""
        value = self._ask(key)
        if value == "auto":
            return auto
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            return value
        raise self.error(key, f'must be a whole number from 1 up, or "auto", not {value!r}')

    def strings(self, key: str) -> tuple[str, ...] | None:
        """A list of strings, in its order."""
        value = self._ask(key)
        return None if value is None else self._strings(key, value)

    def patterns(self, key: str) -> tuple[Pattern, ...] | None:
        """A list of paths or globs, each with the folder that it is relative to."""
        texts = self.strings(key)
        return None if texts is None else tuple(Pattern(text, self.origin.folder) for text in texts)

    def selectors(self, key: str) -> tuple[Selector, ...] | None:
        """A list of codes, prefixes of codes, slugs or families."""
        names = self.strings(key)
        return None if names is None else self._selectors(key, names)

    def selectors_by_pattern(self, key: str) -> tuple[tuple[Pattern, tuple[Selector, ...]], ...] | None:
        """A table from paths or globs to lists of codes, prefixes of codes, slugs or families."""
        value = self._ask(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(key, f"must be a table of lists, not {_kind(value)}")
        entries = cast("dict[str, object]", value)
        return tuple(
            (Pattern(text, self.origin.folder), self._selectors(key, self._strings(key, names)))
            for text, names in entries.items()
        )

    def refuse_unknown(self) -> None:
        """Say that a key means nothing, once every key has been asked for.

        Raises:
            ConfigError: if a key was never asked for.
        """
        for key in self._values:
            if key not in self._asked:
                raise self.error(key, f"is not a key of pleach-lint{suggestion(key, self._asked)}")

    def error(self, key: str, problem: str) -> ConfigError:
        """What to raise about a key."""
        line = _line(self.origin.text, key)
        place = f"{self.origin.name}:{line}" if line else self.origin.name
        return ConfigError(f"{place}: `{key}` {problem}")

    def _ask(self, key: str) -> object:
        self._asked.append(key)
        return self._values.get(key)

    def _strings(self, key: str, value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            raise self.error(key, f'must be a list of strings, not a string; write ["{value}"]')
        if not isinstance(value, list):
            raise self.error(key, f"must be a list of strings, not {_kind(value)}")
        items = cast("list[object]", value)
        for item in items:
            if not isinstance(item, str):
                raise self.error(key, f"must be a list of strings, but holds {_kind(item)}")
        return tuple(str(item) for item in items)

    def _selectors(self, key: str, names: Iterable[str]) -> tuple[Selector, ...]:
        try:
            return tuple(selector(name, on_command_line=self.origin.on_command_line) for name in names)
        except UnknownSelectorError as error:
            raise self.error(key, f"holds an {error}") from None


def _kind(value: object) -> str:
    """Name the TOML type of a value."""
    return _KINDS.get(type(value).__name__, "a date or time")


def _line(text: str, key: str) -> int | None:
    """1-based line on which a key is set; None when it cannot be told."""
    header = max(text.find("[tool.pleach-lint"), 0)
    setting = rf"""^[ \t]*(\[(tool\.pleach-lint\.)?)?["']?{re.escape(key)}["']?[ \t]*[=.\]]"""
    found = re.compile(setting, re.MULTILINE).search(text, header)
    return text.count("\n", 0, found.start()) + 1 if found else None
