"""The names that the linter knows are names of the runtime: the one link between the two packages."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import get_args

import pytest

import pleach_runtime
from pleach_lint import vocabulary
from pleach_runtime import seams
from pleach_runtime.seams import CALL_CLASSES, CallClassRoutes, SynthesizeSeamHolder
from tests.runtime.seams.test_seam import DEPS

PACKAGE = Path(pleach_runtime.__file__).parent


def test_classes() -> None:
    """The four words are the four classes."""
    assert vocabulary.CLASS_WORDS == CALL_CLASSES
    assert get_args(getattr(seams, vocabulary.CLASS_TYPE)) == CALL_CLASSES


@pytest.mark.parametrize("word", CALL_CLASSES)
def test_names_of_a_class(word: str) -> None:
    """Alias, factory and predicate of each class are there, and are of that class."""
    (argument,) = get_args(getattr(seams, vocabulary.SEAM_TYPES[word]))
    assert get_args(argument) == (word,)
    assert getattr(seams, vocabulary.PREDICATES[word])(word)
    factory = getattr(seams, vocabulary.SEAM_FACTORIES[word])
    holder = {"holder": SynthesizeSeamHolder()} if "holder" in factory.__annotations__ else {}
    assert factory(DEPS, **holder).call_class == word


def test_decision_nodes() -> None:
    """What the linter knows as nodes of decisions is there, takes its stage by that name, and is of that class."""
    for name in vocabulary.DECISION_NODES:
        assert "stage_id" in inspect.signature(getattr(pleach_runtime, name)).parameters
    assert seams.classes.DECISION_CLASS == vocabulary.DECISION_WORD


def test_tables() -> None:
    """The table that needs no literal has a field for each class, and the package and its seams have their names."""
    assert getattr(seams, vocabulary.CLASS_TABLE) is CallClassRoutes
    assert tuple(CallClassRoutes.model_fields) == CALL_CLASSES
    assert f"{vocabulary.RUNTIME_PACKAGE}.{vocabulary.SEAM_DIRECTORY}" == seams.__name__


def test_top_level_names_resolve() -> None:
    """Every public name of the package is there, lazily, and is listed once."""
    assert len(set(pleach_runtime.__all__)) == len(pleach_runtime.__all__)
    assert set(pleach_runtime.__all__) <= set(dir(pleach_runtime))
    assert all(getattr(pleach_runtime, name) is not None for name in pleach_runtime.__all__)


def test_lazy_names_are_the_typed_names() -> None:
    """What checkers see as imported is what is imported when it is used."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        (alias.name, node.module) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {name for name, _ in seen} == set(pleach_runtime.__all__)
    for name, module in seen:
        assert getattr(importlib.import_module(str(module)), name) is getattr(pleach_runtime, name)


def test_unknown_name() -> None:
    """A name that is not public is missing as usual."""
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pleach_runtime.__getattr__("nothing")


def test_only_seams_spell_a_class() -> None:
    """No string of the runtime outside its seams is a class word."""
    spelled = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        if "seams" not in path.relative_to(PACKAGE).parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in CALL_CLASSES
    ]
    assert spelled == []
