"""PCH203 counter-contract: a counter that the runtime cannot ask."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from pleach_lint.flow.module import decorator_names, last_name, plain_statements
from pleach_lint.flow.objects import given
from pleach_lint.flow.references import ClassReference, FunctionReference
from pleach_lint.flow.scopes import FUNCTIONS
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import COUNTER_ASKS, COUNTER_SETS, TURN_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.scopes import FunctionNode

_STATIC: Final = "staticmethod"
_TRANSPARENT: Final = frozenset({"abstractmethod", "classmethod", "final", "override", _STATIC})
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
    coroutine is true whatever it would return, so an async counter allows everything; so does a generator.

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
            "a generator",
            """
            class Counter:
                def should_allow_synthesize(self, message_id):  #~ 5
                    yield message_id not in self.seen

            class Noted:
                should_allow_synthesize = lambda self, message_id: (yield)  #~ 31
            """,
        ),
        Example(
            "a generator inside",
            """
            class Counter:
                def should_allow_synthesize(self, message_id):
                    def others():
                        yield from self.inner

                    return all(other.should_allow_synthesize(message_id) for other in others())
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
            "functions that are assigned",
            """
            def ask_nothing():
                return True

            async def ask_later(self, message_id):
                return True

            class Counter:
                should_allow_synthesize = ask_nothing  #~ 31
                set_max_per_turn = lambda self: None  #~ 24

            class Later:
                should_allow_synthesize = ask_later  #~ 31
                set_max_per_turn = staticmethod(lambda: None)  #~ 24
            """,
        ),
        Example(
            "functions that are assigned, and that fit",
            """
            def ask(self, message_id, *, turn_id=None):
                return True

            class Setter:
                def __call__(self, most): ...

            class Counter:
                should_allow_synthesize = ask
                set_max_per_turn = lambda self, most: None
                least = 1

            class Kept:
                should_allow_synthesize = ask
                set_max_per_turn = Setter()
                assert ask

            class Static:
                should_allow_synthesize = staticmethod(lambda message_id: True)
                set_max_per_turn = None

            class Quota:
                set_max_per_turn = lambda self: None
            """,
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
        if any(method.name == COUNTER_ASKS for cls in lineage for method in _methods(cls, view)):
            for method in _methods(ClassReference(view.module, node), view):
                if method.name in _NEEDED and decorator_names(method.function) <= _TRANSPARENT:
                    yield from _judged(method, node.name)


class _Method(NamedTuple):
    """A function in the body of a class."""

    name: str
    function: FunctionNode
    place: ast.AST
    bound: int
    """How many of its leading parameters a counter gives itself."""


def _judged(method: _Method, owner: str) -> Iterator[Notice]:
    keywords, wanted = _NEEDED[method.name]
    if isinstance(method.function, ast.AsyncFunctionDef):
        yield Notice(method.place, f"`{owner}.{method.name}` is async, and the runtime does not await a counter")
    elif method.name == COUNTER_ASKS and _yields(method.function):
        yield Notice(method.place, f"`{owner}.{method.name}` yields, and what it gives is true whatever it yields")
    elif not _takes_one(method, keywords):
        yield Notice(method.place, f"`{owner}.{method.name}` cannot be called as {wanted}")


def _methods(cls: ClassReference, view: View) -> Iterator[_Method]:
    for statement in plain_statements(cls.node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            bound = 0 if _STATIC in decorator_names(statement) else 1
            yield _Method(statement.name, statement, statement, bound)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            yield from _assigned(statement, cls, view)


def _assigned(statement: ast.Assign | ast.AnnAssign, cls: ClassReference, view: View) -> Iterator[_Method]:
    """`set_max_per_turn = lambda self, most: None`, or the name of a function in its place."""
    for name, value, place, _ in given(statement):
        if name not in _NEEDED:
            continue
        is_static = isinstance(value, ast.Call) and last_name(value.func) == _STATIC and len(value.args) == 1
        held = value.args[0] if isinstance(value, ast.Call) and is_static else value
        for reference in view.analysis.references.of(cls.module, held):
            if isinstance(reference, FunctionReference):
                bound = 0 if is_static else 1
                yield _Method(name, reference.node, place, reference.taken or bound)


def _yields(function: FunctionNode) -> bool:
    """Whether a function is a generator."""
    pending: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else [*function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)
    return False


def _takes_one(method: _Method, keywords: frozenset[str]) -> bool:
    """Whether a call with one positional argument, and with the keywords if they are demanded, fits a method."""
    arguments = method.function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    needed = len(positional) - len(arguments.defaults) - method.bound
    has_room = len(positional) - method.bound >= 1 or arguments.vararg is not None
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    demanded = {argument.arg for argument, default in pairs if default is None}
    return has_room and needed <= 1 and demanded <= keywords
