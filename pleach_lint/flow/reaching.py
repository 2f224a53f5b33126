"""One walk over a module that finds which definitions reach each read of a name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeAlias

from pleach_lint.flow.case_patterns import parts, values_read
from pleach_lint.flow.scopes import (
    FUNCTIONS,
    Binding,
    Definition,
    FunctionNode,
    Names,
    Scope,
    Step,
    parameters,
    targets,
)
from pleach_lint.syntax.bound_names import COMPREHENSIONS, bound_names, names_bound_by
from pleach_lint.syntax.children import children

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pleach_lint.flow.scopes import Route

_DEEP_LOOPS: Final = 4
"""Two walks each, so that a loop inside so many others is walked sixteen times."""
_State: TypeAlias = "dict[str, tuple[Definition, ...]]"


def read_names(tree: ast.Module) -> Names:
    """Find every scope of the module and what reaches each read of a name."""
    scope = Scope(tree, None, bound_names(tree.body))
    names = Names(scope, {tree: scope}, {}, {}, [])
    _Walk(names, scope).run(tree.body)
    return names


def _joined(states: Iterable[_State | None]) -> _State | None:
    """What holds where several paths meet; None when none of them arrives."""
    arriving = [state for state in states if state is not None]
    if not arriving:
        return None
    merged = dict(arriving[0])
    for state in arriving[1:]:
        for name, definitions in state.items():
            if merged.get(name) != definitions:
                merged[name] = tuple(dict.fromkeys((*merged.get(name, ()), *definitions)))
    return merged


class _Walk:
    """Walks the body of one scope; `state` maps each bound name to what it can mean at this point."""

    def __init__(self, names: Names, scope: Scope, state: _State | None = None) -> None:
        self.names = names
        self.scope = scope
        self.state: _State = {} if state is None else state
        self.dead = False
        self.exits: list[_State] = []
        self.jumps: list[tuple[list[_State], list[_State]]] = []
        self.outer: set[str] = set()

    def run(self, body: Sequence[ast.stmt]) -> None:
        """Walk the whole scope and record what its names can be at its end."""
        self.block(body)
        ends = [*self.exits] if self.dead else [self.state, *self.exits]
        for name, definitions in (_joined(ends) or {}).items():
            self.scope.last[name] = tuple(dict.fromkeys((*definitions, *self.scope.last.get(name, ()))))

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            handler = getattr(self, f"on_{type(statement).__name__}", self.generic)
            handler(statement)

    def generic(self, statement: ast.stmt) -> None:
        for child in children(statement):
            if isinstance(child, ast.expr):
                self.read(child)

    # -- what binds

    def define(self, definition: Definition) -> None:
        if definition.name not in self.outer:
            self.state[definition.name] = (definition,)
            return
        for scope in [self.names.module, *self.scope.enclosing()]:
            if definition.name in scope.local or scope is self.names.module:
                scope.last[definition.name] = (*scope.last.get(definition.name, ()), definition)
                scope.from_inside.setdefault(definition.name, []).append(definition)

    def opaque(self, name: str | None, node: ast.AST) -> None:
        if name:
            self.define(Definition(name, Binding.OPAQUE, node, scope=self.scope))

    def bind(self, target: ast.expr, value: ast.expr, route: Route = (), node: ast.AST | None = None) -> None:
        for single, part, steps in targets(target, value, route):
            if isinstance(single, ast.Name):
                self.define(Definition(single.id, Binding.VALUE, node or single, part, steps, self.scope))
            else:
                self.read(single)

    def on_Assign(self, node: ast.Assign) -> None:
        self.read(node.value)
        for target in node.targets:
            self.bind(target, node.value)

    def on_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.read(node.annotation)
        if node.value is not None:
            self.read(node.value)
            self.bind(node.target, node.value, node=node)
        elif isinstance(node.target, ast.Name):
            if node.target.id not in self.state:
                self.opaque(node.target.id, node)
        else:
            self.read(node.target)

    def on_AugAssign(self, node: ast.AugAssign) -> None:
        self.read(node.value)
        if not isinstance(node.target, ast.Name):
            self.read(node.target)
            return
        name = node.target.id
        before = self.state.get(name, ())
        self.names.reaching[node.target] = before
        self.define(Definition(name, Binding.GROWTH, node, node.value, (), self.scope, before))

    def on_TypeAlias(self, node: ast.stmt) -> None:
        target, value = getattr(node, "name", None), getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            self.read(value)
            self.bind(target, value, node=node)

    def on_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.define(Definition(name, Binding.IMPORT, alias, scope=self.scope))

    def on_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.names.stars.append(node)
            else:
                self.define(Definition(alias.asname or alias.name, Binding.IMPORT, alias, scope=self.scope))

    def on_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.state.pop(target.id, None)
            else:
                self.read(target)

    def on_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.outer.update(node.names)

    on_Nonlocal = on_Global

    # -- inner scopes

    def on_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.read(decorator)
        self.signature(node)
        if node.returns is not None:
            self.read(node.returns)
        self.define(Definition(node.name, Binding.FUNCTION, node, scope=self.scope))
        scope = self.inner(node, bound_names(node.body))
        _Walk(self.names, scope, self.parameters(node, scope)).run(node.body)

    on_AsyncFunctionDef = on_FunctionDef

    def on_ClassDef(self, node: ast.ClassDef) -> None:
        for outside in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self.read(outside)
        scope = self.inner(node, bound_names(node.body))
        _Walk(self.names, scope).run(node.body)
        self.define(Definition(node.name, Binding.CLASS, node, scope=self.scope))

    def inner(self, node: ast.AST, local: frozenset[str]) -> Scope:
        arguments = frozenset(argument.arg for argument, _ in parameters(node)) if isinstance(node, FUNCTIONS) else ()
        scope = self.names.scopes[node] = Scope(node, self.scope, local.union(arguments))
        return scope

    def signature(self, node: FunctionNode) -> None:
        for argument, default in parameters(node):
            for part in (argument.annotation, default):
                if part is not None:
                    self.read(part)

    def parameters(self, node: FunctionNode, scope: Scope) -> _State:
        return {
            argument.arg: (Definition(argument.arg, Binding.PARAMETER, argument, default, (), scope),)
            for argument, default in parameters(node)
        }

    # -- control flow

    def branch(self, body: Sequence[ast.stmt], state: _State) -> _State | None:
        """Walk a body from a copy of `state`; None when control never leaves it at its end."""
        outer, self.state, self.dead = (self.state, self.dead), dict(state), False
        self.block(body)
        result = None if self.dead else self.state
        self.state, self.dead = outer
        return result

    def meet(self, *states: _State | None) -> None:
        joined = _joined(states)
        if joined is None:
            self.dead = True
        else:
            self.state = joined

    def on_If(self, node: ast.If) -> None:
        """An `elif` chain nests in the tree, hundreds deep in generated code, so it is walked in a loop."""
        ends: list[_State | None] = []
        branch: ast.If | None = node
        while branch is not None:
            self.read(branch.test)
            ends.append(self.branch(branch.body, self.state))
            following = branch.orelse
            chained = len(following) == 1 and isinstance(following[0], ast.If)
            branch = following[0] if chained and isinstance(following[0], ast.If) else None
            if branch is None:
                ends.append(self.branch(following, self.state))
        self.meet(*ends)

    def on_While(self, node: ast.While) -> None:
        self.read(node.test)
        self.loop(node.body, node.orelse, again=node.test)

    def on_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.read(node.iter)
        self.loop(node.body, node.orelse, each=(node.target, node.iter))

    on_AsyncFor = on_For

    def loop(
        self,
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
        *,
        each: tuple[ast.expr, ast.expr] | None = None,
        again: ast.expr | None = None,
    ) -> None:
        """Walk a loop twice, so that what one round binds reaches the next; once where loops nest deeply."""
        start = dict(self.state)
        breaks: list[_State] = []
        for _ in range(2 if len(self.jumps) < _DEEP_LOOPS else 1):
            breaks = []
            rounds: list[_State] = []
            self.jumps.append((breaks, rounds))
            self.state = dict(start)
            if each is not None:
                self.bind(*each, route=(Step.EACH,))
            end = self.branch(body, self.state)
            self.jumps.pop()
            start = _joined([start, end, *rounds]) or start
            self.state = dict(start)
            if again is not None:
                self.read(again)
        finished = self.branch(orelse, self.state) if orelse else self.state
        endless = isinstance(again, ast.Constant) and bool(again.value)
        self.meet(None if endless else finished, *breaks)

    def on_Break(self, _node: ast.Break) -> None:
        self.jump(self.jumps[-1][0] if self.jumps else [])

    def on_Continue(self, _node: ast.Continue) -> None:
        self.jump(self.jumps[-1][1] if self.jumps else [])

    def on_Return(self, node: ast.Return) -> None:
        self.generic(node)
        self.jump(self.exits)

    def on_Raise(self, node: ast.Raise) -> None:
        self.generic(node)
        self.dead = True

    def jump(self, arrivals: list[_State]) -> None:
        if not self.dead:
            arrivals.append(dict(self.state))
        self.dead = True

    def on_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.read(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, item.context_expr, node=item)
        self.block(node.body)

    on_AsyncWith = on_With

    def on_Try(self, node: ast.Try) -> None:
        """A handler can start after any statement of the body."""
        points: list[_State | None] = [dict(self.state)]
        outer_dead = self.dead
        for statement in node.body:
            self.block([statement])
            points.append(dict(self.state))
        self.block(node.orelse)
        ends: list[_State | None] = [None if self.dead else self.state]
        failed = _joined(points) or {}
        for handler in node.handlers:
            self.state = dict(failed)
            if handler.type is not None:
                self.read(handler.type)
            self.opaque(handler.name, handler)
            ends.append(self.branch(handler.body, self.state))
        self.dead = outer_dead
        self.meet(*ends)
        ended = self.dead
        self.block(node.finalbody)
        self.dead = self.dead or ended

    on_TryStar = on_Try

    def on_Match(self, node: ast.Match) -> None:
        self.read(node.subject)
        start = dict(self.state)
        ends: list[_State | None] = [start]
        for case in node.cases:
            self.state = dict(start)
            self.capture(case.pattern, node.subject, ())
            if case.guard is not None:
                self.read(case.guard)
            ends.append(self.branch(case.body, self.state))
        self.meet(*ends)

    def capture(self, pattern: ast.pattern | None, subject: ast.expr, route: Route | None) -> None:
        """Bind the names of a pattern; a route of None means a part that is not followed."""
        for value in values_read(pattern):
            self.read(value)
        for name in names_bound_by(pattern) if pattern is not None else ():
            if route is None or isinstance(pattern, (ast.MatchMapping, ast.MatchStar)):
                self.opaque(name, pattern or subject)
            else:
                self.define(Definition(name, Binding.VALUE, pattern or subject, subject, route, self.scope))
        for part, step in parts(pattern):
            self.capture(part, subject, None if route is None or step is None else (*route, *step))

    # -- what reads

    def read(self, expression: ast.expr) -> None:
        """Record the reads of an expression, left to right; walruses bind on the way. Iterative: chains are deep."""
        pending: list[ast.AST] = [expression]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                self.name(node)
            elif isinstance(node, ast.Lambda):
                self.signature(node)
                scope = self.inner(node, frozenset())
                _Walk(self.names, scope, {**self.state, **self.parameters(node, scope)}).read(node.body)
            elif isinstance(node, COMPREHENSIONS):
                self.comprehension(node)
            else:
                if isinstance(node, ast.NamedExpr):
                    self.bind(node.target, node.value)
                pending.extend(reversed(children(node)))

    def name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            return
        if node.id in self.state:
            self.names.reaching[node] = self.state[node.id]
        elif node.id in self.scope.local and not self.scope.is_class:
            self.names.reaching[node] = ()
        else:
            self.names.home[node] = self.scope

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """Names that a comprehension binds are gone at its end; walruses inside it stay."""
        before = dict(self.state)
        for generator in node.generators:
            self.read(generator.iter)
            self.bind(generator.target, generator.iter, (Step.EACH,))
            for test in generator.ifs:
                self.read(test)
        for result in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self.read(result)
        self.state = before
        for walrus in (inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)):
            self.bind(walrus.target, walrus.value)
