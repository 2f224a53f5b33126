"""Which files can matter at all, told from their bytes. A file that is turned away here has no finding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pleach_lint.flow.names import Lexicon, words_of
from pleach_lint.vocabulary import CLASS_WORDS, RUNTIME_PACKAGE

_WORDS: Final = "|".join(CLASS_WORDS).encode()
_ANY_WORD: Final = re.compile(_WORDS, re.IGNORECASE)
_QUOTED: Final = re.compile(rb"""["'](%s)["']""" % _WORDS)
_KEY: Final = re.compile(rb"""["'](%s)["']\s*:""" % _WORDS)
_TYPE: Final = re.compile(rb"Literal\s*\[[^\]]*\]")
_BEFORE: Final = re.compile(rb"[\w-]+\Z", re.ASCII)
_AFTER: Final = re.compile(rb"[\w-]+", re.ASCII)
_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<source>\.*[ \t]*[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\r\n;#]*)"
    rb"|import[ \t]+(?P<modules>[^\r\n;#]+))",
    re.MULTILINE,
)
_IN_LINE: Final = re.compile(rb"[;:][ \t]*(?:from|import)[ \t]")


@dataclass(frozen=True)
class Signs:
    """What the bytes of a file show of call classes."""

    names_slot: bool
    """The name of a call-class slot, of the class type, or of the runtime stands in the file."""
    words: bool
    """A class word stands in the file, in any case, since `"UTILITY".lower()` is one."""
    together: bool
    """Two distinct class words stand between quotes."""
    bears_slot: bool
    """Other modules can find a call-class slot here: one that is named, a type of the words, or a table they key."""


@lru_cache(maxsize=64)
def _core(extra_names: tuple[str, ...]) -> re.Pattern[bytes]:
    names = [b"[_-]?".join(part.encode() for part in words_of(name).split("_")) for name in extra_names]
    return re.compile(b"|".join([rb"call[_-]?class", RUNTIME_PACKAGE.encode(), *names]), re.IGNORECASE)


def _names_slot(data: bytes, extra_names: tuple[str, ...]) -> bool:
    """Whether a whole identifier in the file names a slot: `default_call_class`, but not `call_classifier`."""
    lexicon = Lexicon(extra_names)
    for match in _core(extra_names).finditer(data):
        before, after = (
            _BEFORE.search(data, max(0, match.start() - 100), match.start()),
            _AFTER.match(data, match.end()),
        )
        whole = (before[0] if before else b"") + match[0] + (after[0] if after else b"")
        if match[0].lower() == RUNTIME_PACKAGE.encode() or lexicon.names_class(whole.decode()):
            return True
    return False


def signs(data: bytes, extra_names: tuple[str, ...] = ()) -> Signs:
    """Read the signs; `extra_names` are further names of slots, in any spelling."""
    names_slot = _names_slot(data, extra_names)
    words = _ANY_WORD.search(data) is not None
    together = words and _are_several(_QUOTED.findall(data))
    bears = together and (
        _are_several(_KEY.findall(data)) or any(_are_several(_QUOTED.findall(part)) for part in _TYPE.findall(data))
    )
    return Signs(names_slot, words, together, names_slot or bears)


def _are_several(words: list[bytes]) -> bool:
    return len(set(words)) > 1


def imported_names(data: bytes) -> set[tuple[int, str]]:
    """The modules that a file may import: leading dots, dotted name. Too many rather than too few."""
    found: set[tuple[int, str]] = set()
    for match in _IMPORT.finditer(_IN_LINE.sub(lambda inner: b"\n" + inner[0][1:], data)):
        if match["modules"] is not None:
            found.update(
                (0, part.split()[0].decode(errors="ignore")) for part in match["modules"].split(b",") if part.split()
            )
            continue
        source = match["source"].replace(b" ", b"").replace(b"\t", b"").decode(errors="ignore")
        level = len(source) - len(source.lstrip("."))
        found.add((level, source[level:]))
        names = re.findall(r"(\w+)(?:\s+as\s+\w+)?", match["names"].decode(errors="ignore"))
        found.update((level, f"{source[level:]}.{name}".strip(".")) for name in names)
    return found
