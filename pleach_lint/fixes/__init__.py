"""What mends a finding, as edits. A fix for one more rule is one file here and one entry below; nothing is written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.fixes.leak import Leak
from pleach_lint.fixes.predicate import predicate
from pleach_lint.fixes.route_table import route_table
from pleach_lint.fixes.seam_alias import seam_alias
from pleach_lint.fixes.seam_argument import seam_argument
from pleach_lint.flow.module import constant_text
from pleach_lint.offsets import Offsets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pleach_lint.finding import Fix
    from pleach_lint.flow.analysis import View

_MENDERS: Final[Mapping[str, Callable[[Leak], Fix | None]]] = {
    "PCH001": seam_argument,
    "PCH002": predicate,
    "PCH003": seam_alias,
    "PCH004": route_table,
}
"""By code of the rule: what makes a fix, or None where it is not sure to be one."""


class Mender:
    """Makes fixes for the findings of one module."""

    def __init__(self, view: View, is_own: Callable[[str], bool]) -> None:
        """Take a module.

        Args:
            view: What is known of it.
            is_own: Whether a top-level package, by its name, is of the project.
        """
        self._view = view
        self._is_own = is_own
        self._offsets = Offsets(view.module.tree.source.text)

    def fix(self, code: str, node: ast.expr, word: str) -> Fix | None:
        """Mend a literal; None where only a person can.

        Inside an f-string nothing is mended: Python 3.10 and 3.11 do not know where its parts stand.
        """
        mend = _MENDERS.get(code)
        if mend is None or not isinstance(node, ast.Constant) or constant_text(node) is None:
            return None
        if any(isinstance(outer, ast.JoinedStr) for outer in self._view.module.ancestors(node)):
            return None
        return mend(Leak(node, word, self._view, self._offsets, self._is_own))
