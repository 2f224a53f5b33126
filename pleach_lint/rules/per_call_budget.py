"""PCH201 per-call-budget: the cap on final answers, given with a call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.module import constant_text, last_name
from pleach_lint.flow.names import words_of
from pleach_lint.flow.objects import given, mappings
from pleach_lint.flow.references import ClassReference
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import SEAM_GENERIC, SEAM_TYPES, SYNTHESIZE_CAPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_CALLING: Final = frozenset({
    "aask", "acall", "acomplete", "agenerate", "ainvoke", "answer", "arun", "ask", "astream", "call", "chat",
    "complete", "completion", "converse", "generate", "invoke", "reply", "resolve", "respond", "retry", "run", "send",
    "stream", "synthesize",
})  # fmt: skip
"""First words of what makes one call: `invoke_seam`, `run_turn`."""
_PER_CALL: Final = frozenset({"call", "intent", "invocation", "message", "request", "seam", "state", "turn"})
"""Words that name what belongs to one call or turn."""
_PER_RUNTIME: Final = frozenset({
    "app", "boot", "builder", "caps", "config", "configuration", "counter", "defaults", "host", "limits", "main",
    "options", "policy", "runtime", "server", "service", "settings", "worker",
})  # fmt: skip
"""Words that name what lives as long as a runtime."""
_COPIES: Final = frozenset({"copy", "model_copy"})
_CHANGES_FIRST: Final = frozenset({"evolve", "replace", "setattr"})
"""Functions that change their first argument, or a copy of it."""
_SEAMS: Final = frozenset({SEAM_GENERIC, *SEAM_TYPES.values()})


class PerCallBudget(Rule):
    """The cap on final answers is given with a call.

    `max_synthesize_per_turn` belongs to the configuration of a runtime, or to a policy that makes one. With a call, a
    request or a turn it would reset the count in the middle of a turn, and a nested call could raise its own cap: which
    one wins is then anybody's guess.

    Source: the documentation of Pleach, "Multi-synthesize per turn", section "Why per-runtime only".
    """

    code = "PCH201"
    slug = "per-call-budget"
    signs = ("max_synthesize_per_turn", "maxSynthesizePerTurn")
    way_out = "set it once, in `SessionRuntimeConfig` or a policy"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "with a call of a seam",
            """
            async def answer(seam, request, turn):
                await seam.invoke(request, turn=turn, max_synthesize_per_turn=5)  #~ 43
            """,
        ),
        Example(
            "in the configuration of the runtime",
            """
            from pleach_runtime import SessionRuntimeConfig

            config = SessionRuntimeConfig(max_synthesize_per_turn=5)
            more = config.model_copy(update={"max_synthesize_per_turn": 3})
            """,
        ),
        Example(
            "by a policy",
            """
            from pleach_runtime import create_coding_agent_policy

            config = create_coding_agent_policy(max_synthesize_per_turn=5).apply(base)
            """,
        ),
        Example(
            "with a function of one's own that makes a call",
            """
            def run_turn(question, max_synthesize_per_turn=1):
                return question

            run_turn("why", max_synthesize_per_turn=3)  #~ 17
            resolve_model(seam, max_synthesize_per_turn=3)  #~ 21
            """,
        ),
        Example(
            "with a function of one's own that starts a runtime",
            """
            def open_desk(max_synthesize_per_turn=1):
                return build(SessionRuntimeConfig(max_synthesize_per_turn=max_synthesize_per_turn))

            open_desk(max_synthesize_per_turn=3)
            run_server(max_synthesize_per_turn=3)
            """,
        ),
        Example(
            "in the options of a call",
            """
            seam.invoke(request, {"max_synthesize_per_turn": 5})  #~ 50
            seam.invoke(request, **{"maxSynthesizePerTurn": 5})  #~ 49
            seam.invoke(request, options={"max_synthesize_per_turn": 5})  #~ 58
            """,
        ),
        Example(
            "in options that have a name",
            """
            options = {"max_synthesize_per_turn": 5}  #~ 39
            seam.invoke(request, **options)
            later = partial(seam.invoke, max_synthesize_per_turn=5)  #~ 30

            def filled(seam):
                options = {}
                options["max_synthesize_per_turn"] = 5  #~ 42
                return seam.invoke(request, **options)

            def ask(more):
                chosen = dict(more, max_synthesize_per_turn=3)  #~ 25
                return seam.invoke(request, options={**chosen, "stage_id": "answer"})

            def retry(again):
                fewer = {"max_synthesize_per_turn": 1} if again else {}  #~ 41
                return seam.invoke(request, **(fewer or options))

            class Desk:
                defaults = {"timeout": 5} | {"maxSynthesizePerTurn": 2}  #~ 58

                def ask(self):
                    return self.seam.invoke(request, **self.defaults)
            """,
        ),
        Example(
            "in settings that have a name",
            """
            from pleach_runtime import SessionRuntimeConfig
            from shared import options

            settings = {"max_synthesize_per_turn": 5}
            settings = {**settings, "family": "x"}
            config = SessionRuntimeConfig(**settings)
            seam.invoke(request, **options)
            run(settings)
            boot = partial(SessionRuntimeConfig, max_synthesize_per_turn=5)
            settings = {"timeout": 5}
            seam.invoke(request, **settings)
            while True:
                settings = {**settings, "more": 1}
                seam.invoke(request, **settings, **load())
            settings["max_synthesize_per_turn"] = 5
            settings.replace("a", "b")
            """,
            files={"shared.py": "options = {'timeout': 5}\n"},
        ),
        Example(
            "in a request, and set on one",
            """
            class TurnRequest:
                max_synthesize_per_turn: int = 1

            request = TurnRequest(max_synthesize_per_turn=5)  #~ 23
            request.max_synthesize_per_turn = 5  #~ 35
            request["max_synthesize_per_turn"] = 5  #~ 38
            setattr(request, "max_synthesize_per_turn", 5)  #~ 45
            request.model_copy(update={"max_synthesize_per_turn": 5})  #~ 55
            dataclasses.replace(request, max_synthesize_per_turn=5)  #~ 30
            """,
        ),
        Example(
            "in settings, in a log",
            """
            class DeskSettings:
                max_synthesize_per_turn: int = 1

            settings = DeskSettings(max_synthesize_per_turn=5)
            settings.max_synthesize_per_turn = 2
            settings["max_synthesize_per_turn"] = 2
            desk.settings["max_synthesize_per_turn"] = 2
            setattr(settings, "max_synthesize_per_turn", 2)
            settings.model_copy(update={"max_synthesize_per_turn": 2})
            dataclasses.replace(settings, max_synthesize_per_turn=2)
            log.info("boot", max_synthesize_per_turn=5)
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        holders = list(dict.fromkeys((node, *_mappings(node, view))))
        found = [each for holder in holders for each in given(holder) if each.name in SYNTHESIZE_CAPS]
        if not found:
            return
        function = node.args[0] if last_name(node.func) == "partial" and node.args else node.func
        changed = _changed(node)
        if changed is not None and _is_per_call(changed, view):
            yield from (Notice(each.place, _set_on(each.name, changed)) for each in found)
        elif changed is None and _makes_call(function, view):
            for each in found:
                yield Notice(each.place, f"`{each.name}` is given with one call, `{ast.unparse(function)}(...)`")

    def visit_Assign(self, node: ast.Assign, view: View) -> Iterator[Notice]:
        for target in node.targets:
            if not isinstance(target, (ast.Attribute, ast.Subscript)):
                continue
            name = target.attr if isinstance(target, ast.Attribute) else constant_text(target.slice)
            if name in SYNTHESIZE_CAPS and (_is_per_call(target.value, view) or _is_spread(target.value, node, view)):
                yield Notice(node.value, _set_on(name, target.value))


