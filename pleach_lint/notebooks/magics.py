"""What IPython adds to Python: magics, shell commands, help. Makes Python of it, row by row.

Source: https://ipython.readthedocs.io/en/stable/interactive/reference.html
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pleach_lint.source import UnreadableSource, decode
from pleach_lint.syntax import UnparsableSource, check_syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

_PYTHON: Final = frozenset({"capture", "memit", "prun", "time", "timeit"})
"""Cell magics whose cells are Python."""
_OTHER_LANGUAGES: Final = frozenset(
    {
        *("!", "R", "SVG", "bash", "bigquery", "cmd", "css", "html", "HTML", "javascript", "js", "julia", "latex"),
        *("markdown", "perl", "powershell", "ruby", "script", "sh", "sql", "svg", "sx", "system"),
    }
)
"""Magics for what is not Python. Where one is neither here nor there, what stands under or behind it decides."""
_BARE: Final = r"(?:pip|conda|mamba|ls|ll|cd|cat|cp|mv|rm|mkdir|rmdir|run|load_ext|matplotlib)[ \t]+[\w\-./~$*]"
"""How a row begins with a magic or command that does not say so."""
_LONGEST: Final = 2_000
"""Characters behind a magic that are taken for its argument. What is longer is no Python."""
_CELL_MAGIC: Final = re.compile(r"\s*(?:%%(?P<name>\S+)|%(?:fs|md|r|scala|sh|sql)[ \t]*$)", re.MULTILINE)
"""How a cell begins that may not be Python; Databricks writes the languages that it knows on a row of their own."""
_SUSPECT: Final = re.compile(rf"^[ \t]*(?:[%!?,;/]|{_BARE})|=[ \t]*[%!]|\?[ \t]*$", re.MULTILINE)
"""Stands in every cell that is not plain Python, and in some that are."""
_INDENT: Final = re.compile(r"[ \t]*")
_ENDS: Final = re.compile(r"\r\n|\r|\n")
_REST: Final = r"(?:\\(?:\r\n|[\s\S])|[^\\\r\n])*(?:\r\n|\r|\n|\Z)"
"""The rest of a row, and of those that a backslash joins to it."""
_MAGIC: Final = re.compile(r"%%?(?P<name>\w+)(?:[ \t]+--?\w[\w-]*(?:[ \t]+\d+)?)*(?=[ \t])")
_COMMAND: Final = re.compile(_BARE + _REST)
_ESCAPED: Final = re.compile(rf"[%!?,;/]{_REST}|[^\s#'\"][^#'\"\r\n]*\?[ \t]*(?:\r\n|\r|\n|\Z)")
_ASSIGNED: Final = re.compile(rf"(?P<target>(?:[^=\r\n#'\"\[%!]|\[[^\]\r\n]*\])+=[ \t]*)[%!](?!=){_REST}")
_TOKEN: Final = re.compile(
    r"\#[^\r\n]*|(?P<quote>\"{3}|'{3}|[\"'])|(?P<opened>[(\[{])|(?P<closed>[)\]}])|\\(?:\r\n|[\s\S])|(?P<end>\r\n|\r|\n)"
)
_CLOSING: Final = {
    quote: re.compile(rf"(?:[^\\{'' if len(quote) > 1 else chr(10)}]|\\[\s\S])*?{quote}")
    for quote in ('"""', "'''", '"', "'")
}
"""The rest of a string, by its quote."""


def as_python(cell: str) -> str | None:
    """Make Python of the source of a cell; None when it is in another language.

    Rows stay, and so do the columns of what was Python.
    """
    magic = _CELL_MAGIC.match(cell)
    if magic and magic["name"] in _OTHER_LANGUAGES:
        return None
    if not _SUSPECT.search(cell) or _is_python(cell):
        return cell
    made = "".join(_statements(cell))
    is_certain = magic is None or magic["name"] in _PYTHON
    return made if is_certain or _is_python(made) else None


def _is_python(text: str) -> bool:
    try:
        check_syntax(decode(text.encode(errors="replace")))
    except (UnreadableSource, UnparsableSource):
        return False
    return True


def _statements(cell: str) -> Iterator[str]:
    """The statements of a cell, each with its line break, those of IPython replaced."""
    at = 0
    while at < len(cell):
        start = _INDENT.match(cell, at).end()  # type: ignore[union-attr]  # it matches everywhere
        made, end = _argument(cell, start, "0;") or _escaped(cell, start) or _assigned(cell, start) or ("", start)
        end = end if made else _end(cell, start, len(cell))
        yield cell[at:start] + (made or cell[start:end])
        at = end


def _argument(cell: str, start: int, filler: str) -> tuple[str, int] | None:
    """The Python behind a magic, behind a filler of the same length as the magic; and where that ends."""
    magic = _MAGIC.match(cell, start)
    if magic is None or magic["name"] in _OTHER_LANGUAGES:
        return None
    stop = magic.end() + _LONGEST
    end = _end(cell, magic.end(), stop)
    made = filler.ljust(len(magic[0])) + cell[magic.end() : end]
    return (made, end) if end < stop and _is_python(made.lstrip()) else None


def _escaped(cell: str, start: int) -> tuple[str, int] | None:
    found = _ESCAPED.match(cell, start) or _COMMAND.match(cell, start)
    if found and found.re is _COMMAND and _is_python(found[0]):
        return None
    return ("pass" + _line_breaks(found[0]), found.end()) if found else None


def _assigned(cell: str, start: int) -> tuple[str, int] | None:
    """An assignment of what a magic or the shell returns, which is not known, or of the Python behind a magic."""
    found = _ASSIGNED.match(cell, start)
    if found is None:
        return None
    value, end = _argument(cell, found.end("target"), "") or ("None" + _line_breaks(found[0]), found.end())
    return found["target"] + value, end


def _line_breaks(text: str) -> str:
    return "".join(_ENDS.findall(text))


def _end(cell: str, at: int, stop: int) -> int:
    """Where the statement ends, line break included, that goes on at a place outside of strings and brackets.

    At `stop`, a place further on, or with the cell, if it does not end before.
    """
    depth = 0
    while token := _TOKEN.search(cell, at, stop):
        at = token.end()
        if token["quote"]:
            closing = _CLOSING[token["quote"]].match(cell, at, stop)
            at = closing.end() if closing else at
        elif token["end"] and not depth:
            return at
        depth += bool(token["opened"]) - (bool(token["closed"]) and depth > 0)
    return min(stop, len(cell))
