"""Tests for `pleach_lint.source`."""

from __future__ import annotations

import codecs
import encodings
import pkgutil

import pytest

from pleach_lint.source import UnreadableSource, decode, may_hide_words

BOM = codecs.BOM_UTF8


def refusal(data: bytes) -> UnreadableSource:
    """Return what `decode` says of bytes that it must refuse."""
    with pytest.raises(UnreadableSource) as caught:
        decode(data)
    return caught.value


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        pytest.param(b"x = 1\n", "x = 1\n", "utf-8", id="plain ASCII"),
        pytest.param("é = 1\n".encode(), "é = 1\n", "utf-8", id="UTF-8 without a cookie"),
        pytest.param(b"", "", "utf-8", id="nothing"),
        pytest.param(BOM, "", "utf-8", id="a byte order mark alone"),
        pytest.param(BOM + b"x\n", "x\n", "utf-8", id="a byte order mark is no part of the text"),
        pytest.param(BOM + b"# coding: utf-8\nx", "# coding: utf-8\nx", "utf-8", id="a mark and a cookie that agree"),
        pytest.param(BOM + b"# coding: utf_8_sig\nx", "# coding: utf_8_sig\nx", "utf-8-sig", id="a cookie for a mark"),
        pytest.param(b"# -*- coding: latin-1 -*-\n'\xe9'", "# -*- coding: latin-1 -*-\n'é'", "iso8859-1", id="Emacs"),
        pytest.param(b"#!x\n# vim: set fileencoding=cp1252 :\n'\x80'", None, "cp1252", id="Vim, on the second row"),
        pytest.param(b"# coding: shift_jis\n'\x95\\'", "# coding: shift_jis\n'表'", "shift_jis", id="a backslash byte"),
        pytest.param(b"#!x\r# coding: latin-1\r'\xe9'", None, "iso8859-1", id="a cookie in a file of bare returns"),
        pytest.param(b"\n\n# coding: latin-1\nx", None, "utf-8", id="a cookie on the third row is a comment"),
        pytest.param(b"x = 1\n# coding: latin-1\n", None, "utf-8", id="a cookie below code is a comment"),
        pytest.param(b"x = 1  # coding: latin-1\n", None, "utf-8", id="a cookie behind code is a comment"),
        pytest.param(b"# coding: utf-8\n# coding: latin-1\n", None, "utf-8", id="the first of two cookies counts"),
    ],
)
def test_text_and_encoding(data: bytes, text: str | None, encoding: str) -> None:
    """The encoding is the declared one, or UTF-8, and the mark is not part of the text."""
    source = decode(data)
    assert source.encoding == encoding
    assert text is None or source.text == text
    assert not may_hide_words(data)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(b"", (), id="nothing"),
        pytest.param(b"a", ("a",), id="no final newline"),
        pytest.param(b"a\nb\n", ("a", "b"), id="line feeds"),
        pytest.param(b"a\r\nb\r\n", ("a", "b"), id="both"),
        pytest.param(b"a\rb\r", ("a", "b"), id="carriage returns"),
        pytest.param(b"a\n\r\nb\r\rc", ("a", "", "b", "", "c"), id="a mixture"),
        pytest.param("a\f\v\x1c\x85\u2028b\n".encode(), ("a\f\v\x1c\x85\u2028b",), id="what str.splitlines splits"),
    ],
)
def test_lines(data: bytes, lines: tuple[str, ...]) -> None:
    """Rows end at line feeds, carriage returns and pairs of them, and nowhere else."""
    assert decode(data).lines == lines


@pytest.mark.parametrize(
    ("data", "row", "reason"),
    [
        pytest.param(b"x\n'caf\xe9'\n", 2, "byte 0xe9 is not utf-8 text", id="undeclared Latin-1"),
        pytest.param(b"a\r\nb\rc\n'\xe9'", 4, "byte 0xe9 is not utf-8 text", id="rows end as Python's do"),
        pytest.param(b"# coding: ascii\n'\xe9'", 2, "byte 0xe9 is not ascii text", id="not what is declared"),
        pytest.param(BOM + BOM + b"x", 1, "two byte order marks; keep one at most", id="two marks"),
        pytest.param(BOM + b"# coding: latin-1\n", 1, "'latin-1' contradicts the UTF-8 byte order mark", id="conflict"),
        pytest.param(b"#\n# coding: nosuch\n", 2, "unknown encoding 'nosuch'", id="an unknown codec"),
        pytest.param(b"# coding: rot13\n", 1, "unknown encoding 'rot13', or not one of text", id="text to text"),
        pytest.param(b"# coding: hex\n", 1, "unknown encoding 'hex', or not one of text", id="bytes to bytes"),
        pytest.param(b"# coding: unicode_escape\n", 1, "does not keep ASCII as it is", id="escapes"),
        pytest.param("x = 1\n".encode("utf-16"), 1, "looks like UTF-16; save it as UTF-8", id="UTF-16 with a mark"),
        pytest.param("x = 1\n".encode("utf-32"), 1, "looks like UTF-32; save it as UTF-8", id="UTF-32 with a mark"),
        pytest.param("x = 1\n".encode("utf-16-be"), 1, "looks like UTF-16; save it as UTF-8", id="UTF-16 without one"),
        pytest.param(b"x = 1\n# a\0b\n", 2, "a NUL byte; Python refuses the file", id="NUL in a comment"),
        pytest.param(b"x = 1\n" * 20 + b"\0" * 500, 21, "a NUL byte; Python refuses the file", id="NUL padding"),
    ],
)
def test_refusals(data: bytes, row: int, reason: str) -> None:
    """Bytes that are no text are refused with their row and one plain line, and count as hiding words."""
    error = refusal(data)
    assert error.row == row
    assert reason in error.reason
    assert "\n" not in error.reason
    assert may_hide_words(data)


def test_every_accepted_encoding_keeps_words_in_sight() -> None:
    """A word stands in the bytes of a file exactly if it stands in its text, whatever Python codec it declares."""
    hidden = {
        "utf_7": b"+AHU-tility",
        "iso2022_jp": b"uti\x1b(Blity",
        "mac_arabic": b"call\xdfclass",
        "hz": b"uti~\nlity",
    }
    for name in (module.name for module in pkgutil.iter_modules(encodings.__path__)):
        cookie = f"# coding: {name}\n".encode()
        if not may_hide_words(cookie):
            assert decode(cookie + b"call_class='utility'").text.endswith("call_class='utility'")
            assert name not in hidden
    for name, word in hidden.items():
        assert word.decode(name) in {"utility", "call_class"}
        assert may_hide_words(f"# coding: {name}\n".encode() + word)


def test_filter_agrees_with_decoding_on_plain_files() -> None:
    """A comment that only looks like a cookie does not make a file suspicious."""
    assert not may_hide_words(b"# encodings are hard\nx = 'coding: utf-7'\n")
    assert not may_hide_words(b"x = 1\n# coding: utf-7\n")
    assert may_hide_words(b"# coding: utf-7\nx = 1\n")