def _set_on(name: str, owner: ast.expr) -> str:
    return f"`{name}` is set on `{ast.unparse(owner)}`"


def _is_per_call(owner: ast.expr, view: View) -> bool:
    """Whether an object belongs to one call or turn: by its name, or because it is a seam."""
    words = frozenset(words_of(last_name(owner)).split("_"))
    return bool((words & _PER_CALL and not words & _PER_RUNTIME) or view.class_names(owner) & _SEAMS)


def _is_spread(owner: ast.expr, node: ast.Assign, view: View) -> bool:
    """Whether a mapping is spread further down into a call: `seam.invoke(request, **options)`."""
    if not isinstance(owner, ast.Name):
        return False
    function = view.module.function_of(node)
    return any(
        call.lineno > node.lineno and view.module.function_of(call) is function and _makes_call(call.func, view)
        for call in view.module.calls_by_name.get(owner.id, ())
        if any(keyword.arg is None and last_name(keyword.value) == owner.id for keyword in call.keywords)
    )


def _changed(node: ast.Call) -> ast.expr | None:
    """The object that a setter changes, or of which a changed copy is made; None for any other call."""
    name = last_name(node.func)
    if name in _CHANGES_FIRST:
        return node.args[0] if node.args else None
    return node.func.value if name in _COPIES and isinstance(node.func, ast.Attribute) else None


def _mappings(node: ast.Call, view: View) -> Iterator[ast.Dict | ast.Call]:
    """The mappings that stand among the arguments, and those that are spread there, names followed in the file."""
    spread = (keyword.value for keyword in node.keywords if keyword.arg is None)
    standing = (each for each in (*node.args, *(word.value for word in node.keywords)) if isinstance(each, ast.Dict))
    for value in (*standing, *spread):
        yield from mappings(view.analysis.references, view.module, value)


def _makes_call(function: ast.expr, view: View) -> bool:
    """Whether a call of a function is one of a model, or makes what belongs to one."""
    name = last_name(function)
    words = words_of(name).split("_")
    if not _PER_RUNTIME.isdisjoint(words):
        return False
    is_class = any(isinstance(each, ClassReference) for each in view.analysis.references.of(view.module, function))
    if is_class or name[:1].isupper():
        return not _PER_CALL.isdisjoint(words)
    is_seam = "seam" in words or bool(view.class_names(function) & _SEAMS)
    return words[0] in _CALLING or is_seam
