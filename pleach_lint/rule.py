"""The contract that a rule signs: its code and prose, its examples, its visitors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARK: Final = re.compile(r"[ \t]*#~(?P<columns>(?: \d+)*)[ \t]*$", re.MULTILINE)
NAMELESS: Final = "case.py"


@dataclass(frozen=True)
class Example:
    """A small program, and where its rule reports.

    `#~` at the end of a line says that the rule reports on that line; `#~ 12 20` pins the 1-based columns. A program
    without marks must stay silent.
    """

    title: str
    code: str
    files: Mapping[str, str] | None = None
    """Other modules of the program, by path below its root."""
    path: str = NAMELESS
    """Where the program itself lies below its root: in a seam package, for what is reported there."""
    strict: bool = False
    fixed: str = ""
    """What all fixes make of it, unsafe ones too; empty where there is no fix."""

    @property
    def text(self) -> str:
        """The program without its marks."""
        return _MARK.sub("", dedent(self.code).lstrip("\n"))

    @property
    def text_fixed(self) -> str:
        """The program after all fixes; as it is where there is none."""
        return dedent(self.fixed).lstrip("\n") or self.text

    @property
    def marked(self) -> bool:
        """Whether the rule must report something."""
        return bool(self.expected)

    @property
    def expected(self) -> tuple[tuple[int, int | None], ...]:
        """Row and column (1-based) of each expected report, in order; column None where it is not pinned."""
        places: list[tuple[int, int | None]] = []
        for row, line in enumerate(dedent(self.code).lstrip("\n").split("\n"), start=1):
            mark = _MARK.search(line)
            if mark:
                columns = mark["columns"].split()
                places += [(row, int(column)) for column in columns] or [(row, None)]
        return tuple(places)


class Rule:
    """What a rule is. Its docstring is its page: one line, prose, a `Source:` line.

    A rule that looks at code has generator methods `visit_Call`, `visit_Compare`, … by the type of node they look at,
    which take the node and a `View` and yield what they found.

    `signs` are read from the text of the file, before the rule is loaded: a literal tuple of literals.
    """

    code: ClassVar[str]
    slug: ClassVar[str]
    family: ClassVar[str] = ""
    """Name under which several rules are selected together."""
    rank: ClassVar[int] = 0
    """Within a family, a literal is reported by the rule of the lowest rank that found it."""
    default: ClassVar[bool] = True
    ignorable: ClassVar[bool] = True
    judges_comments: ClassVar[bool] = False
    """Whether it looks at suppressions, once they have hidden what they hide. flake8 does not report it."""
    signs: ClassVar[tuple[str, ...]] = ()
    """Texts, one of which stands in every file where the rule reports. None: class words and names of slots do."""
    in_seams: ClassVar[bool] = False
    """Whether the rule looks into seam packages; it reports nothing but notices there."""
    claim: ClassVar[str] = "is used as a call class"
    """What the message says of a class word, before why."""
    way_out: ClassVar[str] = ""
    """End of the message; `{word}`, `{seam}`, `{factory}` and `{predicate}` stand for names of the class found."""
    examples: ClassVar[tuple[Example, ...]] = ()

    @classmethod
    def summary(cls) -> str:
        """The first line of the page."""
        return (cls.__doc__ or "").partition("\n")[0]
