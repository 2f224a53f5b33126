"""The rule for Fixit: keyword `call_class=` with one of four words."""

from __future__ import annotations

import libcst as cst
from fixit import LintRule

WORDS = {"utility", "reasoning", "converse", "synthesize"}


class CallClass(LintRule):
    """A class literal."""

    def visit_Arg(self, node: cst.Arg) -> None:
        """Report the keyword with a word."""
        named = node.keyword is not None and node.keyword.value == "call_class"
        if named and isinstance(node.value, cst.SimpleString) and node.value.evaluated_value in WORDS:
            self.report(node.value, "a class literal")
