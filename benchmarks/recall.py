"""Plants class literals into real files and counts what the gate finds: recall against editing.

    python benchmarks/recall.py FOLDER... [--trials 400] [--seed 1]

Each FOLDER holds an unpacked package (see `benchmarks/precision.py`). Every trial takes random files of it, puts a leak
of one form at a random place, under random names, and checks the file that is to be blamed. The files are restored.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import textwrap
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings
from pleach_lint.vocabulary import CLASS_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "@@"
"""Stands before the literal, or before the expression that brings it in, in a template."""

DIRECT = {
    "keyword": "{f}({a}, call_class=@@{word})",
    "attribute": "{o}.call_class = @@{word}",
    "key": "{v} = {{'n': 1, 'call_class': @@{word}}}",
    "subscript store": "{v}['call_class'] = @@{word}",
    "default": "def {f}({a}, call_class=@@{word}): return {a}",
    "field": "class {c}:\n    call_class: str = @@{word}",
    "comparison": "if {o}.call_class == @@{word}: {f}()",
    "membership": "{v} = {o}.call_class in (@@{word}, None)",
    "result": "def pick_call_class({a}):\n    return @@{word}",
    "setter": "{o}.set_attribute('llm.call_class', @@{word})",
    "lookup default": "{v} = {o}.get('call_class', @@{word})",
    "option": "{v} = ['--call-class', @@{word}]",
    "conditional": "{f}(call_class=@@{word} if {a} else None)",
    "text": "{o}.execute(@@\"SELECT 1 FROM t WHERE call_class = '{plain}'\")",
    "computed": "{f}(call_class=@@{word} + '')",
}
FLOWS = {
    "local name": ("{v} = @@{word}", "{f}(call_class={v})"),
    "through two names": ("{v} = @@{word}\n{w} = {v}", "{f}(call_class={w})"),
    "table": ("{v} = {{'a': @@{word}, 'b': None}}", "{f}(call_class={v}[{a}])"),
    "loop": ("{v} = [@@{word}]", "for {w} in {v}: {f}(call_class={w})"),
    "wrapper": ("def {w}({a}, {b}): return {f}(call_class={b})", "{w}(1, @@{word})"),
    "wrapper by keyword": ("def {w}({a}, *, {b}=None): return {f}(call_class={b})", "{w}(1, {b}=@@{word})"),
    "wrapper of a wrapper": (
        "def {v}({b}): return {f}(call_class={b})\ndef {w}({a}, {b}): return {v}({b})",
        "{w}(1, @@{word})",
    ),
    "method": ("class {c}:\n    def {w}(self, {b}): return {f}(call_class={b})", "{c}().{w}(@@{word})"),
    "class constant": ("class {c}:\n    {w} = @@{word}", "{f}(call_class={c}.{w})"),
    "result of a helper": ("def {w}():\n    return @@{word}", "{f}(call_class={w}())"),
    "default of a wrapper": ("def {w}({a}, {b}=@@{word}):\n    return {f}(call_class={b})", "{w}(1)"),
    "partial": (
        "import functools\ndef {w}({b}, {a}=0): return {f}(call_class={b})",
        "functools.partial({w}, @@{word})",
    ),
}
IMPORTED = {
    "imported constant": ("{v} = {word}", "{f}(call_class=@@{v})"),
    "imported table": ("{v} = {{'a': {word}}}", "{f}(call_class=@@{v}['a'])"),
    "imported wrapper": ("def {v}({a}, {b}): return {f}(call_class={b})", "{v}(1, @@{word})"),
    "imported result": ("def {v}():\n    return {word}", "{f}(call_class=@@{v}())"),
    "imported class": ("class {v}:\n    {w} = {word}", "{f}(call_class=@@{v}.{w})"),
    "imported method": ("class {v}:\n    def {w}(self, {b}): return {f}(call_class={b})", "{v}().{w}(@@{word})"),
}


@dataclass
class Tally:
    """What was planted and what was found, by form."""

    planted: Counter[str] = field(default_factory=Counter[str])
    found: Counter[str] = field(default_factory=Counter[str])

    def share(self, forms: dict[str, str] | dict[str, tuple[str, str]]) -> float:
        """The share found of these forms; 1.0 when none was planted."""
        planted = sum(self.planted[form] for form in forms)
        return sum(self.found[form] for form in forms) / planted if planted else 1.0


class Planter:
    """Plants into the files of one package."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder = folder
        self.chance = chance
        self.files = sorted(folder.rglob("*.py"))
        self.serial = 0

    def names(self) -> dict[str, str]:
        """Random names for the placeholders of a template, and a random word in a random quoting."""
        self.serial += 1
        word = self.chance.choice(CLASS_WORDS)
        quote = self.chance.choice(["'", '"', "'''"])
        stems = self.chance.sample(["lane", "tier", "choice", "pick_one", "thing", "value", "item", "which", "opt"], 7)
        names = {key: f"{stem}_{self.serial}" for key, stem in zip("fvwaboc", stems, strict=True)}
        return {**names, "c": names["c"].title().replace("_", ""), "word": f"{quote}{word}{quote}", "plain": word}

    def source(self) -> tuple[Path, str, ast.Module]:
        """A random file that parses and has a function or two."""
        while True:
            path = self.chance.choice(self.files)
            try:
                text = path.read_text(encoding="utf-8")
                tree = ast.parse(text)
            except (SyntaxError, ValueError, OSError):
                continue
            if "\t" not in text and "\f" not in text and tree.body:
                return path, text, tree

    def places(self, text: str, tree: ast.Module, *, top_only: bool = False) -> Iterator[tuple[int, int]]:
        """Rows (1-based, of the last line before) and columns of indentation where a statement may stand."""
        lines = text.split("\n")
        bodies: list[list[ast.stmt]] = [tree.body]
        if not top_only:
            bodies += [node.body for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.If, ast.With))]
        for body in bodies:
            if lines[body[0].lineno - 1].encode()[: body[0].col_offset].strip():
                continue
            for before, after in zip(body, [*body[1:], None], strict=True):
                is_future = isinstance(after, ast.ImportFrom) and after.module == "__future__"
                ends = isinstance(before, (ast.Return, ast.Raise, ast.Continue, ast.Break))
                alone = after is None or after.lineno > (before.end_lineno or before.lineno)
                if not is_future and not ends and alone and before.col_offset == body[0].col_offset:
                    yield before.end_lineno or before.lineno, before.col_offset


