"""How code at some place can call a name of the runtime, and what has to be imported for that."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.fixes.importing import new_import
from pleach_lint.fixes.merging import merged
from pleach_lint.fixes.seam_modules import seam_module_with
from pleach_lint.flow.module import Module
from pleach_lint.flow.references import ClassReference, ForeignReference, FunctionReference, ModuleReference
from pleach_lint.vocabulary import RUNTIME_MODULES, RUNTIME_PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.finding import Edit
    from pleach_lint.fixes.leak import Leak
    from pleach_lint.flow.references import Reference


class Named(NamedTuple):
    """A name, ready for use."""

    text: str
    """As it is written at the place."""
    edits: tuple[Edit, ...] = ()
    """What makes it known there; empty where it is known already."""


def named(leak: Leak, wanted: str, beside: ast.expr | None = None) -> Named | None:
    """Find out how to call a public name of the runtime where a literal stands.

    Args:
        leak: The literal.
        wanted: The name. It may come from the runtime, or from a seam package of the project that has it too.
        beside: A name or a dotted name in use at the place, beside which the wanted one can be had.

    Returns:
        None where the place means something else by the name, or nothing can be imported.
    """
    if isinstance(beside, ast.Attribute) and _leads_to(leak, beside.value, wanted):
        return Named(f"{leak.source(beside.value)}.{wanted}")
    statements = tuple(_statements(leak, beside))
    known = _known(leak, statements, wanted)
    if known:
        return Named(known)
    if not _is_free(leak, wanted) or _is_optional(leak, beside):
        return None
    home = next(
        (each for each in statements if isinstance(each, ast.ImportFrom) and _provides(leak, each, wanted)), None
    )
    edits = merged(home, wanted, leak) if home else new_import(_source(leak, wanted), wanted, leak)
    return Named(wanted, edits) if edits else None


def _source(leak: Leak, wanted: str) -> str:
    """Where a name is imported from: a seam package, for a project may do without the runtime, else the runtime."""
    return seam_module_with(wanted, leak.view.module, leak.view.analysis.finder) or RUNTIME_PACKAGE


def is_ours(node: ast.expr, leak: Leak) -> bool:
    """Whether a name is one of the runtime or of a seam package: by what it refers to, else by itself."""
    module = leak.view.module
    references = leak.view.analysis.references.of(module, node)
    if not references:
        return isinstance(node, ast.Name) and not module.names.definitions(node)
    return all(_is_ours(reference) for reference in references)


def _is_ours(reference: Reference) -> bool:
    if isinstance(reference, ForeignReference):
        return reference.dotted.partition(".")[0] == RUNTIME_PACKAGE
    return isinstance(reference, (ClassReference, FunctionReference)) and reference.module.is_seam


def _statements(leak: Leak, beside: ast.expr | None) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that hold where the literal stands: first those around what stands beside it, then the module's."""
    module = leak.view.module
    blocks: list[list[ast.stmt]] = []
    for definition in module.names.definitions(beside) if isinstance(beside, ast.Name) else ():
        statement = module.parents.get(definition.node)
        holder = module.parents.get(statement) if statement is not None else None
        if isinstance(statement, ast.ImportFrom) and holder is not module.root:
            blocks += [block for block in _blocks(holder) if statement in block]
    for statement in (each for block in (*blocks, module.root.body) for each in block):
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and statement.lineno < leak.node.lineno:
            yield statement


def _blocks(holder: ast.AST | None) -> Iterator[list[ast.stmt]]:
    return (getattr(holder, name, []) for name in ("body", "orelse", "finalbody"))


def _known(leak: Leak, statements: tuple[ast.Import | ast.ImportFrom, ...], wanted: str) -> str:
    """How the wanted name is called already; empty where it is not."""
    for statement in statements:
        for alias in statement.names:
            local = alias.asname or alias.name
            if isinstance(statement, ast.ImportFrom):
                is_it = alias.name == wanted and _provides(leak, statement, wanted)
            else:
                is_it, local = alias.name in RUNTIME_MODULES, f"{local}.{wanted}"
            if is_it and _means(leak, local.partition(".")[0], alias):
                return local
    return ""


def _means(leak: Leak, name: str, alias: ast.alias) -> bool:
    """Whether a name means what an import made it, wherever the literal stands."""
    module = leak.view.module
    definitions = module.names.module.last.get(name, ())
    return not _is_hidden(leak, name) and [definition.node for definition in definitions] == [alias]


def _is_free(leak: Leak, name: str) -> bool:
    """Whether a name means nothing yet, neither in the module nor around the literal."""
    return name not in leak.view.module.names.module.local and not _is_hidden(leak, name)


def _is_optional(leak: Leak, beside: ast.expr | None) -> bool:
    """Whether the module can do without the runtime, or gets what stands beside from one place or another."""
    module = leak.view.module
    if isinstance(beside, ast.Name) and len(module.names.definitions(beside)) > 1:
        return True
    tries = (node for node in module.nodes if isinstance(node, ast.Try))
    tried = (part for node in tries for part in node.body if isinstance(part, (ast.Import, ast.ImportFrom)))
    return any(name.partition(".")[0] == RUNTIME_PACKAGE for part in tried for name in _modules(part))


def _modules(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """The absolute names of modules that a statement imports, or imports from."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    return [] if statement.level else [statement.module or ""]


def _is_hidden(leak: Leak, name: str) -> bool:
    """Whether something between the literal and the module binds a name of its own."""
    return any(name in names for _, names in leak.scopes())


def _provides(leak: Leak, statement: ast.ImportFrom, wanted: str) -> bool:
    """Whether a name can be imported from where a statement imports: the runtime, or a seam package that has it."""
    if any(alias.name == "*" for alias in statement.names):
        return False
    if not statement.level and statement.module in RUNTIME_MODULES:
        return True
    found = leak.view.analysis.finder.imported(leak.view.module, statement.module or "", statement.level)
    return isinstance(found, Module) and _exports(found, wanted)


def _leads_to(leak: Leak, base: ast.expr, wanted: str) -> bool:
    """Whether `base.wanted` is a name of the runtime, or of a seam package."""
    references = leak.view.analysis.references.of(leak.view.module, base)
    return bool(references) and all(_has(reference, wanted) for reference in references)


def _has(reference: Reference, wanted: str) -> bool:
    if isinstance(reference, ForeignReference):
        return reference.dotted in RUNTIME_MODULES
    return isinstance(reference, ModuleReference) and _exports(reference.module, wanted)


def _exports(module: Module, name: str) -> bool:
    """Whether a module is one of a seam package that has a name."""
    return module.is_seam and name in module.names.module.last
