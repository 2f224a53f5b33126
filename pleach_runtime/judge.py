"""Whether a draft is an answer at all. What is done with a weak one is decided in the lanes."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from pleach_runtime.audit import Draft, Verdict

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Mn", "Zl", "Zp", "Zs"})
"""Unicode categories that show nothing on their own: controls, format characters, lone marks, separators."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn as nothing: the Hangul fillers and the empty Braille cell."""


class DraftJudge(Protocol):
    """Judges a draft: pure, quick, sync. It is asked for every class; only the answer class is tried again."""

    def __call__(self, draft: Draft, /) -> Verdict:
        """Return `ok`, `refused`, or why the draft is no answer yet: `thin` or `empty`."""
        ...


def has_visible_text(text: str) -> bool:
    """Whether a reader would see anything: zero-width characters, blanks and controls do not count."""
    return any(char not in _BLANK and unicodedata.category(char) not in _INVISIBLE for char in text)


def judge_by_visible_text(draft: Draft) -> Verdict:
    """Call a draft empty if it shows nothing and asks for no tool. No draft is thin for this judge."""
    if draft.refused:
        return "refused"
    return "ok" if draft.tool_calls or has_visible_text(draft.text) else "empty"


def judge_by_length(min_chars: int) -> DraftJudge:
    """Return a judge that also calls a visible draft thin if, stripped, it is shorter than `min_chars` characters."""

    def judge(draft: Draft, /) -> Verdict:
        verdict = judge_by_visible_text(draft)
        too_short = len(draft.text.strip()) < min_chars and not draft.tool_calls
        return "thin" if verdict == "ok" and too_short else verdict

    return judge
