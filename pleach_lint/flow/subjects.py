"""Which expressions hold a call class, told by a name, a type, or what flows into them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.displays import entries
from pleach_lint.flow.folding import NAMELESS
from pleach_lint.flow.foreign_calls import mapping_route
from pleach_lint.flow.module import Module, constant_text, last_name, plain_statements
from pleach_lint.flow.references import ClassReference, FunctionReference, InstanceReference
from pleach_lint.flow.scopes import FUNCTIONS, LONGEST_ROUTE, Binding, Definition, Route, Step
from pleach_lint.flow.settling import Settled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.flow.annotations import ClassTypes
    from pleach_lint.flow.calls import Arguments
    from pleach_lint.flow.names import Lexicon
    from pleach_lint.flow.references import References

_LOOKUPS: Final = frozenset({
    "attrgetter", "col", "column", "F", "field", "get", "get_attribute", "getattr", "getenv", "getlist",
    "group_by", "groupby", "hget", "itemgetter", "literal_column", "pop", "setdefault",
})  # fmt: skip
"""Calls whose text argument names the value that they give."""

_SAME_VALUE: Final = frozenset({
    "as_string", "casefold", "cast", "copy", "deepcopy", "get_secret_value", "intern", "lower", "lower_",
    "lstrip", "repr", "rstrip", "str", "strip", "title", "upper",
})  # fmt: skip
_SAME_ELEMENTS: Final = frozenset({
    "copy", "Counter", "frozenset", "get_args", "iter", "keys", "list", "reversed", "set", "sorted", "tuple",
    "unique", "value_counts", "values",
})  # fmt: skip
_GETTERS: Final = frozenset({"attrgetter", "itemgetter"})
_PAIRINGS: Final = frozenset({"enumerate", "items", "product", "zip", "zip_longest"})
_NO_FIELD: Final = frozenset({"cls", "config", "field", "handler", "info", "key", "self", "values"})
"""Names of the parameters of a validator that do not take the field."""


class Subjects:
    """Answers for expressions of the whole project."""

    def __init__(self, references: References, types: ClassTypes, arguments: Arguments, lexicon: Lexicon) -> None:
        self._references = references
        self._types = types
        self._arguments = arguments
        self._lexicon = lexicon
        self._known = Settled[tuple[ast.expr, Route], bool](False)  # noqa: FBT003 - the answer of a circle

    def holds_class(self, module: Module, node: ast.expr, route: Route = ()) -> bool:
        """Whether the part `route` of an expression is a call class (or, by a plural name, a list of them)."""
        if len(route) > LONGEST_ROUTE:
            return False
        return self._known.answer((node, route), lambda: self._holds(module, node, route))

    def lists_classes(self, module: Module, node: ast.expr) -> bool:
        """Whether an expression is a container of call classes, or a mapping keyed by them."""
        return self.holds_class(module, node, (Step.EACH,))

    def is_typed_table(self, module: Module, node: ast.expr) -> bool:
        """Whether the type of an expression says that it is a mapping keyed by class."""
        if isinstance(node, ast.Name):
            owners = self._references.symbols(module, node)
            return any(self._is_table_type(owner, definition) for owner, definition in owners)
        if not isinstance(node, ast.Attribute):
            return False
        bases = (base.of for base in self._references.of(module, node.value) if isinstance(base, InstanceReference))
        members = (found for base in bases for found in self._references.members(base, node.attr))
        return any(self._is_table_type(owner.module, definition) for owner, definition in members)

    def _is_table_type(self, module: Module, definition: Definition) -> bool:
        node = definition.node
        annotation = node.annotation if isinstance(node, (ast.arg, ast.AnnAssign)) else None
        is_mapping = isinstance(annotation, ast.Subscript) and last_name(annotation.value).lower().endswith(
            ("dict", "mapping")
        )
        return is_mapping and (Step.EACH,) in self._types.routes(module, annotation)

    def _holds(self, module: Module, node: ast.expr, route: Route) -> bool:
        method = getattr(self, f"_{type(node).__name__}", None)
        return method is not None and bool(method(module, node, route))

    def _named(self, name: str, route: Route) -> bool:
        """A name tells of the value, and, unless it ends in the singular, of its elements."""
        return self._lexicon.names_class(name) and (not route or (route == (Step.EACH,)))

    def _Name(self, module: Module, node: ast.Name, route: Route) -> bool:
        if self._named(node.id, route):
            return True
        return any(
            self._defined(owner, definition, route) for owner, definition in self._references.symbols(module, node)
        )

    def _defined(self, module: Module, definition: Definition, route: Route) -> bool:
        node = definition.node
        annotation = node.annotation if isinstance(node, (ast.arg, ast.AnnAssign)) else None
        if route in self._types.routes(module, annotation):
            return True
        if not route and self._passed_on(module, definition):
            return True
        if definition.binding is Binding.PARAMETER:
            return self._received(module, definition, route) or self._is_validated(definition)
        if definition.binding is not Binding.VALUE or definition.value is None:
            return False
        return self._part(module, definition.value, (*definition.route, *route))

    def _part(self, module: Module, value: ast.expr, route: Route) -> bool:
        named = next((step for step in reversed(route) if isinstance(step, str)), None)
        if named is not None and route[-1] == named and self._lexicon.names_class(named):
            return True
        return self.holds_class(module, value, route)

    def _passed_on(self, module: Module, definition: Definition) -> bool:
        """Whether a value that is bound to a name is given to a slot under that name, as in `call_class=lane`."""
        return any(
            self._lexicon.names_class(slot) and definition in module.names.definitions(name)
            for slot, name in module.handed_on.get(definition.name, ())
        )

    def _is_validated(self, definition: Definition) -> bool:
        """Whether a parameter takes the field that a decorator names: `@field_validator("call_class")`."""
        function = definition.scope.node if definition.scope else None
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or definition.name in _NO_FIELD:
            return False
        calls = [call for call in function.decorator_list if isinstance(call, ast.Call)]
        texts = (constant_text(argument) for call in calls if _validates(call) for argument in call.args)
        return any(text is not None and self._lexicon.names_class(text) for text in texts)

    def _received(self, module: Module, definition: Definition, route: Route) -> bool:
        """A parameter holds a class when some call in its own file gives it one."""
        function = definition.scope.node if definition.scope else None
        if not isinstance(function, FUNCTIONS) or definition.name in {"self", "cls"}:
            return False
        for call in self._calls_of(module, function):
            for binding in self._arguments.of(module, call):
                is_given = binding.key.owner is function and binding.key.name == definition.name
                if is_given and self.holds_class(module, binding.argument, (*binding.route, *route)):
                    return True
        return False

    def _calls_of(self, module: Module, function: ast.AST) -> Iterable[ast.Call]:
        """The calls that may reach a function: those that name it, for a constructor those that name its class."""
        cls = module.class_of(function) if getattr(function, "name", "") == "__init__" else None
        name = getattr(cls or function, "name", None)
        return module.calls if name is None else module.calls_by_name.get(name, ())

    def _Attribute(self, module: Module, node: ast.Attribute, route: Route) -> bool:
        if self._named(node.attr, route):
            return True
        if node.attr in {"value", "name", "__args__", "str", "_value_", "data"} and self.holds_class(
            module, node.value, route
        ):
            return True
        if node.attr == "__args__" and route == (Step.EACH,):
            return () in self._types.routes(module, node.value)
        for base in self._references.of(module, node.value):
            if isinstance(base, InstanceReference) and self._field(base.of, node.attr, route):
                return True
        return False

    def _field(self, cls: ClassReference, name: str, route: Route) -> bool:
        for owner, definition in self._references.members(cls, name):
            node = definition.node
            if isinstance(node, ast.AnnAssign) and route in self._types.routes(owner.module, node.annotation):
                return True
            if definition.value is not None and self._part(owner.module, definition.value, (*definition.route, *route)):
                return True
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and self._gives(owner.module, node, route):
                return True
        return False

    def _gives(self, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef, route: Route) -> bool:
        if self._named(function.name, route) or route in self._types.routes(module, function.returns):
            return True
        results = (each.value for each in plain_statements(function.body) if isinstance(each, ast.Return))
        return any(value is not None and self.holds_class(module, value, route) for value in results)

    def _Subscript(self, module: Module, node: ast.Subscript, route: Route) -> bool:
        key = self._text(module, node.slice)
        if key is not None and self._named(key, route):
            return True
        if isinstance(node.slice, ast.Slice):
            return bool(route) and self.holds_class(module, node.value, route)
        step: Step | str = key if key is not None else Step.VALUE
        if self.holds_class(module, node.value, (step, *route)):
            return True
        by_index = key is None and not route
        return by_index and self._is_list(node.value) and self.holds_class(module, node.value, (Step.EACH,))

    def _is_list(self, node: ast.expr) -> bool:
        """Whether an index into the value gives an element: by a plural name, not by `caps_by_call_class[x]`."""
        return self._lexicon.names_class_list(last_name(node))

    def _Call(self, module: Module, node: ast.Call, route: Route) -> bool:
        name = last_name(node.func)
        if self._lexicon.names_class(name):
            return not self._is_other_class(module, node)
        if self._is_told(module, node, name, route):
            return True
        if name in _PAIRINGS and len(route) > 1:
            return self._paired(module, node, route)
        if name in (_SAME_ELEMENTS if route else _SAME_VALUE):
            inner = node.func.value if isinstance(node.func, ast.Attribute) and not node.args else None
            return any(self.holds_class(module, part, route) for part in (inner or node.func, *node.args))
        return any(self._returns(reference, route) for reference in self._references.of(module, node.func))

    def _is_told(self, module: Module, node: ast.Call, name: str, route: Route) -> bool:
        """Whether a text or a type among the arguments tells what the call gives."""
        if name in _LOOKUPS and self._looks_up(module, node, route):
            return True
        if isinstance(node.func, ast.Subscript) and route in self._types.routes(module, node.func):
            return True
        if name == "get" and not node.args and isinstance(node.func, ast.Attribute):
            return self.holds_class(module, node.func.value, route)
        if isinstance(node.func, ast.Call) and last_name(node.func.func) in _GETTERS:
            return self._looks_up(module, node.func, route)
        if name in {"cast", "get_args"} and node.args:
            routes = self._types.routes(module, node.args[0])
            return route in routes if name == "cast" else route == (Step.EACH,) and () in routes
        return False

    def _paired(self, module: Module, node: ast.Call, route: Route) -> bool:
        """`zip(call_classes, caps)`, `enumerate(call_classes)`, `caps.items()`."""
        name, column, rest = last_name(node.func), route[1], route[2:]
        if name == "items" and isinstance(node.func, ast.Attribute):
            return self.holds_class(module, node.func.value, mapping_route(name, route))
        if not isinstance(column, int):
            return False
        place = column - 1 if name == "enumerate" else column
        return 0 <= place < len(node.args) and self.holds_class(module, node.args[place], (route[0], *rest))

    def _is_other_class(self, module: Module, node: ast.Call) -> bool:
        return any(
            isinstance(reference, ClassReference) and not reference.module.is_seam and reference.module is not module
            for reference in self._references.of(module, node.func)
        )

    def _looks_up(self, module: Module, node: ast.Call, route: Route) -> bool:
        texts = (self._text(module, argument) for argument in node.args)
        return any(text is not None and self._named(text.rpartition(".")[2], route) for text in texts)

    def _text(self, module: Module, node: ast.expr) -> str | None:
        """The text of a constant, or of the one constant that a name stands for."""
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return constant_text(node)
        values = [definition.value for _, definition in self._references.held(module, node) if not definition.route]
        return constant_text(values[0]) if len(values) == 1 else None

    def _returns(self, reference: object, route: Route) -> bool:
        if not isinstance(reference, FunctionReference) or isinstance(reference.node, ast.Lambda):
            return False
        return self._gives(reference.module, reference.node, route)

    def _any(self, module: Module, nodes: Iterable[ast.expr], route: Route) -> bool:
        return any(self.holds_class(module, node, route) for node in nodes)

    def _IfExp(self, module: Module, node: ast.IfExp, route: Route) -> bool:
        return self._any(module, (node.body, node.orelse), route)

    def _BoolOp(self, module: Module, node: ast.BoolOp, route: Route) -> bool:
        return self._any(module, node.values, route)

    def _NamedExpr(self, module: Module, node: ast.NamedExpr, route: Route) -> bool:
        return self._any(module, (node.target, node.value), route)

    def _Await(self, module: Module, node: ast.Await, route: Route) -> bool:
        return self.holds_class(module, node.value, route)

    def _Starred(self, module: Module, node: ast.Starred, route: Route) -> bool:
        return self.holds_class(module, node.value, route or (Step.EACH,))

    def _comprehension(self, module: Module, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, route: Route) -> bool:
        return route[:1] == (Step.EACH,) and self.holds_class(module, node.elt, route[1:])

    _ListComp = _SetComp = _GeneratorExp = _comprehension

    def _display(self, module: Module, node: ast.List | ast.Tuple | ast.Set, route: Route) -> bool:
        return (
            any(self.holds_class(module, part, rest) for part, rest in entries(node, route, NAMELESS))
            if route
            else False
        )

    _List = _Tuple = _Set = _Dict = _display

    def _BinOp(self, module: Module, node: ast.BinOp, route: Route) -> bool:
        return bool(route) and self._any(module, (node.left, node.right), route)

    def _JoinedStr(self, module: Module, node: ast.JoinedStr, route: Route) -> bool:
        """`f"{row.call_class}"` is the class again."""
        only = node.values[0] if len(node.values) == 1 else None
        return isinstance(only, ast.FormattedValue) and self.holds_class(module, only.value, route)


def _validates(decorator: ast.Call) -> bool:
    return last_name(decorator.func) in {"field_validator", "validates", "validator"}
