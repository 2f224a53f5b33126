"""Which files can matter at all, told from their bytes. A file that is turned away here has no finding."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.flow.names import Lexicon, words_of
from pleach_lint.source import may_hide_words
from pleach_lint.vocabulary import CLASS_WORDS, RUNTIME_PACKAGE, SEAM_GENERICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORDS: Final = tuple(word.encode() for word in CLASS_WORDS)
_LONGEST_WORD: Final = max(map(len, _WORDS))
_QUOTED: Final = re.compile(rb"""["'](%s)["']""" % b"|".join(_WORDS))
_NAMED: Final = re.compile(rb"\w", re.ASCII)
_MEMBER: Final = re.compile(rb"\b(%s)\s*=\s*(?:\w+\.)?auto\(" % b"|".join(_WORDS))
_KEY: Final = re.compile(rb"""["'](%s)["']\s*:""" % b"|".join(_WORDS))
_TYPE: Final = re.compile(rb"\w\s*\[[^\]]*\]")
_BEFORE: Final = re.compile(rb"[\w-]+\Z", re.ASCII)
_AFTER: Final = re.compile(rb"[\w-]*", re.ASCII)
_GENERIC: Final = re.compile(rb"\b(?:%s)\s*\[" % "|".join(sorted(SEAM_GENERICS)).encode())
_RUNTIME: Final = RUNTIME_PACKAGE.encode()
_LEAST: Final = 3
"""Letters that a piece of a word must have to count. Of two pieces one has more."""
_BEGINS: Final = re.compile(
    rb"""["'](?:%s)(?![a-z])"""
    % b"|".join(word[:end] for word in _WORDS for end in range(len(word) - 1, _LEAST - 1, -1))
)
_TAIL: Final = re.compile(rb"""(?:%s)["']""" % b"|".join(sorted({word[-_LEAST:] for word in _WORDS})))
_ENDS: Final = re.compile(
    rb"(?<![a-z])(?:%s)\Z" % b"|".join(word[start:] for word in _WORDS for start in range(1, len(word) - _LEAST + 1))
)
_LONGEST_NAME: Final = 100
_SUPPRESSING: Final = (b"PCH", b"pleach:")
_SHARED: Final = (b"ynthesi", b"pleach", b"auditable")
_LOWER: Final = bytes(range(256)).lower()
_JOINTS: Final = b"_-"

_STATEMENT: Final = re.compile(rb"[\n\r;:\f][ \t\f]*(?:from|import)[ \t\\]")
_FROM: Final = re.compile(
    rb"from[ \t\\\r\n]+(?P<source>[.\s]*[\w.]*)[ \t\\\r\n]+import"
    rb"[ \t\\\r\n]*(?P<names>\([^)]*\)|(?:[^\r\n;#\\]|\\\r?\n)*)"
)
_IMPORT: Final = re.compile(rb"import[ \t\\\r\n]+(?P<modules>(?:[^\r\n;#\\]|\\\r?\n)*)")
_NAME: Final = re.compile(r"(?!as\b)(\w+)(?:\s+as\s+\w+)?")


class Signs(NamedTuple):
    """What the bytes of a file show of call classes."""

    names_slot: bool
    """The name of a call-class slot, of the class type, or of the runtime stands in the file."""
    words: bool
    """A class word stands in the file, in any case, since `"UTILITY".lower()` is one."""
    spells: bool
    """A class word stands in the file as a whole word, be it in prose."""
    together: bool
    """Two distinct class words stand between quotes or name members, or one beside a type generic over the class."""
    bears_slot: bool
    """Other modules can find a call-class slot here: one that is named, a type of the words, or a table they key."""
    triggers: bool = False
    """What a rule that is not about class words cannot do without stands in the file."""
    hides: bool = False
    """The file cannot be decoded, so that a search of its bytes tells nothing."""
    suppresses: bool = False
    """A comment that hides findings of ours may stand in the file."""


BARE: Final = Signs(names_slot=False, words=False, spells=False, together=False, bears_slot=False)
"""What most files show: nothing."""
_SLOT_ONLY: Final = Signs(names_slot=True, words=False, spells=False, together=False, bears_slot=True)


@lru_cache(maxsize=64)
def _cores(extra_names: tuple[str, ...]) -> tuple[bytes, ...]:
    """The spellings, in lower case, of which each name of a slot holds one."""
    names = [tuple(part.encode() for part in words_of(name).split("_")) for name in ("call_class", *extra_names)]
    return (_RUNTIME, *(joint.join(parts) for parts in names for joint in (b"_", b"-", b"")))


def _names_slot(data: bytes, lowered: bytes, extra_names: tuple[str, ...]) -> bool:
    """Whether a whole identifier in the file names a slot: `default_call_class`, but not `call_classifier`."""
    cores = _cores(extra_names)
    if not _holds_one(lowered, cores):
        return False
    present = [core for core in cores if core in lowered]
    if _RUNTIME in present:
        return True
    lexicon = Lexicon(extra_names)
    for match in re.finditer(b"|".join(re.escape(core) for core in present), lowered):
        before = _BEFORE.search(data, max(0, match.start() - _LONGEST_NAME), match.start())
        after = _AFTER.match(data, match.end())
        start, end = before.start() if before else match.start(), after.end() if after else match.end()
        if lexicon.names_class(data[start:end].decode()):
            return True
    return False


def signs(data: bytes, extra_names: tuple[str, ...] = ()) -> Signs:
    """Read the signs; `extra_names` are further names of slots, in any spelling."""
    found = _signs(data, extra_names)
    hides, suppresses = may_hide_words(data), may_suppress(data)
    return found._replace(hides=hides, suppresses=suppresses) if hides or suppresses else found


def bare_without(extra_names: tuple[str, ...], texts: Iterable[bytes]) -> tuple[bytes, ...]:
    """The parts without any of which a folded file is `BARE`, holds none of the further texts, and suppresses nothing.

    Each part costs a search of every file of a run, so that texts share one where they can.
    """
    wanted = (*_WORDS, *_cores(extra_names), *_SUPPRESSING, *texts)
    parts = {next((part for part in _SHARED if part in text), text) for text in map(_folded, wanted)}
    return tuple(sorted(part for part in parts if not any(other in part for other in parts - {part})))


def is_bare(data: bytes, parts: tuple[bytes, ...]) -> bool:
    """Whether a file shows nothing, given the parts that `bare_without` names. Far cheaper than its signs."""
    return not _holds_one(_folded(data), parts) and not may_hide_words(data)


def _folded(data: bytes) -> bytes:
    """A text in which the spellings of a name are one: `call_class`, `call-class`, `callClass`."""
    return data.translate(_LOWER, _JOINTS)


def may_compose(data: bytes) -> bool:
    """Whether pieces stand in a file of which it may put a class word together: `"syn" + "thesize"`, `f"con{rest}"`."""
    lowered = data.lower()
    if _BEGINS.search(lowered):
        return True
    tails = (lowered[max(0, tail.start() - _LONGEST_WORD) : tail.end() - 1] for tail in _TAIL.finditer(lowered))
    return any(map(_ENDS.search, tails))


def may_suppress(data: bytes) -> bool:
    """Whether a comment that hides findings of ours by name may stand in a file."""
    return any(text in data for text in _SUPPRESSING)


def _signs(data: bytes, extra_names: tuple[str, ...]) -> Signs:
    lowered = data.lower()
    names_slot = _names_slot(data, lowered, extra_names)
    if not _holds_one(lowered, _WORDS):
        return _SLOT_ONLY if names_slot else BARE
    present = [word for word in _WORDS if word in lowered]
    spells = any(_is_spelled(word, data) for word in present)
    several = len(present) > 1 and _are_several(_QUOTED.findall(data))
    named = len(present) > 1 and b"auto(" in lowered and _are_several(_MEMBER.findall(lowered))
    together = several or named or (spells and _GENERIC.search(data) is not None)
    bears = several and (
        _are_several(_KEY.findall(data)) or any(_are_several(_QUOTED.findall(part)) for part in _TYPE.findall(data))
    )
    return Signs(names_slot, words=True, spells=spells, together=together, bears_slot=names_slot or bears)


def _holds_one(lowered: bytes, parts: tuple[bytes, ...]) -> bool:
    for part in parts:  # noqa: SIM110 - a generator costs more than the search, for every file of a run
        if part in lowered:
            return True
    return False


def _is_spelled(word: bytes, data: bytes) -> bool:
    """Whether a word stands in the file by itself. Far faster than an expression for all words at once."""
    start = data.find(word)
    while start >= 0:
        end = start + len(word)
        if not _NAMED.match(data, start - 1, start) and not _NAMED.match(data, end):
            return True
        start = data.find(word, end)
    return False


def _are_several(words: list[bytes]) -> bool:
    return len(set(words)) > 1


def imported_names(data: bytes) -> set[tuple[int, str]]:
    """The modules that a file may import: leading dots, dotted name. Too many rather than too few."""
    found: set[tuple[int, str]] = set()
    text = b"\n" + data
    for statement in _STATEMENT.finditer(text):
        start = statement.end() - len(statement[0].lstrip(b"\n\r;: \t\f"))
        source = _FROM.match(text, start)
        if source is not None:
            found.update(_imported_from(_plain(source["source"]).replace(" ", ""), _plain(source["names"])))
        elif (modules := _IMPORT.match(text, start)) is not None:
            parts = (part.split() for part in _plain(modules["modules"]).split(","))
            found.update(prefix for part in parts if part for prefix in _prefixes(part[0]))
    return found


def _prefixes(dotted: str) -> Iterator[tuple[int, str]]:
    """`import a.b.c` imports `a` and `a.b` as well."""
    parts = dotted.split(".")
    yield from ((0, ".".join(parts[:length])) for length in range(1, len(parts) + 1))


def _plain(part: bytes) -> str:
    return re.sub(r"#[^\n]*|[\\\r\n\t]", " ", part.decode(errors="ignore"))


def _imported_from(source: str, names: str) -> set[tuple[int, str]]:
    dotted = source.lstrip(".")
    level = len(source) - len(dotted)
    inside = {(level, f"{dotted}.{name}".strip(".")) for name in _NAME.findall(names)}
    return {(level, dotted), *inside}
