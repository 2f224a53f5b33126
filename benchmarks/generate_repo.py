"""Writes a repository in which some modules use seams and some of those leak, at places that are known.

    python -m benchmarks.generate_repo FOLDER [--modules 2000] [--leaks 200] [--seed 1]

The same arguments give the same bytes. FOLDER/planted.json lists the leaks: path, row, column (both 1-based), code.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

from benchmarks.repo_forms import BLOCK_FORMS, CLEAN_FORMS, FIXED, HEAD, LEAK_FORMS, SEAM_HEAD
from pleach_lint.vocabulary import CLASS_WORDS

SHARE_WITH_SEAMS: Final = 0.05
PER_PACKAGE: Final = 40
BLOCKS: Final = (12, 20)
"""The fewest and the most definitions of a module."""
MARK: Final = re.compile(r"@@(PCH\d{3})@@")
VERBS: Final = ("load", "merge", "price", "queue", "rank", "render", "score", "split", "trim", "weigh")
NOUNS: Final = ("basket", "carrier", "customer", "invoice", "label", "parcel", "region", "route", "shelf", "window")


class Leak(NamedTuple):
    """One planted leak."""

    path: str
    row: int
    column: int
    code: str


@dataclass
class Author:
    """Writes modules, by chance, and remembers what was planted."""

    chance: random.Random
    number: int = 0

    def block(self, form: str) -> str:
        """Fill a form with names that occur once."""
        self.number += 1
        verb, noun = self.chance.choice(VERBS), self.chance.choice(NOUNS)
        name = f"{verb}_{noun}_{self.number}"
        title = f"{noun.title()}{self.number}"
        number = self.chance.randint(2, 90) + 100 * self.number
        word = self.chance.choice(CLASS_WORDS)
        return dedent(form).lstrip("\n").format(
            name=name, title=title, upper=name.upper(), verb=verb, noun=noun, number=number, word=word
        )  # fmt: skip

    def module(self, leaks: list[str], *, with_seams: bool) -> str:
        """A module with some leaks among its definitions, still marked."""
        forms = [self.chance.choice(BLOCK_FORMS) for _ in range(self.chance.randint(*BLOCKS))]
        forms += leaks
        if with_seams:
            forms += CLEAN_FORMS
        self.chance.shuffle(forms)
        heads = [dedent(HEAD), dedent(SEAM_HEAD) if with_seams else ""]
        return "".join(heads).lstrip("\n") + "".join(f"\n\n{self.block(form)}" for form in forms)


def generate(folder: Path, modules: int, leaks: int, seed: int) -> list[Leak]:
    """Write the repository; the planted leaks, sorted. Without leaks, no module uses seams."""
    author = Author(random.Random(seed))
    shares = shared_out(author.chance, modules, leaks) if leaks else {}
    planted: list[Leak] = []
    for name, text in FIXED.items():
        write(folder / name, dedent(text).lstrip("\n"))
    for number in range(modules):
        path = f"shop/p{number // PER_PACKAGE:03}/m{number:05}.py"
        text = author.module(shares.get(number, []), with_seams=number in shares)
        write(folder / Path(path).with_name("__init__.py"), "")
        write(folder / path, MARK.sub("", text))
        planted += [Leak(path, *place) for place in places(text)]
    write(folder / "planted.json", json.dumps([leak._asdict() for leak in sorted(planted)], indent=1) + "\n")
    return sorted(planted)


def shared_out(chance: random.Random, modules: int, leaks: int) -> dict[int, list[str]]:
    """For each module that uses seams, the forms that leak in it; together they leak as often as asked."""
    shares: dict[int, list[str]] = {
        number: [] for number in sorted(chance.sample(range(modules), int(modules * SHARE_WITH_SEAMS)))
    }
    left = leaks
    while left:
        form = chance.choice([form for form in LEAK_FORMS if len(MARK.findall(form)) <= left])
        shares[chance.choice(list(shares))].append(form)
        left -= len(MARK.findall(form))
    return shares


def places(marked: str) -> list[tuple[int, int, str]]:
    """Row, column and code of each mark, in a text from which the marks are taken away."""
    return [
        (row, mark.start() - len("".join(found[0] for found in MARK.finditer(line[: mark.start()]))) + 1, mark[1])
        for row, line in enumerate(marked.split("\n"), start=1)
        for mark in MARK.finditer(line)
    ]


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Read the arguments and write the repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--modules", type=int, default=2000)
    parser.add_argument("--leaks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    planted = generate(options.folder, options.modules, options.leaks, options.seed)
    print(f"wrote {options.modules} modules with {len(planted)} leaks")


if __name__ == "__main__":
    main()
