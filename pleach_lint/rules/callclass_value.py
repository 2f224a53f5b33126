"""PCH001 callclass-value: a class literal used as a value."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow import attributes, described, records
from pleach_lint.flow.bound_parameters import bound
from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.names import declares_seam, words_of
from pleach_lint.flow.references import ClassReference, ForeignReference, FunctionReference
from pleach_lint.flow.scopes import FunctionNode, Route, Step, parameters, targets
from pleach_lint.flow.slots import Slot
from pleach_lint.rule import Example, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.scopes import Definition

_CHOOSERS: Final = frozenset({
    "choose", "classify", "compute", "decide", "default", "describe", "detect", "determine", "find", "get",
    "guess", "infer", "load", "pick", "read", "resolve", "route", "select", "test",
})  # fmt: skip
"""First words of functions that give a class: their arguments are something else."""

_TELLERS: Final = frozenset({"count", "describe", "explain", "format", "has", "is", "log", "print", "show", "test"})
"""First words of functions that tell something about a class: their results are something else."""

_DEFAULTING: Final = frozenset({"coalesce", "ifnull", "nvl"})
_MOCKED: Final = frozenset({"return_value", "side_effect"})
_VALIDATORS: Final = frozenset({"validate_python", "validate_strings"})
_STORES: Final = frozenset({"set", "put", "send", "put_nowait", "setter", "set_default", "set_result"})
"""Methods that store their argument in a receiver named after the class."""


class CallclassValue(Rule):
    """A class literal is used as a value.

    A call class that is spelled as a value (an argument, an assignment, a default, a return, an entry of a mapping, or
    anything that flows into one of these) lets any code pick any class, and the cap on final answers becomes a hope.
    Take a seam as a parameter and pass it on: the class travels as a type.

    Where a parameter is that seam already, the fix passes it to `resolve_model`. It is unsafe: nothing but a name may
    say what the parameter is.

    Source: the documentation of Pleach, "Call classes", section "The callClass lint".
    """

    code = "PCH001"
    slug = "callclass-value"
    family = "callclass-literals"
    rank = 4
    way_out = "go through a seam"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "spelled in the call",
            """
            def answer(question):
                return resolve_model(call_class="synthesize").run(question)  #~ 37
            """,
        ),
        Example(
            "spelled beside the seam",
            """
            def answer(question, seam):
                return resolve_model(call_class="synthesize").run(question)  #~ 37
            """,
            fixed="""
            def answer(question, seam):
                return resolve_model(seam).run(question)
            """,
        ),
        Example(
            "taken as a seam",
            """
            def answer(question, seam):
                return resolve_model(seam).run(question)
            """,
        ),
        Example(
            "a constant that reaches the slot through a wrapper",
            """
            LANE = "utility"  #~ 8

            def ask(prompt, lane=LANE):
                return resolve_model(call_class=lane).run(prompt)
            """,
        ),
        Example(
            "the same word with another meaning",
            """
            def thinking(item, stage="synthesize"):
                return item["type"] == "reasoning" or stage == "reasoning"
            """,
        ),
        Example(
            "a node declares its class",
            """
            meta = NodeMetadata(stage_id="answer", accepts_seam="synthesize")
            """,
        ),
        Example(
            "a default, a field, a return",
            """
            def run(prompt, call_class="utility"):  #~ 28
                return prompt

            class Request:
                call_class: str = "converse"  #~ 23

            def pick_call_class(task):
                return "synthesize" if task.final else task.lane  #~ 12
            """,
        ),
        Example(
            "a setting by name, and a lookup with a default",
            """
            span.set_attribute("llm.call_class", "synthesize")  #~ 38
            lane = config.get("call_class", "utility")  #~ 33
            columns = rows.values_list("call_class", "reasoning")
            """,
        ),
        Example(
            "a constant of another module, through a wrapper there",
            """
            from wrapper import LANE, ask

            ask("hi", LANE)  #~ 11
            """,
            files={
                "wrapper.py": "LANE = 'utility'\ndef ask(prompt, lane):\n    return resolve_model(call_class=lane)\n",
            },
        ),
    )

    # -- bindings

    def visit_Assign(self, node: ast.Assign, view: View) -> Iterator[Slot]:
        for target in node.targets:
            yield from self._bound(target, node.value, (), view)

    def visit_AnnAssign(self, node: ast.AnnAssign, view: View) -> Iterator[Slot]:
        name = _target_name(node.target)
        if view.names_class(name):
            yield from (Slot(call, f"describes `{name}`") for call in described.metadata(node.annotation))
        if node.value is not None and not declares_seam(name):
            yield from self._bound(node.target, node.value, (), view)
            yield from _typed(node.annotation, node.value, f"`{name or 'the target'}` is a `CallClass`", view)

    def visit_AugAssign(self, node: ast.AugAssign, view: View) -> Iterator[Slot]:
        yield from self._bound(node.target, node.value, (), view)

    def visit_NamedExpr(self, node: ast.NamedExpr, view: View) -> Iterator[Slot]:
        yield from self._bound(node.target, node.value, (), view)

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.comprehension, view: View) -> Iterator[Slot]:
        yield from self._bound(node.target, node.iter, (Step.EACH,), view)

    visit_AsyncFor = visit_comprehension = visit_For

    def _bound(self, target: ast.expr, value: ast.expr, route: Route, view: View) -> Iterator[Slot]:
        for single, part, steps in targets(target, value, route):
            name = _target_name(single)
            if declares_seam(name):
                continue
            name = name or _key_name(single, view)
            if view.names_class(name):
                yield from _named_slot(name, Slot(part, f"assignment to `{name}`", route=steps), view)
            elif isinstance(single, (ast.Attribute, ast.Subscript)) and self._is_slot(single, view):
                yield Slot(part, f"assignment to `{ast.unparse(single)}`, a `CallClass`", route=steps)
            elif isinstance(single, ast.Attribute):
                yield from attributes.stored(single, part, steps, view)
            elif isinstance(single, ast.Name):
                yield from self._declared(single, part, steps, view)

    def _is_slot(self, target: ast.Attribute | ast.Subscript, view: View) -> bool:
        """A typed field, an element of a list of classes, or what a mock gives in place of one."""
        is_mock = isinstance(target, ast.Attribute) and target.attr in _MOCKED
        return view.holds_class(target.value if is_mock else target)

    def _declared(self, target: ast.Name, value: ast.expr, route: Route, view: View) -> Iterator[Slot]:
        for annotation in view.declared(target):
            for inner in view.analysis.types.routes(view.module, annotation):
                yield Slot(value, f"`{target.id}` is a `CallClass`", route=(*route, *inner), absorb=not inner)

    def visit_ClassDef(self, node: ast.ClassDef, view: View) -> Iterator[Slot]:
        yield from attributes.overriding(node, view)

    def visit_BoolOp(self, node: ast.BoolOp, view: View) -> Iterator[Slot]:
        """`row.call_class or "utility"`: what stands in for a class is one."""
        if isinstance(node.op, ast.Or) and any(view.holds_class(value) for value in node.values):
            yield from (Slot(value, "stands in for a call class", absorb=False) for value in node.values)

    def _standing_in(self, node: ast.Call, view: View) -> Iterator[Slot]:
        """`func.coalesce(Row.call_class, "utility")`."""
        if last_name(node.func).lower() in _DEFAULTING and any(view.holds_class(value) for value in node.args):
            yield from (Slot(value, "stands in for a call class", absorb=False) for value in node.args)

    def visit_IfExp(self, node: ast.IfExp, view: View) -> Iterator[Slot]:
        for one, other in ((node.body, node.orelse), (node.orelse, node.body)):
            if view.holds_class(one):
                yield Slot(other, "stands in for a call class", absorb=False)

    # -- functions

    def visit_FunctionDef(self, node: FunctionNode, view: View) -> Iterator[Slot]:
        for argument, default in parameters(node):
            if default is None or declares_seam(argument.arg):
                continue
            why = f"default of parameter `{argument.arg}`"
            if view.names_class(argument.arg):
                yield from _named_slot(argument.arg, Slot(default, why), view)
            yield from _typed(argument.annotation, default, why, view)

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_Return(self, node: ast.Return, view: View) -> Iterator[Slot]:
        if node.value is not None:
            yield from self._given(node, node.value, (), view)

    def visit_Yield(self, node: ast.Yield, view: View) -> Iterator[Slot]:
        if node.value is not None:
            yield from self._given(node, node.value, (Step.EACH,), view)

    def visit_YieldFrom(self, node: ast.YieldFrom, view: View) -> Iterator[Slot]:
        for slot in self._given(node, node.value, (Step.EACH,), view):
            yield Slot(slot.node, slot.why, route=(Step.EACH, *slot.route))

    def _given(self, node: ast.AST, value: ast.expr, step: Route, view: View) -> Iterator[Slot]:
        function = view.module.function_of(node)
        if function is None or isinstance(function, ast.Lambda):
            return
        why = f"result of `{function.name}`"
        if view.names_class(function.name) and words_of(function.name).partition("_")[0] not in _TELLERS:
            yield from _named_slot(function.name, Slot(value, why), view)
        for route in view.analysis.types.routes(view.module, function.returns):
            if route[: len(step)] == step:
                yield Slot(value, why, route=route[len(step) :], absorb=False)

    # -- entries and arguments

    def visit_Dict(self, node: ast.Dict, view: View) -> Iterator[Slot]:
        yield from records.record(node, view)
        for key, value in zip(node.keys, node.values, strict=True) if not records.renames(node, view) else ():
            text = described.slot_text(view, key)
            if text is not None:
                yield from _named_slot(text, Slot(value, f"value under `{text}`"), view)

    def visit_keyword(self, node: ast.keyword, view: View) -> Iterator[Slot]:
        if node.arg is None or not view.names_class(node.arg):
            return
        holder = view.module.parents.get(node)
        callee = last_name(holder.func) if isinstance(holder, ast.Call) else getattr(holder, "name", "")
        sink = f"`{callee}({node.arg}=)`" if callee else ""
        yield from _named_slot(node.arg, Slot(node.value, f"keyword `{node.arg}`", sink), view)

    def visit_List(self, node: ast.List | ast.Tuple, view: View) -> Iterator[Slot]:
        yield from described.options(node.elts, view)
        yield from records.pairs(node, view)

    visit_Tuple = visit_List

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Slot]:
        for find in (*described.CALLS, records.rows, records.renamed, records.filled, bound):
            yield from find(node, view)
        yield from self._standing_in(node, view)
        yield from self._stored(node, view)
        yield from self._made(node, view)
        yield from self._cast(node, view)
        bindings = view.analysis.arguments.of(view.module, node)
        named = {keyword.value for keyword in node.keywords if view.names_class(keyword.arg)}
        for binding in bindings:
            if not declares_seam(binding.key.name) and binding.argument not in named:
                yield Slot(binding.argument, "", route=binding.route, absorb=False, key=binding.key)
        if not bindings:
            yield from self._setter(node, view)
            yield from self._configured(node, view)

    def _configured(self, node: ast.Call, view: View) -> Iterator[Slot]:
        """A callable outside the project of which the configuration says where it takes a class."""
        for found in view.analysis.references.of(view.module, node.func) if view.analysis.foreign_slots else ():
            dotted = found.dotted if isinstance(found, ForeignReference) else ""
            for place in view.analysis.foreign_slots.get(dotted, ()):
                given = node.args[place : place + 1] if isinstance(place, int) else []
                given += [keyword.value for keyword in node.keywords if keyword.arg == place]
                yield from (Slot(value, f"argument of `{dotted}(...)`", f"`{dotted}(...)`") for value in given)

    def _setter(self, node: ast.Call, view: View) -> Iterator[Slot]:
        """`use_call_class("synthesize")`: a callee named after the class that it takes."""
        name = last_name(node.func)
        named = view.analysis.lexicon.is_named_after_class(name)
        is_raised = isinstance(view.module.parents.get(node), ast.Raise)
        if not named or is_raised or words_of(name).partition("_")[0] in _CHOOSERS:
            return
        references = view.analysis.references.of(view.module, node.func)
        if any(
            isinstance(found, (FunctionReference, ClassReference)) and not found.module.is_seam for found in references
        ):
            return
        for argument in node.args:
            yield Slot(argument, f"argument of `{name}(...)`", absorb=False)

    def _stored(self, node: ast.Call, view: View) -> Iterator[Slot]:
        """`call_class_var.set("converse")`, and `call_class_var.get("converse")`."""
        if not isinstance(node.func, ast.Attribute) or len(node.args) != 1:
            return
        receiver, method = node.func.value, node.func.attr
        if method in _STORES and (view.holds_class(receiver) or view.lists_classes(receiver)):
            yield Slot(node.args[0], f"stored in `{last_name(receiver)}`")
        elif method in {"get", "set"} and self._is_variable(receiver, view):
            yield Slot(node.args[0], f"a value of `{last_name(receiver)}`")

    def _is_variable(self, receiver: ast.expr, view: View) -> bool:
        """Whether a name stands for `ContextVar("call_class")`, or for a context variable of that type."""
        if not isinstance(receiver, (ast.Name, ast.Attribute)):
            return False
        return any(
            self._makes_variable(owner, definition, view)
            for owner, definition in view.analysis.references.held(view.module, receiver)
        )

    def _makes_variable(self, owner: Module, definition: Definition, view: View) -> bool:
        routes = view.analysis.types.routes
        made, declared = definition.value, definition.node
        if isinstance(declared, ast.AnnAssign) and _is_context_variable(declared.annotation):
            return bool(routes(owner, declared.annotation))
        if not isinstance(made, ast.Call) or not _is_context_variable(made.func):
            return False
        return bool(routes(owner, made.func)) or any(described.slot_text(view, each) for each in made.args[:1])

    def _made(self, node: ast.Call, view: View) -> Iterator[Slot]:
        """`ContextVar[CallClass]("lane", default="utility")`."""
        if isinstance(node.func, ast.Subscript) and _is_context_variable(node.func):
            yield from _typed(node.func, node, f"default of a `{ast.unparse(node.func)}`", view)

    def _cast(self, node: ast.Call, view: View) -> Iterator[Slot]:
        if last_name(node.func) == "cast" and len(node.args) == len(("type", "value")):
            yield from _typed(node.args[0], node.args[1], "cast to `CallClass`", view)
        if isinstance(node.func, (ast.Name, ast.Attribute)) and len(node.args) == 1 and not node.keywords:
            yield from _typed(node.func, node.args[0], f"made a `{last_name(node.func)}`", view)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _VALIDATORS and node.args:
            adapter = node.func.value
            if isinstance(adapter, ast.Call) and last_name(adapter.func) == "TypeAdapter" and adapter.args:
                yield from _typed(adapter.args[0], node.args[0], "validated as a `CallClass`", view)


def _is_context_variable(node: ast.expr) -> bool:
    """Whether an expression names `ContextVar`, with or without a type in brackets."""
    return last_name(node.value if isinstance(node, ast.Subscript) else node) == "ContextVar"


def _target_name(node: ast.expr) -> str:
    """What an assignment target is called: the name, the attribute, or the constant key."""
    return constant_text(node.slice) or "" if isinstance(node, ast.Subscript) else last_name(node)


def _key_name(node: ast.expr, view: View) -> str:
    """The slot that a computed key names, or one of several: `row[KEY]`, `frame.loc[0, "call_class"]`."""
    if not isinstance(node, ast.Subscript):
        return ""
    keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return next((text for key in keys if (text := described.slot_text(view, key))), "")


def _named_slot(name: str, slot: Slot, view: View) -> Iterator[Slot]:
    """A slot with a telling name; `call_class_by_stage` tells of the values of a mapping."""
    lexicon = view.analysis.lexicon
    if lexicon.names_class_lookup(name):
        yield replace(slot, absorb=False)
        yield replace(slot, route=(*slot.route, Step.VALUE), absorb=False)
        return
    yield slot
    if lexicon.names_class_table(name) and isinstance(slot.node, ast.Dict):
        yield replace(slot, route=(*slot.route, Step.EACH), absorb=False)


def _typed(annotation: ast.expr | None, value: ast.expr, why: str, view: View) -> Iterator[Slot]:
    for route in view.analysis.types.routes(view.module, annotation):
        yield Slot(value, why, route=route, absorb=not route)
