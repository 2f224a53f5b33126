"""PCH202 set-max-outside-boot: a cap that is set while turns run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.counter_calls import given_caps
from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import words_of
from pleach_lint.flow.references import ClassReference
from pleach_lint.flow.scopes import parameters
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import COUNTER_ASKS, COUNTER_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_BOOTING: Final = frozenset({
    "assemble", "boot", "bootstrap", "build", "configure", "create", "init", "initialize", "lifespan", "make",
    "setup", "startup", "wire",
})  # fmt: skip
"""Words of the names of functions that put a runtime together."""
_RUNTIMES: Final = frozenset({"app", "application", "container", "host", "runtime", "server", "service"})


class SetMaxOutsideBoot(Rule):
    """The cap of a counter is set somewhere else than where the runtime starts.

    A runtime hands its cap to the counter once, when it starts; from then on the cap stands. Whoever calls
    `set_max_per_turn` later changes the rules of a turn that is under way. Put the cap into the configuration.

    A counter may call it on itself; so may what puts a runtime together, and tests.

    Source: the documentation of Pleach, "Multi-synthesize per turn", section "Why per-runtime only".
    """

    code = "PCH202"
    slug = "set-max-outside-boot"
    signs = ("set_max_per_turn",)
    way_out = "put the cap into `SessionRuntimeConfig(max_synthesize_per_turn=...)`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "in the middle of a turn",
            """
            async def retry(runtime, counter, turn):
                counter.set_max_per_turn(5)  #~ 5
                await turn.answer()
            """,
        ),
        Example(
            "by the configuration",
            """
            from pleach_runtime import SessionRuntimeConfig

            config = SessionRuntimeConfig(max_synthesize_per_turn=5)
            """,
        ),
        Example(
            "on an attribute, and under another name",
            """
            def relax(self):
                self.counter.set_max_per_turn(5)  #~ 5
                raise_cap = self.counter.set_max_per_turn
                raise_cap(9)  #~ 5
            """,
        ),
        Example(
            "where a runtime is put together",
            """
            class SessionRuntime:
                def __init__(self, counter, config):
                    counter.set_max_per_turn(config.cap)

            def create_desk(counter):
                counter.set_max_per_turn(5)
            """,
        ),
        Example(
            "a counter, on itself and on what it wraps",
            """
            class Logged:
                def should_allow_synthesize(self, message_id):
                    return self.inner.should_allow_synthesize(message_id)

                def set_max_per_turn(self, most):
                    self.inner.set_max_per_turn(most)
            """,
        ),
        Example(
            "a counter by a base of another package, and a class that holds one",
            """
            from counters import Base

            class Counter(Base):
                def reset(self):
                    self.set_max_per_turn(1)
                    super().set_max_per_turn(1)

                @staticmethod
                def relax(counter):
                    return counter

            class Desk:
                def relax(self, counter):
                    counter.set_max_per_turn(5)  #~ 9
                    super(Desk, self).counter.set_max_per_turn(5)  #~ 9
            """,
        ),
        Example(
            "in a program that sets the cap before the runtime can",
            """
            counter = InMemoryTurnSynthesizeCounter()
            counter.set_max_per_turn(5)  #~ 1
            """,
        ),
        Example(
            "beside the runtime that is made",
            """
            def serve(counter):
                counter.set_max_per_turn(5)
                return SessionRuntime(counter=counter)
            """,
        ),
        Example(
            "looked up by its name, and by a partial application",
            """
            from functools import partial

            def relax(counter):
                getattr(counter, "set_max_per_turn")(5)  #~ 5
                raise_cap = getattr(counter, "set_max_per_turn", None)
                if raise_cap is not None:
                    raise_cap(9)  #~ 9
                return partial(counter.set_max_per_turn, 9)  #~ 12
            """,
        ),
        Example(
            "looked up, and something else",
            """
            def tell(counter):
                has_cap = getattr(counter, "set_max_per_turn", None) is not None
                getattr(counter, "reset")(5)
                tell_more = load("set_max_per_turn")
                tell_more(5)
                return has_cap, getattr(counter, name)(5)
            """,
        ),
        Example(
            "in a test",
            """
            def test_a_cap(counter):
                counter.set_max_per_turn(5)
            """,
            path="tests/test_counter.py",
        ),
        Example(
            "by a node that holds the counter",
            """
            class SynthesizerNode:
                def __init__(self, counter):
                    counter.set_max_per_turn(3)  #~ 9
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        if view.module.is_test:
            return
        for method, _ in given_caps(view.analysis.references, view.module, node):
            if not _is_of_counter(node, method, view) and not _is_boot(node, view):
                yield Notice(
                    node, f"`{ast.unparse(method)}(...)` sets the cap of a counter outside the boot of a runtime"
                )


def _is_of_counter(node: ast.AST, method: ast.expr, view: View) -> bool:
    """Whether a call stands in a class that is a counter, by itself or by a base, or is one of an object on itself."""
    if isinstance(method, ast.Attribute) and _is_own(method.value, view):
        return True
    for outer in view.module.ancestors(node):
        if isinstance(outer, ast.ClassDef):
            cls = ClassReference(view.module, outer)
            if any(any(view.analysis.references.members(cls, name)) for name in (COUNTER_ASKS, COUNTER_SETS)):
                return True
    return False


def _is_own(receiver: ast.expr, view: View) -> bool:
    """Whether an expression is `self` or `super()`, so that the class around it has the method, if only by a base."""
    if isinstance(receiver, ast.Call):
        return last_name(receiver.func) == "super"
    function = view.module.function_of(receiver)
    if function is None or view.module.class_of(function) is None:
        return False
    first = next(parameters(function), None)
    return first is not None and isinstance(receiver, ast.Name) and receiver.id == first[0].arg


def _is_boot(node: ast.AST, view: View) -> bool:
    """Whether a call stands where a runtime is put together: by the name of the function, or by the runtime made."""
    function = view.module.function_of(node)
    name = getattr(function, "name", "")
    if not _BOOTING.isdisjoint(words_of(name).split("_")) and not name.startswith("__"):
        return True
    owner = view.module.class_of(function) if function is not None else None
    if owner is not None and name.startswith("__") and not _RUNTIMES.isdisjoint(words_of(owner.name).split("_")):
        return True
    beside = (call for call in view.module.calls if view.module.function_of(call) is function)
    return any(_makes_runtime(call) for call in beside)


def _makes_runtime(call: ast.Call) -> bool:
    return words_of(last_name(call.func)).rpartition("_")[2] == "runtime"
