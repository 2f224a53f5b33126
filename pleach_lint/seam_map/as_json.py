"""The map as JSON, for machines. The names are those of the `json` report where both have one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pleach_lint.seam_map.model import ClassPart, Factory, Leak, Node, Place, SeamMap, Undecided

VERSION = 1
"""Grows when a key changes its meaning or goes; new keys may come at any time."""


def as_json(seam_map: SeamMap) -> str:
    """Write the map as one JSON object. `factories[].filename` is null for a factory of the installed runtime."""
    return json.dumps(as_object(seam_map), indent=2, ensure_ascii=False) + "\n"


def as_object(seam_map: SeamMap) -> dict[str, object]:
    """The map as values that JSON knows."""
    return {
        "version": VERSION,
        "root": seam_map.root,
        "files": seam_map.files,
        "seams": list(seam_map.seams),
        "problems": list(seam_map.problems),
        "classes": [_class(part) for part in seam_map.classes],
        "seam_free": [_node(node) for node in seam_map.seam_free],
        "undecided": [_undecided(each) for each in seam_map.undecided],
        "not_analysed": [_undecided(each) for each in seam_map.not_analysed],
        "ledger": seam_map.ledger or None,
        "drift": [{"stage": each.stage, "class": each.word, "calls": each.calls} for each in seam_map.drift],
    }


def _class(part: ClassPart) -> dict[str, object]:
    return {
        "class": part.word,
        "problems": list(part.problems),
        "factories": [_factory(factory) for factory in part.factories],
        "nodes": [_node(node) for node in part.nodes],
        "leaks": [_leak(leak) for leak in part.leaks],
        "hidden": [{**_leak(leak), "hidden_by": leak.hidden_by} for leak in part.hidden],
    }


def _factory(factory: Factory) -> dict[str, object]:
    return {"name": factory.name, **_place(factory.place)}


def _node(node: Node) -> dict[str, object]:
    return {"stage": node.stage, "stage_is_given": node.is_named, "declares": list(node.words), **_place(node.place)}


def _leak(leak: Leak) -> dict[str, object]:
    return {"code": leak.code, "slug": leak.slug, "message": leak.message, **_place(leak.place)}


def _undecided(each: Undecided) -> dict[str, object]:
    return {"what": each.what, **_place(each.place)}


def _place(place: Place | None) -> dict[str, object]:
    if place is None:
        return {"filename": None, "cell": None, "location": None}
    return {"filename": place.path, "cell": place.cell, "location": {"row": place.row, "column": place.column}}
