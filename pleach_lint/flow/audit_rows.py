"""Which expressions are audit rows, or the class of them. What only has the name of the class is none."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from pleach_lint.flow.module import last_name
from pleach_lint.flow.names import words_of
from pleach_lint.flow.references import ClassReference, ForeignReference, InstanceReference
from pleach_lint.vocabulary import AUDIT_ROW, RUNTIME_PACKAGE

if TYPE_CHECKING:
    from pleach_lint.flow.module import Module
    from pleach_lint.flow.references import Reference, References
    from pleach_lint.flow.symbols import Symbol

_KEEPERS: Final = frozenset({"ledger", "ledgers", "seam", "seams"})
"""Words in the names of modules that may define the class of the rows, beside the runtime's."""
_PARTS: Final = re.compile(r"\w+")


def is_row(references: References, module: Module, node: ast.expr) -> bool:
    """Whether an expression is an audit row, or the class of the rows."""
    return any(_is_of_rows(references, each) for each in references.of(module, node))


def is_row_class(references: References, module: Module, node: ast.expr) -> bool:
    """Whether an expression is the class of the rows or one derived from it; by its name where nothing is known."""
    if references.of(module, node):
        return is_row(references, module, node)
    symbols = references.symbols(module, node) if isinstance(node, ast.Name) else ()
    return all(map(_is_from_keeper, symbols)) if symbols else last_name(node) == AUDIT_ROW


def _is_of_rows(references: References, reference: Reference) -> bool:
    if isinstance(reference, ForeignReference):
        return reference.dotted.rpartition(".")[2] == AUDIT_ROW and _keeps_rows(reference.dotted)
    cls = reference.of if isinstance(reference, InstanceReference) else reference
    if not isinstance(cls, ClassReference):
        return False
    return any(_is_class_itself(each) or _is_derived(references, each) for each in references.lineage(cls))


def _is_class_itself(cls: ClassReference) -> bool:
    return cls.node.name == AUDIT_ROW and (cls.module.is_seam or _keeps_rows(cls.module.place))


def _is_derived(references: References, cls: ClassReference) -> bool:
    """Whether a class has a base that is not of the project, and that is the class of the rows."""
    own = (base for base in cls.node.bases if not _is_of_project(references, cls.module, base))
    return any(is_row_class(references, cls.module, base) for base in own)


def _is_of_project(references: References, module: Module, base: ast.expr) -> bool:
    return any(isinstance(each, (ClassReference, InstanceReference)) for each in references.of(module, base))


def _is_from_keeper(symbol: Symbol) -> bool:
    """Whether the class of the rows is imported from a module that may define it, and that cannot be read."""
    module, definition = symbol
    alias, statement = definition.node, module.parents.get(definition.node)
    if not isinstance(alias, ast.alias) or not isinstance(statement, ast.ImportFrom):
        return False
    return alias.name == AUDIT_ROW and _keeps_rows(statement.module or "")


def _keeps_rows(name: str) -> bool:
    """Whether a module, by its dotted name or its path, is of the runtime, or is named after the ledger or a seam."""
    parts = _PARTS.findall(name)
    return RUNTIME_PACKAGE in parts or any(not _KEEPERS.isdisjoint(words_of(part).split("_")) for part in parts)
