"""PCH203 counter-contract: a counter that the runtime cannot ask."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.module import decorator_names, plain_statements
from pleach_lint.flow.references import ClassReference
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import COUNTER_ASKS, COUNTER_SETS, TURN_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_TRANSPARENT: Final = frozenset({"abstractmethod", "classmethod", "final", "override", "staticmethod"})
"""Decorators under which a method takes what its signature says."""
_NEEDED: Final = {
    COUNTER_ASKS: (frozenset({TURN_ID}), f"`{COUNTER_ASKS}(message_id)` or `{COUNTER_ASKS}(message_id, *, turn_id)`"),
    COUNTER_SETS: (frozenset[str](), f"`{COUNTER_SETS}(max_per_turn)`"),
}
"""By method: the keywords that it may demand, and the call that it must take."""


class CounterContract(Rule):
    """A counter of final answers cannot be asked by the runtime.

    A counter is asked from any thread, in the middle of a decision: its methods are plain functions. It is asked with
    the message alone, or with the keyword `turn_id` as well; `set_max_per_turn` is optional and takes one number. A
    coroutine is true whatever it would return, so an async counter allows everything.

    Source: the documentation of Pleach, "Multi-synthesize per turn", section "The contract".
    """

    code = "PCH203"
    slug = "counter-contract"
    signs = ("should_allow_synthesize",)
    in_seams = True
    way_out = "write a plain method with these parameters"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "methods that have to be awaited",
            """
            class Counter:
                async def should_allow_synthesize(self, message_id):  #~ 5
                    return await self.store.take(message_id)

                async def set_max_per_turn(self, most):  #~ 5
                    self.most = most
            """,
        ),
        Example(
            "the whole contract",
            """
            class Counter:
                def should_allow_synthesize(self, message_id: str, /, *, turn_id: str | None = None) -> bool:
                    return True

                def set_max_per_turn(self, max_per_turn: float, /) -> None:
                    self.most = max_per_turn
            """,
        ),
        Example(
            "parameters that nobody gives",
            """
            class Counter:
                def should_allow_synthesize(self, message_id, chat_id):  #~ 5
                    return True

                def set_max_per_turn(self, most, *, reason):  #~ 5
                    self.most = most
            """,
        ),
        Example(
            "the older form, and without a cap of its own",
            """
            class Counter:
                def should_allow_synthesize(self, message_id):
                    return message_id not in self.seen
            """,
        ),
        Example(
            "parameters that are missing",
            """
            class Counter:
                def should_allow_synthesize(self):  #~ 5
                    return True

                @staticmethod
                def set_max_per_turn():  #~ 5
                    return None
            """,
        ),
        Example(
            "more parameters, which may be left out",
            """
            class Counter:
                @staticmethod
                def should_allow_synthesize(message_id, *rest, **options):
                    return True

                def set_max_per_turn(self, most=1, note=""):
                    self.most = most
            """,
        ),
        Example(
            "a counter by its base, in another module",
            """
            from counters import Base  # which has should_allow_synthesize

            class Counter(Base):
                def set_max_per_turn(self):  #~ 5
                    self.most = 1
            """,
            files={
                "counters.py": "class Base:\n    def should_allow_synthesize(self, message_id):\n        return True\n"
            },
        ),
        Example(
            "a class that is no counter, and a decorator that changes the parameters",
            """
            class Quota:
                async def set_max_per_turn(self):
                    return None

            class Counter:
                @with_connection
                def should_allow_synthesize(self, connection, message_id):
                    return True
            """,
        ),
    )

    def visit_ClassDef(self, node: ast.ClassDef, view: View) -> Iterator[Notice]:
        lineage = view.analysis.references.lineage(ClassReference(view.module, node))
        if not any(method.name == COUNTER_ASKS for cls in lineage for method in _methods(cls.node)):
            return
        for method in _methods(node):
            if method.name in _NEEDED and decorator_names(method) <= _TRANSPARENT:
                yield from _judged(method, node.name)


def _judged(method: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> Iterator[Notice]:
    keywords, wanted = _NEEDED[method.name]
    if isinstance(method, ast.AsyncFunctionDef):
        yield Notice(method, f"`{owner}.{method.name}` is async, and the runtime does not await a counter")
    elif not _takes_one(method, keywords):
        yield Notice(method, f"`{owner}.{method.name}` cannot be called as {wanted}")


def _methods(node: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for statement in plain_statements(node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement


def _takes_one(method: ast.FunctionDef, keywords: frozenset[str]) -> bool:
    """Whether a call with one positional argument, and with the keywords if they are demanded, fits a method."""
    arguments = method.args
    bound = 0 if "staticmethod" in decorator_names(method) else 1
    positional = [*arguments.posonlyargs, *arguments.args]
    needed = len(positional) - len(arguments.defaults) - bound
    has_room = len(positional) - bound >= 1 or arguments.vararg is not None
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    demanded = {argument.arg for argument, default in pairs if default is None}
    return has_room and needed <= 1 and demanded <= keywords
