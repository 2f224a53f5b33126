"""PCH004 callclass-table: a table that is keyed by, or lists, call classes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final

from pleach_lint.flow.described import slot_text
from pleach_lint.flow.module import constant_text, last_name, plain_statements
from pleach_lint.flow.scopes import Step
from pleach_lint.flow.slots import Hit, Slot, Use
from pleach_lint.rule import Example, Rule
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View

_KEY_METHODS: Final = frozenset({"get", "pop", "setdefault", "__getitem__", "__setitem__", "__contains__", "has_key"})
_LIST_METHODS: Final = frozenset({
    "add", "append", "appendleft", "count", "difference", "difference_update", "discard", "extend", "index",
    "insert", "intersection", "isdisjoint", "issubset", "issuperset", "remove", "symmetric_difference", "union",
    "update",
})  # fmt: skip
_SET_OPERATORS: Final = (ast.Sub, ast.BitOr, ast.BitAnd, ast.BitXor, ast.Add)
_ENUM_BASES: Final = frozenset({"Enum", "Flag", "IntEnum", "StrEnum", "TextChoices", "Choices", "ReprEnum"})

_NAME_LISTS: Final = frozenset({"__all__", "__match_args__", "__slots__"})


class CallclassTable(Rule):
    """A table is keyed by call classes, or lists them.

    A mapping, an enumeration or a list of the four words is a copy of the vocabulary that the type checker cannot see.
    Key by class with `CallClassRoutes(utility=..., synthesize=...)`; list them with `CALL_CLASSES`.

    Where the runtime takes the mapping, the fix makes it a `CallClassRoutes`, and is safe.

    Two distinct class words that make up half of a display are enough: in public code that never happens by chance.

    Source: the documentation of Pleach, "Multi-synthesize per turn", section "Layered per-CallClass routing".
    """

    code = "PCH004"
    slug = "callclass-table"
    family = "callclass-literals"
    rank = 2
    way_out = "use `CallClassRoutes({word}=...)` or `CALL_CLASSES`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "keyed by class",
            """
            MODELS = {"utility": "small", "reasoning": "mid", "synthesize": "big"}  #~ 11 31 51
            """,
        ),
        Example(
            "keyed without spelling a class",
            """
            MODELS = CallClassRoutes(utility="small", reasoning="mid", synthesize="big")
            """,
        ),
        Example(
            "the routes of a policy",
            """
            from pleach_runtime import create_per_call_class_routing

            policy = create_per_call_class_routing(routes={"utility": "small", "synthesize": "big"})  #~ 48 68
            """,
            fixed="""
            from pleach_runtime import CallClassRoutes, create_per_call_class_routing

            policy = create_per_call_class_routing(routes=CallClassRoutes(utility="small", synthesize="big"))
            """,
        ),
        Example(
            "listed, and looked up",
            """
            for lane in ("utility", "synthesize"):  #~ 14 25
                warm(lane)
            caps_by_call_class["converse"] = 3  #~ 20
            enabled_call_classes.add("reasoning")  #~ 26
            """,
        ),
        Example(
            "an enumeration",
            """
            class Lane(Enum):
                CHEAP = "utility"  #~ 13
                DEEP = "reasoning"  #~ 12

            class CallClass(StrEnum):
                SYNTHESIZE = auto()  #~ 18
            """,
        ),
        Example(
            "one word among others",
            """
            SKIP = frozenset({"reasoning", "mcp_list_tools"})
            __all__ = ["utility", "converse"]
            Reply = namedtuple("Reply", ["reasoning", "utility"])
            scores = frame[["reasoning", "utility"]]
            VOCABULARY = ["use", "utility", "value", "reason", "reasoning", "verb"]
            description = {"call_class": {"reasoning": why, "value": chosen}}
            """,
        ),
    )

    # -- words that stand together

    def visit_Dict(self, node: ast.Dict, view: View) -> Iterator[Hit]:
        keys = [key for key in node.keys if key is not None]
        for key, word in view.co_occurring(keys):
            yield Hit(key, "one of several class words that key a mapping", word)

    def visit_List(self, node: ast.List | ast.Tuple | ast.Set, view: View) -> Iterator[Hit]:
        if _lists_names(node, view):
            return
        why = "one of several class words in a list"
        yield from (Hit(element, why, word) for element, word in view.co_occurring(node.elts))
        rows = [row.elts for row in node.elts if isinstance(row, (ast.Tuple, ast.List))]
        if rows and len(rows) == len(node.elts):
            keys = [row[0] for row in rows if row]
            yield from (Hit(key, why, word) for key, word in view.co_occurring(keys))

    visit_Tuple = visit_Set = visit_List

    # -- enumerations

    def visit_ClassDef(self, node: ast.ClassDef, view: View) -> Iterator[Use]:
        members = [
            (last_name(statement.targets[0]), statement.value)
            for statement in plain_statements(node.body)
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        ]
        if view.analysis.lexicon.is_named_after_class(node.name):
            yield from self._telling(node.name, members)
        elif any(last_name(base) in _ENUM_BASES for base in node.bases):
            yield from self._unrelated(node.name, members, view)

    def _telling(self, owner: str, members: list[tuple[str, ast.expr]]) -> Iterator[Use]:
        why = f"member of `{owner}`"
        for name, value in members:
            if _is_auto(value) and name.lower() in CLASS_WORDS:
                yield Hit(value, why, name.lower())
            else:
                yield Slot(value, why)

    def _unrelated(self, owner: str, members: list[tuple[str, ast.expr]], view: View) -> Iterator[Hit]:
        why = f"one of several class words in the enumeration `{owner}`"
        values = [value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value for _, value in members]
        yield from (Hit(value, why, word) for value, word in view.co_occurring(values))
        automatic = [(name.lower(), value) for name, value in members if _is_auto(value)]
        words = [(name, value) for name, value in automatic if name in CLASS_WORDS]
        if len(words) > 1 and 2 * len(words) >= len(members):
            yield from (Hit(value, why, name) for name, value in words)

    # -- known tables and lists

    def visit_Subscript(self, node: ast.Subscript, view: View) -> Iterator[Slot]:
        if not isinstance(node.slice, ast.Slice) and view.is_class_table(node.value):
            yield Slot(node.slice, "key of a table of call classes", absorb=False)

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Use]:
        yield from self._functional(node, view)
        yield from self._split(node, view)
        if not isinstance(node.func, ast.Attribute) or not node.args:
            return
        receiver = node.func.value
        if node.func.attr in _KEY_METHODS and view.is_class_table(receiver):
            yield Slot(node.args[0], "key of a table of call classes", absorb=False)
        elif node.func.attr in _LIST_METHODS and view.lists_classes(receiver):
            for argument in node.args:
                yield Slot(argument, f"`{node.func.attr}(...)` of a list of call classes")

    def _functional(self, node: ast.Call, view: View) -> Iterator[Use]:
        """`Enum("CallClass", "utility reasoning")`."""
        if last_name(node.func) not in _ENUM_BASES or len(node.args) < len(("name", "members")):
            return
        if slot_text(view, node.args[0]) is None:
            return
        members = node.args[1]
        word = _first_word(view.text(members))
        if word is not None:
            yield Hit(members, "members of an enumeration", word)
        yield Slot(members, "members of an enumeration")
        yield Slot(members, "members of an enumeration", route=(Step.VALUE,), absorb=False)

    def _split(self, node: ast.Call, view: View) -> Iterator[Hit]:
        """`"utility synthesize".split()` lists the words as a display does."""
        value = view.analysis.tracer.folder(view.module).fold(node)
        if isinstance(value, tuple):
            words = [part for part in value if isinstance(part, str) and part in CLASS_WORDS]
            outer = view.module.parents.get(node)
            is_part = isinstance(outer, (ast.Subscript, ast.Call)) and constant_text(outer) is None
            if len(set(words)) > 1 and 2 * len(words) >= len(value) and not is_part:
                yield Hit(node, "a list of class words", words[0])

    def visit_BinOp(self, node: ast.BinOp, view: View) -> Iterator[Slot]:
        if not isinstance(node.op, _SET_OPERATORS):
            return
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(other, (ast.Set, ast.List, ast.Tuple, ast.Dict, ast.Name)) and view.lists_classes(one):
                yield Slot(other, "combined with a list of call classes")


def _lists_names(node: ast.expr, view: View) -> bool:
    """Whether a display lists names, or columns: `__all__ = [...]`, `namedtuple("Row", [...])`, `frame[[...]]`."""
    outer = view.module.parents.get(node)
    while isinstance(outer, ast.BinOp):
        outer = view.module.parents.get(outer)
    if isinstance(outer, ast.Assign):
        return any(last_name(target) in _NAME_LISTS for target in outer.targets)
    if isinstance(outer, (ast.AnnAssign, ast.AugAssign)):
        return last_name(outer.target) in _NAME_LISTS
    if isinstance(outer, ast.Call):
        return last_name(outer.func) == "namedtuple" or last_name(getattr(outer.func, "value", node)) in _NAME_LISTS
    return isinstance(node, ast.List) and isinstance(outer, ast.Subscript) and outer.slice is node


def _is_auto(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "auto"


def _first_word(text: str | None) -> str | None:
    return next((part for part in (text or "").replace(",", " ").split() if part in CLASS_WORDS), None)
