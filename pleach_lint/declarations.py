"""What each rule is called and whether it is on, read from the files of the rules without loading them.

Loading the rules loads the whole analysis, which costs more than a run on a file that has nothing to analyse.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = Path(__file__).parent / "rules"
_DECLARATION: Final = r'^    (code|slug|family|default|ignorable|signs) = (\((?:\s*"[^"]+",?)+\s*\)|[^(\n]+)(?:  #.*)?$'


class Declaration(NamedTuple):
    """The part of a rule that selection needs; see `Rule` for what the fields mean."""

    code: str
    slug: str
    family: str
    default: bool
    ignorable: bool
    signs: tuple[str, ...]


@cache
def declarations() -> tuple[Declaration, ...]:
    """Every rule, in the order of their codes."""
    texts = (path.read_text(encoding="utf-8") for path in _FOLDER.glob("*.py"))
    found = (dict(re.findall(_DECLARATION, text, re.MULTILINE)) for text in texts)
    return tuple(sorted(_declaration(written) for written in found if "code" in written))


def _declaration(written: dict[str, str]) -> Declaration:
    return Declaration(
        code=written["code"].strip('"'),
        slug=written["slug"].strip('"'),
        family=written.get("family", "").strip('"'),
        default=written.get("default") != "False",
        ignorable=written.get("ignorable") != "False",
        signs=tuple(re.findall(r'"([^"]+)"', written.get("signs", ""))),
    )
