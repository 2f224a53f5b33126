"""PCH005 callclass-text: a class literal inside text of another language."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from pleach_lint.flow.embedded import embedded_word
from pleach_lint.flow.module import last_name
from pleach_lint.flow.prose import is_prose
from pleach_lint.flow.slots import Hit
from pleach_lint.rule import Example, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_HOLE = "\N{REPLACEMENT CHARACTER}"


class CallclassText(Rule):
    """A class literal is spelled inside text of another language.

    That is SQL, JSON, YAML, a URL, an option string. A query that spells a class escapes every check of the code around
    it. Bind the class as a parameter and take its value from the seam: `seam.call_class`.

    Messages for people are left alone: logs, exceptions, help texts, docstrings.

    Source: the documentation of Pleach, "Call classes", section "callClass on the audit row".
    """

    code = "PCH005"
    slug = "callclass-text"
    family = "callclass-literals"
    rank = 3
    way_out = "bind the class as a parameter: `seam.call_class`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "a query",
            """
            cursor.execute("SELECT 1 FROM runs WHERE call_class = 'synthesize'")  #~ 16
            """,
        ),
        Example(
            "a bound parameter",
            """
            cursor.execute("SELECT 1 FROM runs WHERE call_class = ?", (seam.call_class,))
            """,
        ),
        Example(
            "a URL, a line of YAML, an inserted row",
            """
            client.get("/run?call_class=synthesize&n=1")  #~ 12
            settings = yaml.safe_load("call_class: utility")  #~ 27
            cursor.execute("INSERT INTO runs (id, call_class) VALUES (1, 'converse')")  #~ 16
            """,
        ),
        Example(
            "both words, another relation",
            """
            cursor.execute("SELECT call_class, 'utility' AS kind FROM runs WHERE type = 'reasoning'")
            log.info("call_class='utility' was chosen")
            raise ValueError("call_class must not mix utility and reasoning")
            """,
        ),
    )

    def visit_Constant(self, node: ast.Constant, view: View) -> Iterator[Hit]:
        if isinstance(node.value, str) and not isinstance(view.module.parents.get(node), ast.JoinedStr):
            yield from self._text(node, node.value, view)

    def visit_JoinedStr(self, node: ast.JoinedStr, view: View) -> Iterator[Hit]:
        parts = (view.text(part) if isinstance(part, ast.Constant) else self._hole(part, view) for part in node.values)
        yield from self._text(node, "".join(part or _HOLE for part in parts), view)

    def _hole(self, part: ast.expr, view: View) -> str | None:
        """The text in a hole; one that tells by itself is reported where it stands."""
        text = view.text(part.value) if isinstance(part, ast.FormattedValue) else None
        return None if text is None or embedded_word(text, view.names_class) else view.text(part)

    def visit_BinOp(self, node: ast.BinOp, view: View) -> Iterator[Hit]:
        outer = view.module.parents.get(node)
        if not isinstance(outer, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
            yield from self._put_together(node, view)

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Hit]:
        if last_name(node.func) == "format":
            yield from self._put_together(node, view)

    def _put_together(self, node: ast.BinOp | ast.Call, view: View) -> Iterator[Hit]:
        """A text that is put together from pieces, none of which tells by itself."""
        whole = view.text(node)
        pieces = (part for part in ast.walk(node) if isinstance(part, (ast.Constant, ast.Name, ast.Attribute)))
        if whole is not None and not any(embedded_word(view.text(piece) or "", view.names_class) for piece in pieces):
            yield from self._text(node, whole, view)

    def _text(self, node: ast.expr, text: str, view: View) -> Iterator[Hit]:
        if node in view.module.bare_strings:
            return
        word = embedded_word(text, view.names_class, loose=view.strict)
        if word is not None and (view.strict or not is_prose(view.module, node)):
            yield Hit(node, "spelled inside a text", word)
