"""What a text would cost libcst, told from its tokens before libcst sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_CODE: Final = re.compile(
    r"""
    (?P<skipped> \#[^\r\n]* | \\(?:\r\n|[\s\S]) )
  | (?P<string> (?i:[rbu]{0,2}) (?: "{3}(?:[^\\]|\\[\s\S])*?"{3} | '{3}(?:[^\\]|\\[\s\S])*?'{3}
                                  | "(?:[^"\\\r\n]|\\[\s\S])*"   | '(?:[^'\\\r\n]|\\[\s\S])*' ) )
  | (?i:[ft]r?|r[ft]) (?P<quote> "{3} | '{3} | ["'] )
  | (?P<word> \w+ )
  | (?P<opened> [(\[{] )
  | (?P<closed> [)\]}] )
  | (?P<colon> : )
  | (?P<comma> , )
  | (?P<end> [;\r\n] )
  | (?P<operator> [-+*/%@&|^~.<>] )
    """,
    re.VERBOSE,
)
_TEXT: Final = re.compile(r"""\{\{|\\(?:\r\n|[^{}])|"{3}|'{3}|[{}"'\r\n]""")
_LINKING_WORDS: Final = frozenset({"and", "await", "else", "if", "in", "is", "not", "or"})
_STATEMENT: Final = "statement"
_LAMBDA: Final = "lambda"
_FIELD: Final = "field"
_LAYOUT: Final = "layout"
_SQUARED_LINKS_PER_TOKEN: Final = 10
_LEVELS_PER_TOKEN: Final = 2
_DOUBLED_BRACKETS_PER_TOKEN: Final = 4
_MOST_DOUBLINGS: Final = 30


def tokens(text: str, most: int) -> int:
    """Return how many tokens of plain code, at about 50 µs each, cost libcst as much as `text` does.

    Chains of operators, trailers or adjacent strings cost the square of their length, brackets their depth, and each
    bracket in a `case` pattern doubles the cost of what it holds. The count stops soon after it exceeds `most`.
    """
    meter = _Meter()
    at = 0
    while meter.counted <= most and (token := meter.pattern.search(text, at)):
        at = token.end()
        meter.take(token)
    return meter.counted + meter.pending()


@dataclass
class _Level:
    """A statement, or what opened within it and has not closed."""

    kind: str
    """A bracket, the quote of an f-string, or one of the names above."""
    links: int = 0
    """Operators, trailers and strings since the last comma."""

    def cost(self) -> int:
        return self.links**2 // _SQUARED_LINKS_PER_TOKEN


class _Meter:
    def __init__(self) -> None:
        self.counted = 0
        self._levels = [_Level(_STATEMENT)]
        self._doublings: int | None = None
        self._starts_statement = True

    @property
    def pattern(self) -> re.Pattern[str]:
        """What to look for next."""
        return _TEXT if self._is_in_text() else _CODE

    def take(self, token: re.Match[str]) -> None:
        """Count one token."""
        self.counted += 1
        if self._is_in_text():
            self._take_text(token[0])
        elif token.lastgroup in _ACTIONS:
            _ACTIONS[token.lastgroup](self, token[token.lastgroup])
            self._starts_statement = token.lastgroup == "end"

    def _is_in_text(self) -> bool:
        kind = self._levels[-1].kind
        return kind == _LAYOUT or kind[0] in "\"'"

    def _take_text(self, text: str) -> None:
        kind = self._levels[-1].kind
        if text == "{":
            self._levels.append(_Level(_FIELD))
        elif text == kind:
            self._levels.pop()
        elif text in "\r\n" and len(kind) == 1:
            self._levels.pop()
            self.end(text)
        elif text == "}" and kind == _LAYOUT:
            del self._levels[-2:]

    def link(self, _text: str) -> None:
        self._levels[-1].links += 1

    def quote(self, quote: str) -> None:
        self._levels[-1].links += 1
        self._levels.append(_Level(quote))

    def word(self, word: str) -> None:
        if word in _LINKING_WORDS:
            self._levels[-1].links += 1
        elif word == "lambda":
            self._levels[-1].links += 1
            self._levels.append(_Level(_LAMBDA))
        elif word == "case" and self._starts_statement and self._levels[-1].kind == _STATEMENT:
            self._doublings = 0

    def opened(self, bracket: str) -> None:
        self._levels[-1].links += 1
        self.counted += len(self._levels) // _LEVELS_PER_TOKEN
        self._levels.append(_Level(bracket))
        if self._doublings is not None:
            self._doublings += _doublings(bracket)
            self.counted += 2 ** min(self._doublings, _MOST_DOUBLINGS) // _DOUBLED_BRACKETS_PER_TOKEN

    def closed(self, _bracket: str) -> None:
        while len(self._levels) > 1 and self._levels[-1].kind == _LAMBDA:
            self._settle(self._levels.pop())
        if len(self._levels) == 1:
            return
        level = self._levels.pop()
        self._settle(level)
        if self._doublings is not None:
            self._doublings -= _doublings(level.kind)

    def colon(self, _text: str) -> None:
        level = self._levels[-1]
        if level.kind == _FIELD:
            self._settle(level)
            self._levels.append(_Level(_LAYOUT))
        elif level.kind == _LAMBDA:
            self._settle(self._levels.pop())
        elif level.kind == _STATEMENT:
            self._settle(level)
            self._doublings = None

    def comma(self, _text: str) -> None:
        self._settle(self._levels[-1])

    def end(self, _text: str) -> None:
        if all(level.kind in {_STATEMENT, _LAMBDA} for level in self._levels):
            del self._levels[1:]
            self._settle(self._levels[0])
            self._doublings = None

    def pending(self) -> int:
        """Return what the open levels add when they close."""
        return sum(map(_Level.cost, self._levels))

    def _settle(self, level: _Level) -> None:
        self.counted += level.cost()
        level.links = 0


def _doublings(bracket: str) -> int:
    return 2 if bracket == "{" else 1


_ACTIONS: Final = {
    "string": _Meter.link,
    "quote": _Meter.quote,
    "word": _Meter.word,
    "opened": _Meter.opened,
    "closed": _Meter.closed,
    "colon": _Meter.colon,
    "comma": _Meter.comma,
    "end": _Meter.end,
    "operator": _Meter.link,
}
