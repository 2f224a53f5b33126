"""PCH999 not-analysed: a file that could not be read or parsed."""

from __future__ import annotations

from pleach_lint.rule import Rule


class NotAnalysed(Rule):
    """A file could not be analysed, so nothing is known about it.

    The file cannot be read, its encoding can hide the words (bytes that do not decode, UTF-16, NUL, a codec that is not
    ASCII-compatible), or it may hold a class word or a slot name and cannot be parsed. A gate that skips such a file is
    green by accident, so this rule cannot be switched off or suppressed: repair the file, or exclude it.

    A readable file that holds neither a class word nor a slot name counts as "without class words", even if it would
    not parse.

    Source: the contract of the command line: exit 0 only when everything was analysed.
    """

    code = "PCH999"
    slug = "not-analysed"
    ignorable = False
    way_out = "repair the file, or exclude it"
