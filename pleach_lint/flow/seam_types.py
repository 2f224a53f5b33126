"""The class of a seam, by its type: `SynthesizeSeam`, `ProviderSeam[Literal["synthesize"]]`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.objects import annotated_names
from pleach_lint.vocabulary import CLASS_WORDS, SEAM_GENERIC, SEAM_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import References

_WORD_OF: Final = {name: word for word, name in SEAM_TYPES.items()}


def seam_words(references: References, module: Module, annotation: ast.expr) -> frozenset[str]:
    """The classes of the seams that an annotation allows; the empty string for a seam of any class."""
    quoted = module.quoted(annotation) if isinstance(annotation, ast.Constant) else None
    whole = annotation if quoted is None else quoted
    generic = frozenset(word for part in ast.walk(whole) for word in _spelled(part))
    names = annotated_names(references, module, annotation)
    named = frozenset(_WORD_OF[name] for name in names if name in _WORD_OF)
    return generic or named or frozenset([""] if SEAM_GENERIC in names else [])


def _spelled(part: ast.AST) -> Iterator[str]:
    """The words in `ProviderSeam[Literal["synthesize"]]`."""
    if isinstance(part, ast.Subscript) and last_name(part.value) == SEAM_GENERIC:
        texts = (constant_text(each) for each in ast.walk(part.slice))
        yield from (text for text in texts if text in CLASS_WORDS)
