"""The type of a seam that spells its class, turned into the alias of that seam."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.finding import Applicability, Edit, Fix
from pleach_lint.fixes.naming import is_ours, named
from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.vocabulary import SEAM_GENERIC, SEAM_TYPES

if TYPE_CHECKING:
    from pleach_lint.fixes.leak import Leak
    from pleach_lint.fixes.naming import Named


def seam_alias(leak: Leak) -> Fix | None:
    """`ProviderSeam[Literal["synthesize"]]` to `SynthesizeSeam`, in a string too."""
    if constant_text(leak.node) != leak.word:
        return _quoted(leak)
    generic = leak.view.module.parents.get(leak.parent)
    if not isinstance(generic, ast.Subscript) or not _is_spelled(generic, leak.word) or "#" in leak.source(generic):
        return None
    if _is_made_or_inherited(generic, leak):
        return None
    name = _alias(generic, leak)
    return None if name is None else _fix(name, leak.replaced(generic, name.text))


def _quoted(leak: Leak) -> Fix | None:
    """The same in a string annotation that says nothing else of classes, and is written without escapes."""
    text, source = constant_text(leak.node) or "", leak.source(leak.node)
    resolved = leak.view.module.quoted(leak.node)
    if resolved is None or source[1:-1] != text.strip() or not text.isascii():
        return None
    placed = ast.parse(text, mode="eval").body
    generics, places = (
        [part for part in ast.walk(tree) if isinstance(part, ast.Subscript) and _is_spelled(part, leak.word)]
        for tree in (resolved, placed)
    )
    if len(places) != 1 or text.count(leak.word) != 1:
        return None
    place, name = places[0], _alias(generics[0], leak)
    if name is None:
        return None
    written = f"{text[: place.col_offset]}{name.text}{text[place.end_col_offset :]}"
    return _fix(name, leak.replaced(leak.node, f"{source[0]}{written}{source[-1]}"))


def _is_spelled(generic: ast.Subscript, word: str) -> bool:
    """Whether a type is `ProviderSeam[Literal["word"]]`."""
    literal = generic.slice
    if last_name(generic.value) != SEAM_GENERIC or not isinstance(literal, ast.Subscript):
        return False
    return last_name(literal.value) == "Literal" and constant_text(literal.slice) == word


def _is_made_or_inherited(generic: ast.Subscript, leak: Leak) -> bool:
    """Whether a type is called or is a base class, for which not every alias is good."""
    holder = leak.view.module.parents[generic]
    return isinstance(holder, ast.ClassDef) or (isinstance(holder, ast.Call) and holder.func is generic)


def _alias(generic: ast.Subscript, leak: Leak) -> Named | None:
    if not is_ours(generic.value, leak):
        return None
    return named(leak, SEAM_TYPES[leak.word], beside=generic.value)


def _fix(name: Named, edit: Edit) -> Fix:
    return Fix(Applicability.SAFE, f"Use `{name.text}`", tuple(sorted((*name.edits, edit))))
