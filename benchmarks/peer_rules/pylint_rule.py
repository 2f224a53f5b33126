"""The rule for pylint: keyword `call_class=` with one of four words."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from astroid import nodes
from pylint.checkers import BaseChecker

if TYPE_CHECKING:
    from pylint.lint import PyLinter

WORDS = {"utility", "reasoning", "converse", "synthesize"}


class CallClass(BaseChecker):
    """A class literal."""

    name = "call-class"
    msgs: ClassVar = {"E9901": ("a class literal", "call-class", "A class literal.")}

    def visit_keyword(self, node: nodes.Keyword) -> None:
        """Report the keyword with a word."""
        if node.arg == "call_class" and isinstance(node.value, nodes.Const) and node.value.value in WORDS:
            self.add_message("call-class", node=node.value)


def register(linter: PyLinter) -> None:
    """Offer the rule to pylint."""
    linter.register_checker(CallClass(linter))
