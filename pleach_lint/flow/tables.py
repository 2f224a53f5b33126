"""Which expressions are mappings keyed by class, told by what flows into them. Knows no names and no types."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.displays import is_class_share
from pleach_lint.flow.module import last_name
from pleach_lint.flow.scopes import Binding
from pleach_lint.flow.settling import Settled
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.subjects import Subjects
    from pleach_lint.flow.tracing import Tracer

_COUNTING: Final = frozenset({"Counter", "fromkeys", "value_counts"})
"""Calls that give a mapping keyed by the elements of a list."""


class Tables:
    """Answers for expressions of the whole project."""

    def __init__(self, tracer: Tracer, subjects: Subjects) -> None:
        self._tracer = tracer
        self._subjects = subjects
        self._known = Settled[ast.expr, bool](False)  # noqa: FBT003 - the answer of a circle

    def is_keyed_by_class(self, module: Module, node: ast.expr) -> bool:
        """Whether the keys of a mapping are call classes: by the display behind it, or because it counts them."""
        return self._known.answer(node, lambda: self._is_keyed(module, node))

    def _is_keyed(self, module: Module, node: ast.expr) -> bool:
        if isinstance(node, ast.Dict):
            folder = self._tracer.folder(module)
            texts = [key for key in node.keys if key is not None and folder.text(key) is not None]
            return is_class_share(folder, [key for key in texts if folder.text(key) in CLASS_WORDS], texts)
        if isinstance(node, ast.Call) and last_name(node.func) in _COUNTING:
            counted = [*node.args[:1], *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
            return any(self._subjects.lists_classes(module, each) for each in counted)
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return False
        return any(
            self.is_keyed_by_class(owner, definition.value)
            for owner, definition in self._tracer.symbols(module, node)
            if definition.value is not None
            and not definition.route
            and definition.binding in {Binding.VALUE, Binding.PARAMETER}
        )
