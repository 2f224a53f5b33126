"""Class literals inside text of another language: SQL, JSON, YAML, URLs, option strings. Pure questions to strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WORD: Final = rf"(?P<word>{'|'.join(CLASS_WORDS)})"
_NAME: Final = r"(?P<name>(?<![\w-])[A-Za-z_][\w.-]*)"
_QUOTE: Final = r"""\\?["'`]"""
_QUOTED: Final = rf"(?:\b[rbfuNE])?{_QUOTE}{_WORD}{_QUOTE}"
_CLOSE: Final = rf"(?:{_QUOTE})?[\])]?"
_FLAGS: Final = re.IGNORECASE | re.MULTILINE

_QUOTED_FORMS: Final = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        # a comparison or an assignment, in SQL, Python, JSON, TOML, YAML
        rf"{_NAME}{_CLOSE}(?:::\w+)?\s*(?:={{1,3}}|!={{1,2}}|<>|:=|:|=>|\bIS(?:\s+NOT)?(?:\s+DISTINCT\s+FROM)?\b|\bI?LIKE\b)\s*{_QUOTED}",
        rf"{_QUOTED}\s*(?:={{1,2}}|!=|<>|\bIN\b|\bAS\b)\s*[\"'`]?{_NAME}",
        rf"\b(?:COALESCE|IFNULL|ISNULL|NULLIF|NVL)\s*\(\s*{_NAME}{_CLOSE}\s*,\s*{_QUOTED}",
        # a list: SQL's IN, a JSON or YAML array, an enumeration type
        rf"{_NAME}{_CLOSE}\s*(?:\bNOT\s+)?(?:\bIN\b|:|={{1,2}}(?:\s*ANY\s*\(\s*(?:ARRAY\b)?)?|\b(?:AS\s+)?ENUM\b)\s*[(\[{{][^)\]}}]*?{_QUOTED}",
        # the default of a column, a member that is added to a type, an arm of a CASE
        rf"{_NAME}(?={_CLOSE}(?:\s+(?!DEFAULT\b)\w+(?:\s*\([^()]*\))?){{1,6}}\s+DEFAULT\s+{_QUOTED})",
        rf"{_NAME}{_CLOSE}\s+ADD\s+VALUE\s+(?:IF\s+NOT\s+EXISTS\s+)?{_QUOTED}",
        rf"\bCASE\s+{_NAME}\s+(?:(?!\bEND\b)[^;])*?\bWHEN\s+{_QUOTED}",
        # an element of XML
        rf"<{_NAME}(?:\s[^>]*)?>\s*{_WORD}\s*</",
    )
)
_BARE_FORMS: Final = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        # a query string or a form body
        rf"[?&](?:\w+\[)?{_NAME}(?:\[\d*\]|\])?={_WORD}(?=[&#\s]|\Z)",
        rf"\A{_NAME}={_WORD}(?=&)",
        # a line of YAML, or a header
        rf"^[ \t]*(?:-[ \t]+)?{_NAME}:[ \t]+{_WORD}[ \t]*(?:#.*)?$",
        # an inline list or mapping of YAML, a list below its key
        rf"(?:^|(?<=[{{,]))[ \t]*{_NAME}:[ \t]+(?:\[(?:[^\]\n]*,)?[ \t]*)?{_WORD}[ \t]*(?=[\],}}])",
        rf"^[ \t]*{_NAME}:[ \t]*\n(?:[ \t]*-[ \t]+\S*[ \t]*\n)*[ \t]*-[ \t]+{_WORD}[ \t]*$",
        # an option in a command line
        rf"(?:^|(?<=\s))-{{1,2}}(?P<name>[A-Za-z][\w-]*)[= ]{_WORD}(?=\s|\Z)",
    )
)
_INI_LINE: Final = re.compile(rf"^[ \t]*{_NAME}[ \t]*=[ \t]*{_WORD}[ \t]*$", _FLAGS)
_LOOSE: Final = re.compile(rf"{_NAME}{_CLOSE}\s*[=:]\s*{_QUOTE}?{_WORD}\b", _FLAGS)
_INSERT: Final = re.compile(
    r"\bINTO\s+[\w.\"`\[\]]+\s*\((?P<columns>[^)]*)\)\s*(?:VALUES\s*(?P<rows>\(.*)|SELECT\s+(?P<chosen>.*?)(?:\sFROM\b|\Z))",
    _FLAGS | re.DOTALL,
)
_ROW: Final = re.compile(r"\(((?:[^()']|'[^']*'|\([^)]*\))*)\)")
_CELL: Final = re.compile(r"(?:[^,'(]|'[^']*'|\([^)]*\))+")
_LONGEST: Final = 200_000


def embedded_word(text: str, names_class: Callable[[str], bool], *, loose: bool = False) -> str | None:
    """The first class word that the text gives to a slot name; None when there is none.

    `loose` also counts a bare `name=word` in any surroundings, such as a log message.
    """
    if len(text) > _LONGEST or not any(word in text for word in CLASS_WORDS):
        return None
    return next(_found(text, names_class, loose=loose), None)


def _found(text: str, names_class: Callable[[str], bool], *, loose: bool) -> Iterator[str]:
    forms = [*_QUOTED_FORMS, *_BARE_FORMS]
    forms += [_INI_LINE] if "\n" in text.strip() or text.lstrip().startswith("[") else []
    forms += [_LOOSE] if loose else []
    for form in forms:
        for match in form.finditer(text):
            if match["word"] in CLASS_WORDS and names_class(match["name"]):
                yield match["word"]
    yield from _inserted(text, names_class)


def _inserted(text: str, names_class: Callable[[str], bool]) -> Iterator[str]:
    """`INSERT INTO runs (id, call_class) VALUES (1, 'utility')`: the value in the column of the class."""
    for match in _INSERT.finditer(text):
        columns = [column.strip(' \t\r\n"`[]') for column in match["columns"].split(",")]
        rows = [row[1] for row in _ROW.finditer(match["rows"] or "")]
        for row in [*rows, match["chosen"] or ""]:
            cells = [cell.strip() for cell in _CELL.findall(row)]
            for column, cell in zip(columns, cells, strict=False):
                if names_class(column) and cell.strip("'\"") in CLASS_WORDS:
                    yield cell.strip("'\"")
