"""Bytes to text: encodings, byte order marks and line endings. Knows nothing of Python's grammar."""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

_WIDE_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_NEWLINE: Final = re.compile(rb"\r\n|\r|\n")
_COOKIE: Final = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_ESCAPED: Final = b"\\x61\\u0061\\U00000061\\N{BULLET}+AGE-=61~~xn--a\x1b(B"
_PROBES: Final = (_ESCAPED, bytes(range(128)))
_HIGH: Final = bytes(range(128, 256))


class UnreadableSource(Exception):  # noqa: N818 - it says what the file is
    """Bytes that cannot be told to be the text of a Python file."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row
        """1-based."""
        self.reason = reason
        """One plain line."""


class Source(NamedTuple):
    """The text of one file."""

    text: str
    """Decoded, without its byte order mark; line endings as they stand in the file."""
    lines: tuple[str, ...]
    r"""The rows of `text` without their endings, which are `\n`, `\r\n` and `\r` and nothing else."""
    encoding: str
    """Name of the codec that decoded the bytes."""


def decode(data: bytes) -> Source:
    """Read the bytes of a Python file as CPython does, but refuse encodings in which an ASCII word can hide.

    Raises:
        UnreadableSource: if the bytes are not text in the declared encoding (UTF-8 where none is declared), or the
            encoding is unknown, does not encode text, or does not keep ASCII as it is; if there are NUL bytes, UTF-16
            or UTF-32 marks, or two UTF-8 marks.

    Source: https://peps.python.org/pep-0263/
    """
    text, encoding = _decoded(data)
    return Source(text, _rows(text), encoding)


def of_text(text: str) -> Source:
    """Take a text that has been decoded before, as if it stood in a file in UTF-8."""
    return Source(text, _rows(text), "utf-8")


def may_hide_words(data: bytes) -> bool:
    """Tell whether a search of the bytes for ASCII words can miss a word of the text.

    True for exactly those bytes that `decode` refuses.
    """
    if data.isascii() and b"\0" not in data and _COOKIE.match(data) is None:
        return False
    try:
        _decoded(data)
    except UnreadableSource:
        return True
    return False


def _rows(text: str) -> tuple[str, ...]:
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not rows[-1]:
        rows.pop()
    return tuple(rows)


def _decoded(data: bytes) -> tuple[str, str]:
    _refuse_wide(data)
    body = data.removeprefix(codecs.BOM_UTF8)
    if body.startswith(codecs.BOM_UTF8):
        raise UnreadableSource(1, "two byte order marks; keep one at most")
    encoding = _encoding(body, marked=body is not data)
    try:
        return body.decode(encoding), encoding
    except UnicodeDecodeError as error:
        row = _row(body, error.start)
        raise UnreadableSource(row, f"byte 0x{body[error.start]:02x} is not {encoding} text") from None


def _refuse_wide(data: bytes) -> None:
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            raise UnreadableSource(1, f"looks like {name}; save it as UTF-8")
    first = data.find(b"\0")
    if first < 0:
        return
    if 2 * data.count(b"\0", 0, 64) >= len(data[:64]) - 1:
        raise UnreadableSource(1, "every other byte is NUL: looks like UTF-16; save it as UTF-8")
    raise UnreadableSource(_row(data, first), "a NUL byte; Python refuses the file")


def _row(data: bytes, offset: int) -> int:
    """1-based row of a byte."""
    return len(_NEWLINE.findall(data, 0, offset)) + 1


def _encoding(body: bytes, *, marked: bool) -> str:
    found = _COOKIE.match(body)
    if found is None:
        return "utf-8"
    row = _row(body, found.start(1))
    name = found[1].decode("ascii")
    try:
        codec = codecs.lookup(name).name
        faithful = _keeps_ascii(codec)
    except LookupError:
        raise UnreadableSource(row, f"unknown encoding {name!r}, or not one of text") from None
    if not faithful:
        raise UnreadableSource(row, f"encoding {name!r} does not keep ASCII as it is; save the file as UTF-8")
    if marked and not codec.startswith("utf-8"):
        raise UnreadableSource(row, f"encoding {name!r} contradicts the UTF-8 byte order mark")
    return codec


def _keeps_ascii(codec: str) -> bool:
    """Tell whether ASCII bytes, and only these, mean ASCII characters.

    Raises:
        LookupError: if the codec does not turn bytes into text.
    """
    try:
        kept = all(probe.decode(codec) == probe.decode("ascii") for probe in _PROBES)
        return kept and not any(map(str.isascii, _HIGH.decode(codec, "ignore")))
    except UnicodeError:
        return False
