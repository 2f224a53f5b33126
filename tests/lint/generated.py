"""Small projects put together by chance: values that go through constants, wrappers, classes, re-exports and cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Files = dict[str, str]

_SEAM: Final = """from typing import Literal
CallClass = Literal["utility", "reasoning", "converse", "synthesize"]
UTILITY = "utility"
"""
_LANES: Final = (
    'LANE = "utility"',
    'LANE = "syn" + "thesize"',
    'LANE = "other"',
    'TABLE = {{"a": "reasoning", "b": "other"}}\nLANE = TABLE["a"]',
    'def pick():\n    return "converse"\nLANE = pick()',
    "from {other} import LANE",
    "from {other} import *",
    "import {other}\nLANE = {other}.LANE",
    "from {other} import LANE as FIRST\nfrom {another} import LANE as SECOND\nLANE = FIRST if FIRST else SECOND",
    "from {other} import Box as Taken\nLANE = Taken.lane",
    "try:\n    from {other} import LANE\nexcept ImportError:\n    from {another} import LANE",
    "from app.seams import UTILITY as LANE",
)
_ASKERS: Final = (
    "def ask(prompt, lane):\n    return real(prompt, call_class=lane)",
    "from {other} import ask",
    "from {other} import ask as inner\ndef ask(prompt, lane):\n    return inner(prompt, lane=lane)",
    "import {other} as there\ndef ask(prompt, lane):\n    return there.ask(prompt, lane) or there.ask(prompt, 'plain')",
    "from {other} import Box as Taken\ndef ask(prompt, lane):\n    return Taken(lane).send(prompt)",
    "from app.seams import CallClass\ndef ask(prompt, lane: CallClass):\n    return prompt",
    "def ask(prompt, lane):\n    return None",
)
_BOXES: Final = (
    """class Box:
    lane = "utility"
    def __init__(self, kind):
        self.kind = kind
    def send(self, prompt):
        return real(prompt, call_class=self.kind)""",
    "from {other} import Box as Base\nclass Box(Base):\n    pass",
    "from {other} import Box as Base\nclass Box(Base):\n    lane = Base.lane",
    "from {other} import Box",
    """from dataclasses import dataclass
@dataclass
class Box:
    call_class: str
    lane: str = 'reasoning'
    def send(self, prompt):
        return prompt""",
)
_USES: Final = (
    "real(1, call_class=LANE)",
    'ask(2, "synthesize")',
    "ask(3, LANE)",
    'Box("converse").send(4)',
    "Box(LANE)",
    "real(5, call_class=Box.lane)",
    "from {other} import LANE as FAR, ask as far\nfar(6, FAR)",
    "import {other}\n{other}.ask(7, {another_lane})",
    'if LANE == "utility":\n    pass',
    "def outer(lane):\n    return ask(8, lane)\nouter('reasoning')",
    "x = 1",
)


def project(chance: Random, modules: int) -> Files:
    """Make the files of a project, by path."""
    names = _names(modules)
    files = {f"{name.replace('.', '/')}.py": module(chance, names) for name in names}
    packages = {f"{name.rpartition('.')[0].replace('.', '/')}/__init__.py" for name in names if "." in name}
    return {**files, **dict.fromkeys(sorted(packages), ""), "app/seams/__init__.py": _SEAM}


def module(chance: Random, names: Sequence[str]) -> str:
    """Make the text of one module, which may import any of those names."""
    pieces = [chance.choice(_LANES), chance.choice(_ASKERS), chance.choice(_BOXES), *chance.choices(_USES, k=3)]
    other, another = chance.choice(names), chance.choice(names)
    lane = chance.choice(("LANE", f"{other}.LANE", "'utility'"))
    return "\n".join(piece.format(other=other, another=another, another_lane=lane) for piece in pieces) + "\n"


def edited(chance: Random, files: Files) -> Files:
    """Make one edit: write a module anew, add one, remove one, rename one, or add or remove an `__init__.py`."""
    names = [path[:-3].replace("/", ".") for path in files if not path.endswith("__init__.py")]
    path = chance.choice([path for path in files if not path.endswith("seams/__init__.py")])
    after = dict(files)
    kind = chance.choice(("write", "write", "write", "add", "remove", "rename", "package"))
    if kind == "write":
        after[path] = module(chance, names)
    elif kind == "add":
        after[f"app/new{chance.randrange(9)}.py"] = module(chance, names)
    elif kind == "package":
        marker = f"{chance.choice(('app', 'app/inner', 'lib'))}/__init__.py"
        if after.pop(marker, None) is None:
            after[marker] = chance.choice(("", "from app.m1 import LANE, ask, Box\n"))
    else:
        text = after.pop(path)
        after.update({f"lib/moved{chance.randrange(9)}.py": text} if kind == "rename" else {})
    return after


def _names(modules: int) -> list[str]:
    folders = ("app", "app.inner", "lib", "")
    return [".".join(filter(None, (folders[number % len(folders)], f"m{number}"))) for number in range(modules)]
