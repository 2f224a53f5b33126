"""What an identifier says about the value behind it. Pure questions to strings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pleach_lint.vocabulary import DECLARATION_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_WORD: Final = re.compile(r"[^0-9a-z]+")
_SEGMENT: Final = re.compile(r"(?:^|_)call_class(?:es)?(?:_|$)")
_PLURAL: Final = re.compile(r"(?:^|_)call_classes(?:_|$)")
_KEYED: Final = re.compile(
    r"(?:^|_)(?:by|per|for|each)_call_class(?:_|$)|(?:^|_)call_classes$|(?:^|_)call_class_(?!args|details|kwargs|params|status)[a-z]*s$"
)
_LAST: Final = re.compile(r"(?:^|_)call_class(?:es)?(?:_(?:choices|enum|kind|name|names|type|value|values))?$")
_LOOKUP: Final = re.compile(r"(?:^|_)call_class(?:es)?_(?:by|for|of|per)_|_to_call_class$")
_IDENTIFIER: Final = re.compile(r"[\w-]+")
_TAGS: Final = frozenset({"desc", "description", "doc", "docs", "help", "label", "labels", "log", "logger", "logs"})
"""Last segments of names that are about a call class without holding one: `call_class_log`."""

_OTHER_MEANINGS: Final = frozenset({
    "action", "api", "attr", "attribute", "category", "column", "command", "endpoint", "event", "field",
    "header", "id", "intent", "key", "kind", "label", "message", "method", "mode", "model", "module", "name",
    "node", "op", "operation", "param", "path", "phase", "prompt", "property", "query", "role", "route", "span",
    "stage", "state", "status", "step", "tag", "task", "text", "tier", "title", "tool", "topic", "type", "url",
    "word",
})  # fmt: skip
"""Segments by which a name says that its value is something other than a call class."""


@lru_cache(maxsize=4096)
def words_of(name: str) -> str:
    """The words of an identifier, lower case, joined by underscores: `callClass` and `CALL-CLASS` are `call_class`."""
    return _NOT_WORD.sub("_", _HUMP.sub("_", name).lower()).strip("_")


@lru_cache(maxsize=4096)
def names_class(name: str) -> bool:
    """Whether the name has the segment `call_class`: `default_call_class` has it, `recall_class` has not."""
    if "lass" not in name and "LASS" not in name:
        return False
    words = words_of(name)
    return _SEGMENT.search(words) is not None and words.rpartition("_")[2] not in _TAGS


class Lexicon:
    """Which names are the name of a call-class slot: those with the segment, and those that the project adds."""

    def __init__(self, extra: Iterable[str] = ()) -> None:
        self._extra = frozenset(words_of(name) for name in extra)

    def names_class(self, name: str) -> bool:
        """Whether a value under this name is a call class, or a container of them."""
        return names_class(name) or (bool(self._extra) and words_of(name) in self._extra)

    def is_named_in(self, text: str) -> bool:
        """Whether the name of a slot stands anywhere in a text."""
        return any(self.names_class(match[0]) for match in _IDENTIFIER.finditer(text))

    def is_named_after_class(self, name: str) -> bool:
        """Whether a type or a function is named after the class itself: `CallClass`, `use_call_class`."""
        return names_class(name) and _LAST.search(words_of(name)) is not None

    def names_class_list(self, name: str) -> bool:
        """Whether the name is a plural: `enabled_call_classes`."""
        return _PLURAL.search(words_of(name)) is not None

    def names_class_table(self, name: str) -> bool:
        """Whether the name says that its value is keyed by class, or lists classes: `by_call_class`."""
        return names_class(name) and _KEYED.search(words_of(name)) is not None

    def names_class_lookup(self, name: str) -> bool:
        """Whether the name says that classes are the values of a mapping: `call_class_by_stage`."""
        return names_class(name) and _LOOKUP.search(words_of(name)) is not None


def declares_seam(name: str) -> bool:
    """Whether a value under this name is a node's public declaration of its class."""
    return name in DECLARATION_NAMES


@lru_cache(maxsize=4096)
def names_something_else(name: str) -> bool:
    """Whether a segment of the name gives its value another meaning: `TASK_NAME`, `category`."""
    return not _OTHER_MEANINGS.isdisjoint(words_of(name).split("_"))
