"""PCH006 callclass-suspect: a bare class word without evidence."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.names import declares_seam, names_something_else
from pleach_lint.flow.references import ClassReference, FunctionReference
from pleach_lint.flow.slots import Hit
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_BUILTINS: Final = frozenset(dir(builtins))
_IN_AWARE: Final = "a bare class word in a module that works with seams"
_IN_STRICT: Final = "a bare class word, reported in strict mode"


class CallclassSuspect(Rule):
    """A bare class word stands without evidence for or against being a call class.

    By default this looks only at modules that import the runtime or a seam package, and there only at what could still
    be a class: a plain constant that is exported or unused, an argument of a function that cannot be resolved. With
    `strict = true` every string (or bytes) that equals a class word is reported, wherever it stands outside the seams.

    Source: the documentation of Pleach, "Call classes", section "The callClass lint".
    """

    code = "PCH006"
    slug = "callclass-suspect"
    family = "callclass-literals"
    rank = 5
    claim = "may be used as a call class"
    way_out = "go through a seam, or say why with `# pleach: ignore[callclass-suspect]`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "a constant in a module that works with seams",
            """
            from pleach_runtime import SynthesizeSeam

            LANE = "synthesize"  #~ 8
            chosen = pick("utility")  #~ 15
            """,
        ),
        Example(
            "other meanings in such a module",
            """
            from pleach_runtime import SynthesizeSeam

            TASK_NAME = "synthesize"
            item = {"type": "reasoning"}
            graph.add_node("synthesize", run)
            body = create(reasoning={"effort": "low"}, category="utility")
            """,
        ),
        Example(
            "a module that does not know seams",
            """
            LANE = "synthesize"
            chosen = pick("utility")
            """,
        ),
        Example(
            "strict mode",
            """
            labels = {"type": "reasoning"}  #~ 19
            key = b"utility"  #~ 7
            node = NodeMetadata(accepts_seam="synthesize")
            """,
            strict=True,
        ),
    )

    def visit_Assign(self, node: ast.Assign, view: View) -> Iterator[Hit]:
        if not view.is_aware or not isinstance(view.module.parents.get(node), ast.Module):
            return
        word = view.word(node.value)
        for target in node.targets:
            if word is not None and isinstance(target, ast.Name) and self._stays_unknown(target, view):
                yield Hit(node.value, _IN_AWARE, word)

    def _stays_unknown(self, target: ast.Name, view: View) -> bool:
        """Whether nothing tells of a constant: neither its name nor a use of it."""
        if names_something_else(target.id) or declares_seam(target.id):
            return False
        reads = [
            node
            for node in view.module.nodes
            if isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Load)
        ]
        exported = any(constant_text(node) == target.id for node in view.module.nodes)
        return not reads or exported or any(self._is_unknown_argument(read, view) for read in reads)

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Hit]:
        for argument in node.args if view.is_aware else ():
            word = view.word(argument) if not isinstance(argument, ast.Name) else None
            if word is not None and self._is_unknown_argument(argument, view):
                yield Hit(argument, _IN_AWARE, word)

    def _is_unknown_argument(self, argument: ast.expr, view: View) -> bool:
        """Whether a positional argument goes to a plain function that cannot be resolved."""
        call = view.module.parents.get(argument)
        if not isinstance(call, ast.Call) or argument not in call.args or not isinstance(call.func, ast.Name):
            return False
        name = last_name(call.func)
        if name in _BUILTINS or name[:1].isupper() or names_something_else(name):
            return False
        holder = view.module.parents.get(call)
        if call in getattr(holder, "decorator_list", ()):
            return False
        references = view.analysis.references.of(view.module, call.func)
        return not any(isinstance(found, (FunctionReference, ClassReference)) for found in references)

    # -- strict mode

    def visit_Constant(self, node: ast.Constant, view: View) -> Iterator[Hit]:
        word = _spelled(node)
        if not view.strict or word is None or node in view.module.bare_strings or _declares(node, view):
            return
        joined = view.module.parents.get(node)
        if not isinstance(joined, ast.JoinedStr):
            yield Hit(node, _IN_STRICT, word)
        elif view.text(joined) == word:
            yield Hit(joined, _IN_STRICT, word)


def _spelled(node: ast.Constant) -> str | None:
    """The class word that a constant spells, as text or as bytes."""
    if isinstance(node.value, bytes):
        return next((word for word in CLASS_WORDS if word.encode() == node.value), None)
    return node.value if isinstance(node.value, str) and node.value in CLASS_WORDS else None


def _declares(node: ast.AST, view: View) -> bool:
    """Whether a string is the value of a node's `accepts_seam`."""
    inner = node
    while not isinstance(inner, (ast.stmt, ast.Call)):
        outer = view.module.parents[inner]
        if isinstance(outer, ast.keyword):
            return declares_seam(outer.arg or "")
        if isinstance(outer, ast.Dict):
            pairs = zip(outer.keys, outer.values, strict=True)
            return any(value is inner and declares_seam(constant_text(key) or "") for key, value in pairs)
        inner = outer
    if isinstance(inner, ast.Assign):
        return any(declares_seam(_bound_name(target)) for target in inner.targets)
    return isinstance(inner, ast.AnnAssign) and declares_seam(_bound_name(inner.target))


def _bound_name(target: ast.expr) -> str:
    return constant_text(target.slice) or "" if isinstance(target, ast.Subscript) else last_name(target)
