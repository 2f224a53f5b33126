"""Which files can matter at all, told from their bytes. A file that is turned away here has no finding."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pleach_lint.vocabulary import CLASS_WORDS, RUNTIME_PACKAGE

_SLOT_NAME: Final = rb"call[_-]?class"
_SEPARATE_NAME: Final = re.compile(r"[_\W]+")


@lru_cache(maxsize=64)
def _pattern(extra_names: tuple[str, ...]) -> re.Pattern[bytes]:
    words = [word.encode() for word in CLASS_WORDS]
    names = [rb"[_-]?".join(part.encode() for part in _SEPARATE_NAME.split(_spread(name))) for name in extra_names]
    return re.compile(b"|".join([*words, _SLOT_NAME, RUNTIME_PACKAGE.encode(), *names]), re.IGNORECASE)


def _spread(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).strip("_")


def may_matter(data: bytes, extra_names: tuple[str, ...] = ()) -> bool:
    """Whether a file holds a class word, the name of a slot, or an import of the runtime.

    Words are looked for in any case, since `"UTILITY".lower()` is one.
    """
    return _pattern(extra_names).search(data) is not None
