"""The budgets of the linter's speed, one function each: what is run, what it is compared with, what is allowed."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.corpora import PINNED, python_files, unpacked
from benchmarks.generate_repo import generate
from benchmarks.lint_clock import Command, Cost, costs
from benchmarks.lint_peers import ROOT, Peers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

OURS: Final = "ours"
MODULES: Final = 2000
LEAKS: Final = 200


class Row(NamedTuple):
    """One figure of ours beside one of somebody else's."""

    what: str
    files: int
    """Python files that were read."""
    megabytes: float
    """Their size."""
    ours: float
    against: str
    theirs: float
    unit: str
    budget: float | None
    """The most that the ratio may be; None where nothing is asked."""

    @property
    def ratio(self) -> float:
        """Ours over theirs."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        """Whether the budget is kept."""
        return self.budget is None or self.ratio <= self.budget


@dataclass(frozen=True)
class Tree:
    """Folders that are checked together."""

    cwd: Path
    paths: tuple[str, ...]

    @cached_property
    def size(self) -> tuple[int, float]:
        """How many Python files there are, and how many megabytes they hold."""
        files = [file for path in self.paths for file in python_files(self.cwd / path)]
        return len(files), sum(file.stat().st_size for file in files) / 1e6


@dataclass(frozen=True)
class Bench:
    """Where everything lies, and how often it is run."""

    folder: Path
    rounds: int

    @cached_property
    def peers(self) -> Peers:
        """The tools to compare with."""
        return Peers(self.folder / "peers")

    def packages(self, names: Iterable[str]) -> Tree:
        """Real packages, unpacked."""
        return Tree(self.folder, tuple(folder.name for folder in unpacked(names, self.folder).values()))

    def generated(self, modules: int, leaks: int) -> Tree:
        """A generated repository."""
        folder = self.folder / f"generated-{modules}-{leaks}"
        if not (folder / "planted.json").exists():
            generate(folder, modules, leaks, seed=1)
        return Tree(folder, (".",))

    def check(self, tree: Tree, *options: str) -> Command:
        """The linter on a tree, without its cache unless the options say so."""
        cache = () if "--cache-dir" in options else ("--no-cache",)
        words = [sys.executable, "-m", "pleach_lint", "check", "--quiet", *cache, *options, *tree.paths]
        return Command(words, tree.cwd)

    def compare(self, title: str, tree: Tree, commands: Mapping[str, Command | None], budgets: Budgets) -> list[Row]:
        """Run the linter and its peers on a tree; a row for each peer that there is."""
        found = costs({name: command for name, command in commands.items() if command}, self.rounds)
        return [
            Row(title, *tree.size, found[OURS].wall, name, cost.wall, "s", budgets.get(name))
            for name, cost in found.items()
            if name != OURS
        ]


Budgets = dict[str, float]


def clean_tree(bench: Bench, title: str) -> list[Row]:
    """Every package, in none of which a class is used."""
    tree = bench.packages(PINNED)
    commands = {
        OURS: bench.check(tree, "--isolated"),
        "ast-grep": bench.peers.ast_grep(tree.paths, tree.cwd),
        "ripgrep -l": bench.peers.ripgrep(tree.paths, tree.cwd),
    }
    return bench.compare(title, tree, commands, {"ast-grep": 0.07, "ripgrep -l": 6})


def words_abound(bench: Bench, title: str) -> list[Row]:
    """Packages in which the words stand for other things."""
    return _against_ast_grep(bench, title, bench.packages(["litellm", "transformers"]), 0.1)


def no_words(bench: Bench, title: str) -> list[Row]:
    """Packages in which the words hardly stand."""
    return _against_ast_grep(bench, title, bench.packages(["django", "sympy"]), 0.15)


def _against_ast_grep(bench: Bench, title: str, tree: Tree, budget: float) -> list[Row]:
    peer = bench.peers.ast_grep(tree.paths, tree.cwd)
    return bench.compare(title, tree, {OURS: bench.check(tree, "--isolated"), "ast-grep": peer}, {"ast-grep": budget})


def with_seams(bench: Bench, title: str) -> list[Row]:
    """A repository that uses seams and leaks, against every peer."""
    tree = bench.generated(MODULES, LEAKS)
    where = (tree.paths, tree.cwd)
    fast = {OURS: bench.check(tree), "ast-grep": bench.peers.ast_grep(*where)}
    slow = {
        OURS: bench.check(tree),
        "semgrep": bench.peers.semgrep(*where),
        "fixit": bench.peers.fixit(*where),
        "pylint": bench.peers.pylint(*where),
    }
    once = Bench(bench.folder, rounds=1)
    return [
        *bench.compare(title, tree, fast, {"ast-grep": 0.8}),
        *once.compare(title, tree, slow, {"semgrep": 0.1, "fixit": 0.02}),
    ]


def warm_cache(bench: Bench, title: str) -> list[Row]:
    """The same repository again, against one of the same size that uses no seam."""
    tree, clean = bench.generated(MODULES, LEAKS), bench.generated(MODULES, 0)
    cache = bench.folder / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    warm = bench.check(tree, "--cache-dir", str(cache))
    costs({OURS: warm}, 1)
    commands = {OURS: warm, "a repository without seams": bench.check(clean)}
    return bench.compare(title, tree, commands, {"a repository without seams": 2})


def changed_file(bench: Bench, title: str) -> list[Row]:
    """One file of a repository, as a commit hook gives it."""
    repo = bench.generated(MODULES, LEAKS)
    tree = Tree(repo.cwd, ("shop/p000/__init__.py",))
    return _against_imports(bench, title, tree, "import click", 2)


def changed_file_with_finding(bench: Bench, title: str) -> list[Row]:
    """One file that leaks by itself."""
    folder = bench.folder / "one-leak"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text("[tool.pleach-lint]\n", encoding="utf-8")
    (folder / "leak.py").write_text('resolve_model(call_class="utility")\n', encoding="utf-8")
    return _against_imports(bench, title, Tree(folder, ("leak.py",)), "import click, libcst", 1.6)


def _against_imports(bench: Bench, title: str, tree: Tree, statement: str, budget: float) -> list[Row]:
    peer = f'python -c "{statement}"'
    commands = {OURS: bench.check(tree), peer: Command([sys.executable, "-c", statement], ROOT)}
    often = Bench(bench.folder, rounds=10 * bench.rounds)
    (row,) = often.compare(title, tree, commands, {peer: budget})
    return [row._replace(files=1, megabytes=(tree.cwd / tree.paths[0]).stat().st_size / 1e6)]


def flake8_plugin(bench: Bench, title: str) -> list[Row]:
    """flake8 with the plugin against flake8 alone, by processor time: the difference is small."""
    django = bench.packages(["django"])
    tree = Tree(django.cwd / django.paths[0], ("django/db",))
    commands = {
        OURS: bench.peers.flake8(tree.paths, tree.cwd, with_plugin=True),
        "flake8 alone": bench.peers.flake8(tree.paths, tree.cwd, with_plugin=False),
    }
    found = costs(commands, bench.rounds)
    ours, alone = found[OURS].processor, found["flake8 alone"].processor
    return [Row(title, *tree.size, ours - alone, "flake8 alone", alone, "s", 0.02)]


def memory(bench: Bench, title: str) -> list[Row]:
    """The largest process of a run on every package."""
    tree = bench.packages(PINNED)
    (cost,) = costs({OURS: bench.check(tree, "--isolated")}, 1).values()
    return [Row(title, *tree.size, cost.memory, "the budget", 250, "MB", 1)]


def growth(bench: Bench, title: str) -> list[Row]:
    """Repositories of twice the size each, against the one before."""
    sizes = (1000, 2000, 4000, 8000)
    trees = [bench.generated(size, size // 10) for size in sizes]
    found = [_cost_of(bench, tree) for tree in trees]
    return [
        Row(
            title, *trees[place].size, found[place].wall, f"{sizes[place - 1]} modules", found[place - 1].wall, "s", 2.1
        )
        for place in range(1, len(sizes))
    ]


def _cost_of(bench: Bench, tree: Tree) -> Cost:
    return costs({OURS: bench.check(tree)}, bench.rounds)[OURS]


BUDGETS: Final[dict[str, Callable[[Bench, str], Sequence[Row]]]] = {
    "clean tree, no cache": clean_tree,
    "words abound, no class is used": words_abound,
    "django and sympy": no_words,
    "2,000 modules with seams, no cache": with_seams,
    "2,000 modules with seams, warm cache": warm_cache,
    "one changed file without a class word": changed_file,
    "one changed file with a finding": changed_file_with_finding,
    "flake8 plugin, files without class words": flake8_plugin,
    "memory of the largest process": memory,
    "growth": growth,
}
