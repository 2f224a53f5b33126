"""What flake8 is told about which codes it reports. Knows nothing else of flake8."""

from __future__ import annotations

import re
from configparser import Error, RawConfigParser
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.neighbours.toml import read_text

if TYPE_CHECKING:
    from pathlib import Path

_FILES: Final = ("setup.cfg", "tox.ini", ".flake8")
"""The first that has a section for flake8 counts. Source: flake8's `options/config.py`."""
_SECTION: Final = "flake8"


class Flake8Settings(NamedTuple):
    """What one file says. None: it does not say."""

    path: Path
    text: str
    select: tuple[str, ...] | None
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    """`extend-ignore` included."""
    exclude: tuple[str, ...]
    """`extend-exclude` included."""
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...]
    """The pairs of a pattern and codes."""

    def shows(self, code: str) -> bool:
        """Whether flake8 reports a code: the entry that names it most closely decides."""
        chosen = (*(self.select or ()), *self.extend_select)
        if self.select is None and not _weight(self.ignore, code):
            return True
        return _weight(chosen, code) > _weight(self.ignore, code)


def flake8_settings(folder: Path) -> Flake8Settings | None:
    """The settings that flake8 takes from a folder; None when it has none there."""
    for name in _FILES:
        text = read_text(folder / name)
        section = None if text is None else _section(text)
        if text is not None and section is not None:
            return Flake8Settings(
                path=folder / name,
                text=text,
                select=_codes(section["select"]) if "select" in section else None,
                extend_select=_codes(section.get("extend-select", "")),
                ignore=_codes(section.get("ignore", "")) + _codes(section.get("extend-ignore", "")),
                exclude=_codes(section.get("exclude", "")) + _codes(section.get("extend-exclude", "")),
                per_file_ignores=_by_pattern(section.get("per-file-ignores", "")),
            )
    return None


def _section(text: str) -> dict[str, str] | None:
    parser = RawConfigParser()
    try:
        parser.read_string(text)
    except Error:
        return None
    if not parser.has_section(_SECTION):
        return None
    return {key.replace("_", "-"): value for key, value in parser.items(_SECTION)}


def _codes(value: str) -> tuple[str, ...]:
    """The codes of a list, without comments."""
    lines = (line.partition("#")[0] for line in value.splitlines())
    return tuple(code for line in lines for code in re.split(r"[,\s]+", line) if code)


def _by_pattern(value: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Pairs as flake8 writes them: patterns, a colon, codes."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for pattern, codes in re.findall(r"([^\s,:]+)\s*:\s*([^:]*?)(?=[\s,]+[^\s,:]+\s*:|\s*$)", value):
        found.append((pattern, _codes(codes)))
    return tuple(found)


def _weight(prefixes: tuple[str, ...], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)
