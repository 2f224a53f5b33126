"""libcst's string literals as nodes of `ast`: their values, and the parts of f-strings and t-strings."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import libcst as cst

from pleach_lint.syntax.conversion.expressions import expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pleach_lint.syntax.conversion.places import Places

    _Formatted = cst.FormattedString | cst.TemplatedString

_ESCAPE: Final = re.compile(r"\\(?:[0-7]{1,3}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|N\{[^}]+\}|.)", re.DOTALL)
_BLANKS: Final = re.compile(rb"(?:\s|#[^\r\n]*)*")
_COMMENT: Final = re.compile(rb"""('[^']*'|"[^"]*")|#[^\r\n]*""")
_NO_CONVERSION: Final = -1
_FIELDS: Final = (cst.FormattedStringExpression, cst.TemplatedStringExpression)


@dataclass(frozen=True)
class _Text:
    """A stretch of constant text in an f-string, between two byte offsets."""

    value: str
    start: int
    end: int
    kind: str | None = None


@expression.register(cst.SimpleString)
def simple_string(node: cst.SimpleString, at: Places) -> ast.expr:
    """Convert a string or bytes literal.

    Raises:
        SyntaxError, ValueError: if CPython refuses it, such as one with a truncated escape.
    """
    return at.put_on(ast.Constant(ast.literal_eval(node.value), _kind(node)), node)


@expression.register(cst.FormattedString)
def formatted_string(node: _Formatted, at: Places) -> ast.expr:
    """Convert an f-string."""
    return at.put_on(ast.JoinedStr(_merged(_pieces(node, at), at)), node)


if sys.version_info < (3, 14):  # pragma: no branch - 3.14 has nodes of its own, which stay the C parser's
    expression.register(cst.TemplatedString, formatted_string)


@expression.register(cst.ConcatenatedString)
def concatenated_string(node: cst.ConcatenatedString, at: Places) -> ast.expr:
    """Convert adjacent literals to the one that they are."""
    literals = [node.left]
    rest = node.right
    while isinstance(rest, cst.ConcatenatedString):
        literals.append(rest.left)
        rest = rest.right
    literals.append(rest)
    if all(isinstance(literal, cst.SimpleString) for literal in literals):
        return at.put_on(ast.Constant(_joined_value(literals), _kind(literals[0])), node)
    pieces = (piece for literal in literals for piece in _pieces(literal, at))
    return at.put_on(ast.JoinedStr(_merged(pieces, at)), node)


def _joined_value(literals: Sequence[cst.BaseString]) -> str | bytes:
    values = [ast.literal_eval(literal.value) for literal in literals if isinstance(literal, cst.SimpleString)]
    empty: str | bytes = type(values[0])()
    return empty.join(values)


def _kind(literal: cst.BaseString) -> Literal["u"] | None:
    """Return what CPython notes of a prefix: a small u and nothing else."""
    return "u" if isinstance(literal, cst.SimpleString) and literal.value.startswith("u") else None


def _pieces(literal: cst.SimpleString | _Formatted, at: Places) -> Iterator[_Text | ast.FormattedValue]:
    if isinstance(literal, cst.SimpleString):
        yield _Text(ast.literal_eval(literal.value), at.start(literal), at.end(literal), _kind(literal))
    else:
        yield from _parts(literal.parts, at, raw="r" in literal.prefix)


def _parts(parts: Iterable[cst.CSTNode], at: Places, *, raw: bool) -> Iterator[_Text | ast.FormattedValue]:
    for part in parts:
        if not isinstance(part, _FIELDS):
            yield _Text(_value(at.written(part), raw=raw), at.start(part), at.end(part))
            continue
        if part.equal is not None:
            yield _echo(part, part.equal, at)
        yield _interpolation(part, at, raw=raw)


def _echo(part: cst.CSTNode, equal: cst.AssignEqual, at: Places) -> _Text:
    """Return the text that `{x = }` repeats, which reaches to the next token and leaves comments out."""
    start, equal_end = at.start(part) + 1, at.end(equal)
    blanks = _BLANKS.match(at.text, equal_end)
    end = blanks.end() if blanks else equal_end
    return _Text(_unix(_COMMENT.sub(rb"\1", at.text[start:end]).decode()), start, end)


def _interpolation(
    part: cst.FormattedStringExpression | cst.TemplatedStringExpression, at: Places, *, raw: bool
) -> ast.FormattedValue:
    value = expression(part.expression, at)
    conversion = _NO_CONVERSION if part.conversion is None else ord(part.conversion)
    if part.format_spec is None:
        if part.equal is not None and part.conversion is None:
            conversion = ord("r")
        return at.put_on(ast.FormattedValue(value, conversion, None), part)
    end = at.end(part) - 1
    start = (at.start(part.format_spec[0]) if part.format_spec else end) - 1
    layout = at.put(ast.JoinedStr(_merged(_parts(part.format_spec, at, raw=raw), at)), start, end)
    return at.put_on(ast.FormattedValue(value, conversion, layout), part)


def _merged(pieces: Iterable[_Text | ast.FormattedValue], at: Places) -> list[ast.expr]:
    """Join neighbouring texts and drop empty ones."""
    made: list[ast.expr] = []
    run: list[_Text] = []
    for piece in pieces:
        if isinstance(piece, _Text):
            run.append(piece)
            continue
        made += _constants(run, at)
        made.append(piece)
        run = []
    return made + _constants(run, at)


def _constants(run: Sequence[_Text], at: Places) -> list[ast.expr]:
    value = "".join(text.value for text in run)
    return [at.put(ast.Constant(value, run[0].kind), run[0].start, run[-1].end)] if value else []


def _value(text: str, *, raw: bool) -> str:
    """Evaluate the constant text of an f-string."""
    text = _unix(text).replace("{{", "{").replace("}}", "}")
    return text if raw else _ESCAPE.sub(_unescaped, text)


def _unescaped(escape: re.Match[str]) -> str:
    return str(ast.literal_eval(f'"{escape[0]}"'))


def _unix(text: str) -> str:
    r"""Read all line endings as `\n`, as CPython does within strings."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
