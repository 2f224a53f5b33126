"""Each module of the linter has tests under its name, or is listed here with the tests that reach it and why."""

from __future__ import annotations

from pathlib import Path

import pleach_lint

PACKAGE = Path(pleach_lint.__file__).parent
TESTS = Path(__file__).parent.parent
OURS = [*TESTS.glob("test_*.py"), *TESTS.glob("lint/**/test_*.py"), *TESTS.glob("e2e/**/test_*.py")]
"""The tests of the runtime bear names of modules of the linter for reasons of their own."""
NAMES = sorted(file.stem.removeprefix("test_") for file in OURS)

REACHED_BY = {
    "__init__": ("e2e/test_command.py", "it holds the version, which the command line prints"),
    "__main__": ("e2e/test_command.py", "it is the command line under another name"),
    "adoption": ("lint/test_init.py", "it is what `init` would write"),
    "comment_edits": ("lint/test_honesty.py", "it is what becomes of dishonest comments"),
    "comment_lines": ("lint/test_suppression.py", "the lines matter only for what comments on them hide"),
    "declarations": ("lint/test_selection.py", "they are what selection selects from"),
    "doubts": ("lint/test_cli.py", "they are warnings of a run"),
    "faults": ("e2e/test_command.py", "they are what the fronts say of a fault"),
    "finding": ("lint/test_reports_machine.py", "its values have no behaviour"),
    "flow": ("lint/test_programs.py", "where values go shows in whole programs"),
    "gate": ("lint/test_programs.py", "a file that is turned away wrongly misses its marks"),
    "gitignore": ("lint/test_discovery.py", "it matters for what a walk leaves out"),
    "inspection": ("lint/test_checking.py", "it is the part of a check that is done for each file"),
    "ledger": ("lint/test_cli.py", "it is the last line of a run"),
    "locator": ("lint/test_programs.py", "imports that lead nowhere miss their marks"),
    "nearest": ("lint/test_config.py", "it is the end of the message about an unknown name"),
    "neighbours": ("lint/test_doctor.py", "their settings matter for what `doctor` says of them"),
    "offsets": ("lint/test_fixing_edits.py", "edits are where places become offsets"),
    "notices": ("lint/test_examples.py", "they are what the examples of the rules mark"),
    "paths": ("lint/test_reports_text.py", "it is how reports show a path"),
    "processes": ("lint/test_checking.py", "processes must not change what a check finds"),
    "project": ("lint/test_examples.py", "each example is a project"),
    "reach": ("lint/test_programs.py", "a file that is turned away wrongly misses its marks"),
    "rule": ("lint/test_rules_agree.py", "it is what all rules have in common"),
    "rule_pages": ("test_docs_are_current.py", "the pages are a document"),
    "screening": ("lint/test_programs.py", "a file that is screened out wrongly misses its marks"),
    "verdict": ("lint/test_checking.py", "it is what a check says of each file"),
    "vocabulary": ("lint/test_rules_agree.py", "it is data, which rules read"),
    "walk": ("lint/test_discovery.py", "it is how discovery finds files"),
}
"""By module or package: the tests, and the reason why they have another name."""


def is_mirrored(module: str) -> bool:
    """Whether tests have the name of a module, alone or with more words after it."""
    return any(name == module or name.startswith(f"{module}_") for name in NAMES)


def test_a_module_has_tests_of_its_name_or_is_listed() -> None:
    """The modules and packages without tests of their name are exactly those of the list."""
    modules = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert {module for module in modules if not is_mirrored(module)} == set(REACHED_BY)


def test_the_tests_that_are_named_instead_exist() -> None:
    """Each entry of the list names a file of tests."""
    assert {name for name, _ in REACHED_BY.values() if not (TESTS / name).is_file()} == set()
