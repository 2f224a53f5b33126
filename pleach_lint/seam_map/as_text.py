"""The map as a tree, for terminals."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from pleach_lint.paths import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pleach_lint.seam_map.model import ClassPart, SeamMap

_WIDEST = 40
"""Columns of a name after which places are no longer aligned."""


class _Branch(NamedTuple):
    kind: str
    name: str
    place: str


def as_text(seam_map: SeamMap) -> str:
    """Write the map as a tree: a root for each class, and one for what belongs to none."""
    seams = ", ".join(seam_map.seams) or "none met"
    files = "1 file" if seam_map.files == 1 else f"{seam_map.files} files"
    head = f"seam map of {visible(seam_map.root)}: {files}, seams: {visible(seams)}"
    trees = [*((_title(part), _class(part)) for part in seam_map.classes), *_rest(seam_map)]
    width = min(max((len(branch.name) for _, tree in trees for branch in tree), default=0), _WIDEST)
    lines = chain.from_iterable(("", title, *_drawn(tree, width)) for title, tree in trees)
    return "\n".join((head, *lines, "", verdict(seam_map), ""))


def verdict(seam_map: SeamMap) -> str:
    """What the map proves, or what keeps it from being a proof, in one line."""
    if seam_map.problems:
        return f"not proven: {'; '.join(seam_map.problems)}"
    hidden = sum(len(part.hidden) for part in seam_map.classes)
    limits = [f"{hidden} hidden"] if hidden else []
    limits += [f"{len(seam_map.undecided)} undecided"] if seam_map.undecided else []
    beside = f" (beside {' and '.join(limits)})" if limits else ""
    return f"proven: each class is carried by one factory and leaks nowhere{beside}"


def _title(part: ClassPart) -> str:
    return f"{part.word}: {'; '.join(part.problems)}" if part.problems else part.word


def _class(part: ClassPart) -> list[_Branch]:
    branches = [_Branch("factory", each.name, str(each.place or "installed")) for each in part.factories]
    branches += (_Branch("node", each.stage, str(each.place)) for each in part.nodes)
    branches += (_Branch("leak", f"{each.code} {each.slug}", str(each.place)) for each in part.leaks)
    branches += (
        _Branch("hidden", f"{each.code} {each.slug}", f"{each.place} (by {each.hidden_by})") for each in part.hidden
    )
    return branches


def _rest(seam_map: SeamMap) -> Iterator[tuple[str, list[_Branch]]]:
    if seam_map.seam_free:
        yield "no calls", [_Branch("node", each.stage, str(each.place)) for each in seam_map.seam_free]
    if seam_map.undecided:
        yield "undecided", [_Branch("value", each.what, str(each.place)) for each in seam_map.undecided]
    if seam_map.not_analysed:
        yield "not analysed", [_Branch("file", each.what, str(each.place)) for each in seam_map.not_analysed]
    if seam_map.drift:
        calls = [_Branch("recorded", f"{each.stage} {each.word}", f"{each.calls} calls") for each in seam_map.drift]
        yield f"drift: recorded in {seam_map.ledger}, declared by no node", calls


def _drawn(tree: Iterable[_Branch], width: int) -> Iterator[str]:
    branches = list(tree)
    for branch in branches:
        line = "└─" if branch is branches[-1] else "├─"
        yield visible(f"{line} {branch.kind:<8} {branch.name:<{width}}  {branch.place}")
