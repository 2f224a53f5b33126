"""The texts that make a file worth a look for the rules that are not about class words. Knows no rule by name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pleach_lint.declarations import declarations
from pleach_lint.flow.names import names_class
from pleach_lint.vocabulary import CLASS_WORDS, SEAM_GENERICS

if TYPE_CHECKING:
    from typing import Protocol

    class Stands(Protocol):
        """Tells whether a sign stands in a file."""

        def __call__(self, data: bytes, *, words: bool) -> bool:
            """Look at the bytes; `words` says whether a class word is in them."""
            ...


@cache
def trigger(optional: tuple[str, ...]) -> Stands:
    """What tells whether a file holds a sign of a rule, given its bytes and whether a class word is in them.

    Signs that name a slot or a type of seams do not count: by them, or by where the type is imported from, the file is
    worth a look as it is.

    Args:
        optional: The codes of the rules that are on although they are off by default.
    """
    signs = _signs(optional)
    with_word = tuple(sign.encode() for sign in signs if _holds_word(sign))
    others = tuple(sign.encode() for sign in signs if not _holds_word(sign))

    def stands_in(data: bytes, *, words: bool) -> bool:
        return any(sign in data for sign in (*others, *(with_word if words else ())))

    return stands_in


def texts(optional: tuple[str, ...]) -> tuple[bytes, ...]:
    """Every sign, one of which stands in each file in which a rule that is on can find something of its own."""
    return tuple(sign.encode() for sign in _signs(optional))


def _signs(optional: tuple[str, ...]) -> list[str]:
    rules = (rule for rule in declarations() if rule.default or rule.code in optional)
    return sorted(
        {sign for rule in rules for sign in rule.signs if not names_class(sign) and sign not in SEAM_GENERICS}
    )


def _holds_word(sign: str) -> bool:
    """Whether a class word is part of a sign, so that a file without class words cannot hold the sign."""
    return any(word in sign.lower() for word in CLASS_WORDS)
