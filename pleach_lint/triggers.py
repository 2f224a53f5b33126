"""The texts that make a file worth a look for the rules that are not about class words. Knows no rule by name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from pleach_lint.declarations import declarations
from pleach_lint.flow.names import names_class
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from typing import Protocol

    class Stands(Protocol):
        """Tells whether a sign stands in a file."""

        def __call__(self, data: bytes, *, words: bool) -> bool:
            """Look at the bytes; `words` says whether a class word is in them."""
            ...


_SHARED: Final = ("accepts", "uditable", "ynthesis")
"""Parts that several signs share: one search for a part is faster than one for each sign."""


@cache
def trigger(optional: tuple[str, ...]) -> Stands:
    """What tells whether a file holds a sign of a rule, given its bytes and whether a class word is in them.

    Signs that name a slot do not count: by them the file is worth a look as it is.

    Args:
        optional: The codes of the rules that are on although they are off by default.
    """
    rules = (rule for rule in declarations() if rule.default or rule.code in optional)
    signs = sorted({sign for rule in rules for sign in rule.signs if not names_class(sign)})
    with_word = tuple(sign.encode() for sign in signs if _holds_word(sign))
    parts: dict[bytes, tuple[bytes, ...]] = {}
    for sign in signs:
        if not _holds_word(sign):
            part = next((shared for shared in _SHARED if shared in sign), sign).encode()
            parts[part] = (*parts.get(part, ()), sign.encode())

    def stands_in(data: bytes, *, words: bool) -> bool:
        for part, whole in parts.items():
            if part in data and any(sign in data for sign in whole):
                return True
        return words and any(sign in data for sign in with_word)

    return stands_in


def _holds_word(sign: str) -> bool:
    """Whether a class word is part of a sign, so that a file without class words cannot hold the sign."""
    return any(word in sign.lower() for word in CLASS_WORDS)
