"""Configuration files: bytes to a checked layer, and what it inherits. Does not choose the file."""

from __future__ import annotations

import codecs
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from pleach_lint.config.layer import Layer, read_layer
from pleach_lint.config.table import ConfigError, Origin, Table
from pleach_lint.paths import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAMES: Final = (".pleach-lint.toml", "pleach-lint.toml", "pyproject.toml")
"""In one folder the first that has settings for us counts."""

_SHARED: Final = "pyproject.toml"
_SECTION: Final = "pleach-lint"
_MISSPELT: Final = ("pleach_lint", "pleachlint")
_ABSENT: Final = (FileNotFoundError, NotADirectoryError, IsADirectoryError)


def read_file(path: Path, cwd: Path) -> tuple[Layer, ...]:
    """Read a file and all that it inherits from, the strongest first; nothing when it has no settings for us.

    Raises:
        ConfigError: if a file cannot be read or obeyed, or a file that is inherited from is missing, has no settings
            for us, or inherits from itself.
    """
    layers: list[Layer] = []
    seen: list[Path] = []
    while True:
        seen.append(path)
        layer = _read_alone(path, cwd)
        if layer is None:
            break
        layers.append(layer)
        if layer.extend is None:
            return tuple(layers)
        path = _inherited(path, layer)
        if path in seen:
            chain = " -> ".join(shown(link, cwd) for link in (*seen, path))
            raise ConfigError(f"{layer.origin}: `extend` comes back to where it began: {chain}")
    if layers:
        raise ConfigError(f"{layers[-1].origin}: `extend` names {shown(path, cwd)}, which has no [tool.{_SECTION}]")
    return ()


def read_inline(text: str, cwd: Path) -> Layer:
    """Read one `key = value` of the command line; paths in it are relative to the working directory.

    Raises:
        ConfigError: if it is not TOML, or not a setting of ours.
    """
    name = f"--config {text!r}"
    return read_layer(Table(_parsed(text, name), Origin(name, str(cwd), on_command_line=True)))


def _inherited(path: Path, layer: Layer) -> Path:
    """Where `extend` leads.

    Raises:
        ConfigError: if there is no file.
    """
    target = (path.parent / Path(layer.extend or "").expanduser()).resolve()
    if not target.is_file():
        raise ConfigError(f"{layer.origin}: `extend` names {target}, which does not exist")
    return target


def _read_alone(path: Path, cwd: Path) -> Layer | None:
    name = shown(path, cwd)
    try:
        data = path.read_bytes()
    except _ABSENT:
        return None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}") from None
    ours = path.name != _SHARED
    if not ours and b"pleach" not in data.replace(b"\0", b""):
        return None
    text = _decoded(data, name)
    document = _parsed(text, name)
    section = document if ours else _section(document, name)
    return None if section is None else read_layer(Table(section, Origin(name, str(path.parent), text)))


def _decoded(data: bytes, name: str) -> str:
    if data.startswith(codecs.BOM_UTF8):
        raise ConfigError(f"{name}:1: starts with a byte order mark, which TOML forbids; save it as UTF-8 without one")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{name}:{line}: is not UTF-8 text; save it as UTF-8") from None


def _parsed(text: str, name: str) -> dict[str, object]:
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return cast("dict[str, object]", toml.loads(text))
    except toml.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column \d+\)", str(error))
        place = f"{name}:{found[1]}" if found else name
        raise ConfigError(f"{place}: is not valid TOML: {error}") from None


def _section(document: Mapping[str, object], name: str) -> Mapping[str, object] | None:
    """Find our table in a `pyproject.toml`.

    Raises:
        ConfigError: if it is not a table, or carries a name that is nearly ours.
    """
    tools = document.get("tool")
    if not isinstance(tools, dict):
        return None
    found = cast("dict[str, object]", tools)
    for wrong in _MISSPELT:
        if wrong in found:
            raise ConfigError(f"{name}: the table [tool.{wrong}] is spelled [tool.{_SECTION}]")
    section = found.get(_SECTION)
    if section is None or isinstance(section, dict):
        return cast("dict[str, object] | None", section)
    raise ConfigError(f"{name}: `tool.{_SECTION}` must be one table")
