"""The type of a seam that spells its class, turned into the alias of that seam."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pleach_lint.finding import Applicability, Fix
from pleach_lint.fixes.naming import is_ours, named
from pleach_lint.flow.module import last_name
from pleach_lint.vocabulary import SEAM_GENERIC, SEAM_TYPES

if TYPE_CHECKING:
    from pleach_lint.fixes.leak import Leak


def seam_alias(leak: Leak) -> Fix | None:
    """`ProviderSeam[Literal["synthesize"]]` to `SynthesizeSeam`."""
    literal = leak.parent
    generic = leak.view.module.parents.get(literal)
    if not isinstance(literal, ast.Subscript) or not isinstance(generic, ast.Subscript):
        return None
    if last_name(literal.value) != "Literal" or literal.slice is not leak.node or generic.slice is not literal:
        return None
    if last_name(generic.value) != SEAM_GENERIC or not is_ours(generic.value, leak) or "#" in leak.source(generic):
        return None
    name = named(leak, SEAM_TYPES[leak.word], beside=generic.value)
    if name is None:
        return None
    edits = sorted((*name.edits, leak.replaced(generic, name.text)))
    return Fix(Applicability.SAFE, f"Use `{name.text}`", tuple(edits))