def insert(text: str, place: tuple[int, int], snippet: str) -> str:
    """The text with a snippet as statements of their own after a row."""
    row, column = place
    lines = text.split("\n")
    return "\n".join([*lines[:row], textwrap.indent(snippet, " " * column), *lines[row:]])


def unmarked(text: str) -> tuple[str, tuple[int, int]]:
    """The text without the mark, and the 1-based row and column where it stood."""
    before, _, after = text.partition(MARK)
    return before + after, (before.count("\n") + 1, len(before) - before.rfind("\n"))


def is_found(project: Project, path: Path, text: str) -> bool | None:
    """Whether the gate reports the marked place of a text; None when the text, with what was planted, is no Python."""
    plain, place = unmarked(text)
    try:
        ast.parse(plain)
    except SyntaxError:
        return None
    checked = check_source(path, plain.encode(), project)
    found = any((finding.span.row, finding.span.column) == place for finding in checked.findings)
    if not found:
        sys.stderr.write(f"missed: {path}:{place[0]}:{place[1]}: {plain.splitlines()[place[0] - 1].strip()}\n")
        sys.stderr.writelines(f"  instead: {finding.span}: {finding.message}\n" for finding in checked.findings[:3])
    return found


def plant(planter: Planter, form: str, tally: Tally) -> None:
    """One trial; where nothing can be planted so, another."""
    found = None
    while found is None:
        found = trial(planter, form)
    tally.planted[form] += 1
    tally.found[form] += found


def trial(planter: Planter, form: str) -> bool | None:
    """Whether one leak, at random, is found; None when it could not be planted."""
    names, chance = planter.names(), planter.chance
    path, text, tree = planter.source()
    if form in DIRECT:
        marked = insert(text, chance.choice(list(planter.places(text, tree))), DIRECT[form].format(**names))
        return is_found(Project(Settings(planter.folder)), path, marked)
    if form in FLOWS:
        first, second = (part.format(**names) for part in FLOWS[form])
        place = chance.choice(list(planter.places(text, tree, top_only=True)))
        later = [other for other in planter.places(text, tree) if other[0] >= place[0]]
        marked = insert(insert(text, chance.choice(later), second), place, first)
        return is_found(Project(Settings(planter.folder)), path, marked)
    return across(planter, form, names, (path, text, tree))


def across(planter: Planter, form: str, names: dict[str, str], user: tuple[Path, str, ast.Module]) -> bool | None:
    """One trial over two modules: the definition is written to disk for its time."""
    path, text, tree = user
    first, second = (part.format(**names) for part in IMPORTED[form])
    other, other_text, other_tree = planter.source()
    while other == path:
        other, other_text, other_tree = planter.source()
    dotted = ".".join(other.relative_to(planter.folder).with_suffix("").parts).removesuffix(".__init__")
    second = f"from {dotted} import {names['v']}\n{second}"
    marked = insert(text, planter.chance.choice(list(planter.places(text, tree))), second)
    places = list(planter.places(other_text, other_tree, top_only=True))
    planted = insert(other_text, planter.chance.choice(places), first)
    try:
        other.write_text(planted, encoding="utf-8")
        return is_found(Project(Settings(planter.folder)), path, marked)
    finally:
        other.write_text(other_text, encoding="utf-8")


def main() -> int:
    """Run the trials and print a table; exit 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, tally = random.Random(options.seed), Tally()
    planters = [Planter(folder.resolve(), chance) for folder in options.folders]
    forms = [*DIRECT, *FLOWS, *IMPORTED]
    for trial in range(options.trials):
        plant(chance.choice(planters), forms[trial % len(forms)], tally)
    for form in forms:
        sys.stdout.write(f"| {form} | {tally.found[form]} | {tally.planted[form]} |\n")
    direct, flows = tally.share(DIRECT), tally.share({**FLOWS, **IMPORTED})
    sys.stdout.write(json.dumps({"trials": options.trials, "direct": direct, "flows": flows}) + "\n")
    goal_direct, goal_flows = 0.99, 0.95
    return 0 if direct >= goal_direct and flows >= goal_flows else 1


if __name__ == "__main__":
    raise SystemExit(main())
