"""PCH204 budget-value: a constant cap that no runtime takes."""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.counter_calls import given_caps
from pleach_lint.flow.objects import given
from pleach_lint.flow.scopes import parameters
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CAPS, COUNTER_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.constants import Constant, Unknown
    from pleach_lint.flow.scopes import FunctionNode

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+|inf|nan)", re.IGNORECASE)


class BudgetValue(Rule):
    """A cap is a constant that is neither a whole number from 1 up nor infinity.

    A runtime refuses such a cap when it starts: 0 and negative numbers, `True`, 5.5, NaN, `"5"`. Write an `int` from 1
    up, or `math.inf` for no cap. A cap that is read at run time is left to the runtime, and so is None.

    What stands in `with pytest.raises(...)` is left alone.

    Source: the documentation of Pleach, "Multi-synthesize per turn", section "The contract".
    """

    code = "PCH204"
    slug = "budget-value"
    signs = (
        "max_synthesize_per_turn",
        "maxSynthesizePerTurn",
        "max_converse_per_turn",
        "maxConversePerTurn",
        "set_max_per_turn",
    )
    way_out = "give an int from 1 up, or `math.inf`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "caps that allow nothing, or half an answer",
            """
            from pleach_runtime import SessionRuntimeConfig

            SessionRuntimeConfig(max_synthesize_per_turn=0)  #~ 46
            SessionRuntimeConfig(max_synthesize_per_turn=-1)  #~ 46
            SessionRuntimeConfig(max_converse_per_turn=5.5)  #~ 44
            SessionRuntimeConfig(max_synthesize_per_turn=True)  #~ 46
            SessionRuntimeConfig(max_synthesize_per_turn="5")  #~ 46
            """,
        ),
        Example(
            "whole numbers and infinity",
            """
            import math
            from pleach_runtime import SessionRuntimeConfig

            SessionRuntimeConfig(max_synthesize_per_turn=1, max_converse_per_turn=3)
            SessionRuntimeConfig(max_synthesize_per_turn=math.inf)
            SessionRuntimeConfig(max_synthesize_per_turn=float("inf"))
            """,
        ),
        Example(
            "a constant of another module",
            """
            from limits import CAP, REST
            from pleach_runtime import create_coding_agent_policy

            create_coding_agent_policy(max_synthesize_per_turn=CAP)  #~ 52
            create_coding_agent_policy(max_synthesize_per_turn=REST)
            """,
            files={"limits.py": "CAP = 0\nREST = 5\n"},
        ),
        Example(
            "read at run time",
            """
            import os
            from pleach_runtime import SessionRuntimeConfig

            SessionRuntimeConfig(max_synthesize_per_turn=int(os.environ["MAX_ANSWERS"]))
            """,
        ),
        Example(
            "in a mapping, and handed to a counter",
            """
            settings = {"maxSynthesizePerTurn": 0}  #~ 37

            class Counter:
                def should_allow_synthesize(self, message_id):
                    return True

                def set_max_per_turn(self, most):
                    self.most = most

                def reset(self):
                    self.set_max_per_turn(float("nan"))  #~ 31
            """,
        ),
        Example(
            "what is computed, and handed over in another way",
            """
            NONE_LEFT = 2 - 2

            def open_desk(counter):
                getattr(counter, "set_max_per_turn")(-1)  #~ 42
                return SessionRuntimeConfig(max_synthesize_per_turn=1 - 1, max_converse_per_turn=1 - 4 // 2)  #~ 57 86

            SessionRuntimeConfig(max_synthesize_per_turn=-(NONE_LEFT * 10 + 7 % 4))  #~ 46
            """,
        ),
        Example(
            "one of two, by position, and by the keyword of a counter",
            """
            def open_desk(name, max_synthesize_per_turn): ...

            def boot(counter, given, is_free):
                open_desk("why", 0)  #~ 22
                open_desk("why", max_synthesize_per_turn=given or 0)  #~ 55
                counter.set_max_per_turn(max_per_turn=0 if is_free else 5)  #~ 43
            """,
        ),
        Example(
            "one of two, by position, that is a cap",
            """
            def open_desk(max_synthesize_per_turn, least): ...

            def boot(counter, given, is_free):
                open_desk(given or 5, 0)
                open_desk(5 if is_free else None, 0)
                counter.set_max_per_turn(given and 1)
            """,
        ),
        Example(
            "what is computed, and is a cap",
            """
            SessionRuntimeConfig(max_synthesize_per_turn=2 - 1, max_converse_per_turn=10 // 3)
            SessionRuntimeConfig(max_synthesize_per_turn=1 // 0, max_converse_per_turn=count - 1)
            """,
        ),
        Example(
            "what tells of a cap",
            """
            help_texts = {"max_synthesize_per_turn": "answers in a turn"}
            columns = {"max_synthesize_per_turn": "INTEGER"}
            chosen = config.model_dump(include={"max_synthesize_per_turn": True})
            """,
        ),
        Example(
            "a default",
            """
            def open_desk(max_synthesize_per_turn=0):  #~ 39
                return max_synthesize_per_turn

            class Limits:
                max_synthesize_per_turn: int = 0  #~ 36
            """,
        ),
        Example(
            "a test that expects a refusal, and a default that says nothing",
            """
            def test_zero():
                with pytest.raises(ValueError):
                    SessionRuntimeConfig(max_synthesize_per_turn=0)

            def open_desk(max_synthesize_per_turn=None):
                return max_synthesize_per_turn
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        yield from self._named(node, view)
        for binding in view.analysis.arguments.of(view.module, node):
            if binding.key.name in CAPS and binding.argument in node.args and not binding.route:
                yield from _judged(binding.argument, f"`{binding.key.name}`", view)
        for _, caps in given_caps(view.analysis.references, view.module, node):
            for cap in caps:
                yield from _judged(cap, f"argument of `{COUNTER_SETS}(...)`", view)

    def visit_Dict(self, node: ast.Dict, view: View) -> Iterator[Notice]:
        yield from self._named(node, view)

    visit_Assign = visit_AnnAssign = visit_Dict

    def _named(self, node: ast.AST, view: View) -> Iterator[Notice]:
        for name, value, _, holder in given(node):
            flag = isinstance(holder, ast.Dict) and isinstance(view.constant(value), bool)
            if name in CAPS and not flag:
                yield from _judged(value, f"`{name}`", view)

    def visit_FunctionDef(self, node: FunctionNode, view: View) -> Iterator[Notice]:
        for argument, default in parameters(node):
            if argument.arg in CAPS and default is not None:
                yield from _judged(default, f"default of `{argument.arg}`", view)

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef


def _judged(value: ast.expr, what: str, view: View) -> Iterator[Notice]:
    for outcome in _outcomes(value):
        cap = view.constant(outcome)
        if not _may_be_cap(cap):
            yield Notice(outcome, f"{what} is {cap!r}, which is no cap")


def _outcomes(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions one of which is the cap: of `given or 0`, what is not there by chance."""
    if isinstance(value, ast.IfExp):
        yield from (*_outcomes(value.body), *_outcomes(value.orelse))
    elif isinstance(value, ast.BoolOp):
        yield from _outcomes(value.values[-1])
    else:
        yield value


def _may_be_cap(cap: Constant | Unknown) -> bool:
    if isinstance(cap, bool):
        return False
    if isinstance(cap, int):
        return cap >= 1
    if isinstance(cap, float):
        return cap == math.inf
    return not isinstance(cap, str) or not _NUMBER.fullmatch(cap.strip())
