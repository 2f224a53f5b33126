"""One file (its bytes, its path, its project) -> findings. Knows neither configuration files, nor noqa, nor output."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.finding import Finding, Related
from pleach_lint.fixes import Mender
from pleach_lint.flow.analysis import View
from pleach_lint.flow.inlets import declaration_of, shown
from pleach_lint.flow.scopes import Step
from pleach_lint.flow.slots import Hit, Slot
from pleach_lint.flow.tracing import Steps, TooFar
from pleach_lint.notices import notices, place_of, told
from pleach_lint.rules import rules_by_code
from pleach_lint.screening import WITHOUT_CLASS_WORDS, Checked, State, not_analysed, screen
from pleach_lint.source import UnreadableSource, decode
from pleach_lint.syntax import UnparsableSource, confirm, with_deep_stack
from pleach_lint.vocabulary import PREDICATES, SEAM_FACTORIES, SEAM_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pleach_lint.finding import Span
    from pleach_lint.flow.calls import Key
    from pleach_lint.flow.inlets import Way
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.scopes import Route
    from pleach_lint.flow.trails import Arrival
    from pleach_lint.notices import Noticed
    from pleach_lint.project import Project
    from pleach_lint.rule import Rule
    from pleach_lint.syntax import Tree


_LONGEST: Final = 2_500_000
"""Characters of a file that is analysed, which takes some seconds then."""
_INSIDES: Final[tuple[Route, ...]] = ((), (Step.VALUE,), (Step.VALUE, Step.VALUE))
"""Where in an argument a literal can be that a callee takes out of it: `options["run"]["lane"]`."""
_MOST_NAMES: Final = 6
"""How many names a message gives of those that a value passes on its way."""
_MOST_LINKS: Final = 50
"""How many parameters on a way are told of as related places."""
_VALUE: Final = "PCH001"
_TABLE: Final = "PCH004"
"""A value that stands in a display is an entry of a table."""


class _Sink(NamedTuple):
    """The slot in which a value ends."""

    shown: str
    """As the message gives it, with the way there."""
    links: tuple[Related, ...] = ()
    """The parameters and fields on the way."""


@dataclass(frozen=True)
class _Use:
    """One reason to report an expression."""

    code: str
    word: str
    why: str
    related: tuple[Related, ...] = ()


def check_source(path: Path, data: bytes, project: Project) -> Checked:
    """Check one file. `path` is where it lies, for imports and seams; it is not read."""
    return screen(path, data, project) or follow(path, data, project)


def follow(path: Path, data: bytes, project: Project) -> Checked:
    """Check one file that is worth following its values."""
    try:
        source = decode(data)
        if len(source.text) > _LONGEST:
            return not_analysed(path, 1, f"longer than {_LONGEST:,} characters, too long to follow its values")
        module = project.read(path, source)
    except (UnreadableSource, UnparsableSource) as problem:
        if project.speaks(path, data):
            return not_analysed(path, problem.row, problem.reason)
        return WITHOUT_CLASS_WORDS
    return analyse(path, module, project)


def analyse(path: Path, module: Module, project: Project) -> Checked:
    """Check a module of the project, whatever its bytes show."""
    try:
        findings = with_deep_stack(lambda: _confirmed_findings(path, module, project))
    except (TooFar, RecursionError):
        return not_analysed(path, 1, "its values come from further away than can be followed in good time")
    return Checked(findings, State.PARSED, module.tree.source.text if findings else None)


def _confirmed_findings(path: Path, module: Module, project: Project) -> tuple[Finding, ...]:
    """What the C parser's tree shows, and libcst's reading of the statements in question confirms."""
    used, noticed = _uses(module, project), notices(module, project)
    if not used and not noticed:
        return ()
    confirmed = confirm(module.tree, _statement_rows([*used, *noticed], module))
    if _reads_alike(confirmed, module.tree):
        return _findings(path, module, project, used, noticed)
    renewed = project.renewed()
    read_again = renewed.add(path, confirmed)
    return _findings(path, read_again, renewed, _uses(read_again, renewed), notices(read_again, renewed))


def _reads_alike(tree: Tree, other: Tree) -> bool:
    """Whether two readings of one file give the same nodes in the same places, so that one analysis serves both."""
    pairs = zip(tree.module.body, other.module.body, strict=True)
    return all(one is two or _dump(one) == _dump(two) for one, two in pairs)


def _dump(statement: ast.stmt) -> str:
    return ast.dump(statement, include_attributes=True)


def _uses(module: Module, project: Project) -> dict[ast.expr, list[_Use]]:
    """Every expression to report, with the reasons for it."""
    used: dict[ast.expr, list[_Use]] = defaultdict(list)
    steps = Steps()
    for code, use in () if module.is_seam else project.uses(module):
        if isinstance(use, Hit):
            used[use.node].append(_Use(code, use.word, use.why))
        elif isinstance(use, Slot):
            for place, found in _traced(code, use, module, project, steps):
                used[place].append(found)
    return used


def _statement_rows(nodes: Iterable[ast.AST], module: Module) -> set[int]:
    """The first row of each top-level statement that holds one of the nodes.

    Not the rows of the nodes: inside an f-string, Python 3.10 and 3.11 invent them.
    """
    outermost = {_outermost(node, module) for node in nodes}
    return {statement.lineno for statement in module.root.body if statement in outermost}


def _outermost(node: ast.AST, module: Module) -> ast.AST:
    while (outer := module.parents.get(node, module.root)) is not module.root:
        node = outer
    return node


def _findings(
    path: Path,
    module: Module,
    project: Project,
    used: Mapping[ast.expr, list[_Use]],
    noticed: Mapping[ast.AST, list[Noticed]],
) -> tuple[Finding, ...]:
    findings: dict[Span, Finding] = {}
    mender = _mender(module, project)
    for node, uses in used.items():
        finding = _finding(path, module.tree.span(node), uses)
        words = {use.word for use in uses}
        if len(words) == 1:
            finding = replace(finding, fix=mender.fix(finding.code, node, *words))
        findings.setdefault(finding.span, finding)
    return tuple(sorted((*findings.values(), *told(path, module.tree, noticed))))


def _mender(module: Module, project: Project) -> Mender:
    view = View(project.analysis_of(module), module)
    return Mender(view, lambda package: project.imported_path(module, package, 0) is not None)


def _traced(code: str, slot: Slot, module: Module, project: Project, steps: Steps) -> Iterator[tuple[ast.expr, _Use]]:
    """The literals that reach a slot, each with the place in this module at which it is reported."""
    tracer = project.analysis_of(module).tracer
    for route, sink in _class_routes(slot, module, project):
        absorb = slot.absorb if slot.key is None else route == slot.route
        for arrival in steps.spend(tracer.trace(module, slot.node, route, absorb=absorb)).arrivals:
            why = slot.why or f"argument of {sink.shown}"
            if arrival.through:
                why = f"reaches {sink.shown} through {', '.join(_few([f'`{name}`' for name in arrival.through]))}"
            rule = _TABLE if arrival.listed and code == _VALUE else code
            at_home = arrival.module is module
            related = sink.links if at_home else (_definition(arrival), *sink.links)
            yield (arrival.literal if at_home else arrival.leaf), _Use(rule, arrival.word, why, related)


def _few(names: list[str]) -> list[str]:
    """Names on a way; of many, the first and the last."""
    more = len(names) - _MOST_NAMES
    return [*names[: _MOST_NAMES - 1], f"{more} more", names[-1]] if more > 0 else names


def _class_routes(slot: Slot, module: Module, project: Project) -> Iterator[tuple[Route, _Sink]]:
    """The parts of a slot's expression that are call classes, each with the slot that it ends in.

    An argument is worth a look at what its callee does with it only when a literal can be in it.
    """
    if slot.key is None:
        row = module.tree.span(slot.node).row
        yield slot.route, _Sink(f"{slot.sink or slot.why} ({project.shown(module.path)}:{row})")
        return
    analysis = project.analysis_of(module)
    insides = ((*slot.route, *inside) for inside in _INSIDES)
    if any(analysis.tracer.trace(module, slot.node, route, absorb=True).arrivals for route in insides):
        for route, way in analysis.inlets.ways(slot.key).items():
            yield (*slot.route, *route), _end_of(way, project)


def _end_of(way: Way, project: Project) -> _Sink:
    """What a message gives of a way, and where the parameters on it are declared."""
    keys = [*way.keys()]
    links = tuple(_link(key) for key in keys[:_MOST_LINKS])
    first = f"{shown(way.key)} ({project.shown(way.key.module.path)}:{links[0].span.row})"
    end = [way.end()] if way.end() else []
    return _Sink(" → ".join(_few([first, *map(shown, keys[1:]), *end])), links)


def _link(key: Key) -> Related:
    node = declaration_of(key)
    return Related(str(key.module.path), place_of(key.module.tree, node), f"{shown(key)} takes a call class")


def _definition(arrival: Arrival) -> Related:
    span = arrival.module.tree.span(arrival.literal)
    return Related(str(arrival.module.path), span, f'"{arrival.word}" is defined here', is_origin=True)


def _finding(path: Path, span: Span, uses: list[_Use]) -> Finding:
    """One finding for all uses of an expression: the rule of the lowest rank reports, the message counts the rest."""
    rules = rules_by_code()
    best = min(uses, key=lambda use: rules[use.code].rank)
    reasons = dict.fromkeys(use.why for use in uses if use.code == best.code)
    more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
    rule = rules[best.code]
    way_out = _way_out(rule, best.word)
    if best.why.startswith("reaches "):
        message = f'"{best.word}" {best.why}{more}; {way_out}'
    else:
        message = f'"{best.word}" {rule.claim} ({best.why}{more}); {way_out}'
    related = tuple(dict.fromkeys(place for use in uses for place in use.related))
    return Finding(str(path), span, rule.code, rule.slug, message, way_out, related)


def _way_out(rule: type[Rule], word: str) -> str:
    names = {"word": word, "seam": SEAM_TYPES[word], "factory": SEAM_FACTORIES[word], "predicate": PREDICATES[word]}
    return rule.way_out.format(**names)
