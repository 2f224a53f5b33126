"""The bytes of a notebook to the module that its code cells make.

Source: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from pleach_lint.notebooks.json_strings import placed_strings
from pleach_lint.notebooks.magics import as_python
from pleach_lint.notebooks.notebook import Cell, Notebook, Piece
from pleach_lint.source import UnreadableSource, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_Path: TypeAlias = "tuple[str | int, ...]"
_Object: TypeAlias = "dict[str, object]"

_HEAD: Final = "\n\n"
"""Above the first cell, so that no comment in it is taken for the declaration of an encoding."""
_SOURCES: Final = ("source", "input")
"""The key of a cell's source, from format 4 on and up to format 3."""


def read_notebook(data: bytes) -> Notebook:
    """Read the code cells in Python; a notebook in another language has none.

    A blank row parts the cells, so that no comment reaches from one into the next.

    Raises:
        UnreadableSource: if it is no notebook; the row is one of the file.
    """
    code, text = [_HEAD], [_HEAD]
    cells: list[Cell] = []
    row = _rows(_HEAD) + 1
    for number, source in _sources(_contents(decode(data).text)):
        python = as_python(source)
        if python is not None:
            end = "\n" if source.endswith(("\n", "\r")) else "\n\n"
            cells.append(Cell(number, row))
            code.append(python + end)
            text.append(source + end)
            row += _rows(code[-1])
    return Notebook("".join(code), "".join(text), tuple(cells))


def placed(notebook: Notebook, data: bytes) -> Notebook:
    """The same notebook, able to tell places in the file, which takes another look at its bytes."""
    pieces = _pieces(decode(data).text)
    return replace(notebook, cells=tuple(replace(cell, pieces=tuple(pieces[cell.number])) for cell in notebook.cells))


def _contents(document: str) -> _Object:
    try:
        contents: object = json.loads(document) if document.strip() else {"cells": []}
    except json.JSONDecodeError as error:
        reason = f"not a notebook: no valid JSON ({error.msg} in column {error.colno})"
        raise UnreadableSource(error.lineno, reason) from None
    except (ValueError, RecursionError):
        raise UnreadableSource(1, "not a notebook: JSON that cannot be taken in") from None
    if not isinstance(contents, dict) or not contents.keys() & {"cells", "worksheets"}:
        raise UnreadableSource(1, "not a notebook: JSON without `cells`")
    return cast("_Object", contents)


def _sources(contents: _Object) -> Iterator[tuple[int, str]]:
    """The number and source of each code cell in Python."""
    if not _is_python(contents):
        return
    for number, cell in enumerate(_cells(contents), start=1):
        if cell.get("cell_type") == "code" and _is_python_cell(cell):
            source = next((cell[key] for key in _SOURCES if key in cell), None)
            if isinstance(source, list):
                source = "".join(map(str, cast("list[object]", source)))
            if not isinstance(source, str):
                raise UnreadableSource(1, f"not a notebook: the source of cell {number} is no text")
            yield number, source


def _cells(contents: _Object) -> Iterator[_Object]:
    for sheet in (contents, *_objects(contents.get("worksheets"))):
        yield from _objects(sheet.get("cells"))


def _objects(value: object) -> Iterator[_Object]:
    """The objects in an array.

    Raises:
        UnreadableSource: if there is something else.
    """
    if not isinstance(value, (list, type(None))):
        raise UnreadableSource(1, "not a notebook: its cells are no array")
    for item in cast("list[object]", value or []):
        if not isinstance(item, dict):
            raise UnreadableSource(1, "not a notebook: a cell is no object")
        yield cast("_Object", item)


def _is_python(contents: _Object) -> bool:
    """Whether some kernel of the notebook speaks Python; where none is named, it is taken to."""
    metadata = _object(contents, "metadata")
    said = (_object(metadata, "language_info").get("name"), _object(metadata, "kernelspec").get("language"))
    languages = [name.lower() for name in said if isinstance(name, str)]
    return not languages or any("python" in language for language in languages)


def _is_python_cell(cell: _Object) -> bool:
    """Whether a cell is in the language of its notebook, in notebooks that mix several."""
    said = (cell.get("language"), _object(_object(cell, "metadata"), "vscode").get("languageId"))
    return all(language in (None, "python") for language in said)


def _object(parent: _Object, key: str) -> _Object:
    value = parent.get(key)
    return cast("_Object", value) if isinstance(value, dict) else {}


def _pieces(document: str) -> dict[int, list[Piece]]:
    """The strings of each cell's source, by the number of the cell."""
    numbers: dict[_Path, int] = {}
    pieces: dict[int, list[Piece]] = defaultdict(list)
    row, row_start = 1, 0
    for string in placed_strings(document):
        cell, inside = _divided(string.path)
        number = numbers.setdefault(cell, len(numbers) + 1) if cell else 0
        if number and inside[0] in _SOURCES:
            row += document.count("\n", row_start, string.start)
            row_start = document.rfind("\n", 0, string.start) + 1
            pieces[number].append(Piece(row, string.start - row_start + 1, string.spelled))
    return pieces


def _divided(path: _Path) -> tuple[_Path, _Path]:
    """The path of a cell, and the rest within it; what is in no cell has no such path."""
    length = 2 if path[:1] == ("cells",) else 4 if path[:3:2] == ("worksheets", "cells") else 0
    return path[:length], path[length:]


def _rows(text: str) -> int:
    return len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1
