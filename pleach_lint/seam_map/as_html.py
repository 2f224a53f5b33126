"""The map as one HTML file that needs nothing beside it. Its look is in `page.html`."""

from __future__ import annotations

from html import escape
from itertools import chain, groupby
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.seam_map.as_text import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.seam_map.model import ClassPart, Factory, Leak, Node, SeamMap, Undecided

_PAGE: Final = Path(__file__).with_name("page.html")
_SHAPES: Final = {
    "node": '<rect x="2" y="2" width="12" height="12" rx="2"/>',
    "leak": '<path d="M8 1 15.5 15H.5z"/>',
    "hidden": '<path d="M8 3 14 14H2z"/>',
    "open": '<circle cx="8" cy="8" r="5.5"/>',
    "unread": '<path d="M2 5 5 2l3 3 3-3 3 3-3 3 3 3-3 3-3-3-3 3-3-3 3-3z"/>',
    "free": '<rect x="3" y="3" width="10" height="10" rx="2"/>',
    "recorded": '<path d="M8 0 16 8 8 16 0 8z"/>',
}
"""A mark for each kind, told by form and not by colour alone, in a square of 16."""
_MEANINGS: Final = {
    "node": "node that declares the class",
    "leak": "leak",
    "hidden": "leak that something hides",
    "open": "value that the source leaves open",
    "unread": "file that was not analysed",
    "free": "node without calls",
    "recorded": "recorded call that no node declares",
}
_ARROW: Final = '<svg class="arrow" viewBox="0 0 48 16" aria-hidden="true"><path d="M6 8h34M34 3l6 5-6 5"/></svg>'


_NO_CARRIER: Final = '<code class="carrier none">no factory</code>'


class _Row(NamedTuple):
    """One row of a table, and one mark of the drawing."""

    kind: str
    name: str
    place: str
    more: str = ""


class _Section(NamedTuple):
    """One table; of a class when it has factories to draw."""

    key: str
    title: str
    rows: tuple[_Row, ...]
    part: ClassPart | None = None


def as_html(seam_map: SeamMap) -> str:
    """Write the map as a page that works offline, by keyboard, in light and dark; every text in it is escaped."""
    sections = (*map(_class, seam_map.classes), *(section for section in _rest(seam_map) if section.rows))
    used = {row.kind for section in sections for row in section.rows} | {"node", "leak"}
    hidden = sum(len(part.hidden) for part in seam_map.classes)
    facts = (
        f"{seam_map.files} files · seams: {', '.join(seam_map.seams) or 'none met'} · "
        f"{_nodes(seam_map)} nodes · {sum(len(part.leaks) for part in seam_map.classes)} leaks · {hidden} hidden · "
        f"{len(seam_map.undecided)} undecided · {len(seam_map.not_analysed)} not analysed"
    )
    return Template(_PAGE.read_text(encoding="utf-8")).substitute(
        root=escape(seam_map.root),
        facts=escape(facts),
        state="broken" if seam_map.problems else "proven",
        verdict="Not proven" if seam_map.problems else escape(verdict(seam_map).capitalize()),
        problems=_listed(seam_map.problems),
        legend="".join(f"<li>{_mark(kind)} {text}</li>" for kind, text in _MEANINGS.items() if kind in used),
        lanes="\n".join(map(_lane, sections)),
        sections="\n".join(map(_table, sections)),
    )


def _nodes(seam_map: SeamMap) -> int:
    return len({node for part in seam_map.classes for node in part.nodes}.union(seam_map.seam_free))


def _class(part: ClassPart) -> _Section:
    rows = chain(map(_leak, part.leaks), map(_leak, part.hidden), map(_factory, part.factories), map(_node, part.nodes))
    return _Section(part.word, part.word, tuple(rows), part)


def _rest(seam_map: SeamMap) -> tuple[_Section, ...]:
    recorded = (
        _Row("recorded", each.stage, seam_map.ledger, f"{each.word}: {each.calls} calls") for each in seam_map.drift
    )
    return (
        _Section("drift", "Recorded, but declared by no node", tuple(recorded)),
        _Section("unread", "Not analysed", tuple(_undecided("unread", each) for each in seam_map.not_analysed)),
        _Section("undecided", "Undecided", tuple(_undecided("open", each) for each in seam_map.undecided)),
        _Section(
            "free", "Nodes without calls", tuple(_node(node)._replace(kind="free") for node in seam_map.seam_free)
        ),
    )


def _factory(factory: Factory) -> _Row:
    return _Row("factory", factory.name, str(factory.place or "installed"))


def _node(node: Node) -> _Row:
    return _Row("node", node.stage, str(node.place))


def _leak(leak: Leak) -> _Row:
    by = f"hidden by {leak.hidden_by}: " if leak.hidden_by else ""
    return _Row("hidden" if by else "leak", f"{leak.code} {leak.slug}", str(leak.place), f"{by}{leak.message}")


def _undecided(kind: str, each: Undecided) -> _Row:
    return _Row(kind, each.what, str(each.place))


def _lane(section: _Section) -> str:
    marks = "".join(_linked(section.key, number, row) for number, row in enumerate(section.rows) if row.kind in _SHAPES)
    dots = f'<div class="dots">{marks or "<i>declared by no node</i>"}</div>'
    if section.part is None:
        return f'<div class="lane rest"><a href="#{section.key}">{escape(section.title)}</a>{dots}</div>'
    factories = "".join(f'<code class="carrier">{escape(each.name)}</code>' for each in section.part.factories)
    carriers = f'<div class="carriers">{factories or _NO_CARRIER}</div>'
    problems = "".join(f"<small>{escape(text)}</small>" for text in section.part.problems)
    word = f'<a class="word{" broken" if problems else ""}" href="#{section.key}">{escape(section.title)}{problems}</a>'
    return f'<div class="lane">{carriers}{_ARROW}{word}{_ARROW}{dots}</div>'


def _linked(key: str, number: int, row: _Row) -> str:
    """A mark for the pointer. The keyboard finds the same rows in the tables."""
    title = escape(f"{row.kind} {row.name}\n{row.place}")
    return f'<a href="#{key}-{number}" title="{title}" tabindex="-1" aria-hidden="true">{_mark(row.kind)}</a>'


def _mark(kind: str) -> str:
    return f'<svg class="dot {kind}" viewBox="0 0 16 16" aria-hidden="true">{_SHAPES[kind]}</svg>'


def _table(section: _Section) -> str:
    counts = " · ".join(f"{kind}: {len(list(rows))}" for kind, rows in groupby(section.rows, lambda row: row.kind))
    body = "".join(_row(section.key, number, row) for number, row in enumerate(section.rows))
    problems = _listed(section.part.problems if section.part else ())
    return (
        f'<section aria-labelledby="{section.key}"><h2 id="{section.key}" tabindex="-1">{escape(section.title)}</h2>'
        f'{problems}<p class="facts">{escape(counts) or "nothing"}</p><table><thead><tr><th scope="col">kind</th>'
        f'<th scope="col">name</th><th scope="col">where</th></tr></thead><tbody>{body}</tbody></table></section>'
    )


def _row(key: str, number: int, row: _Row) -> str:
    kind = f"{_mark(row.kind)} {row.kind}" if row.kind in _SHAPES else row.kind
    more = f"<small>{escape(row.more)}</small>" if row.more else ""
    return (
        f'<tr id="{key}-{number}"><td>{kind}</td><th scope="row"><code>{escape(row.name)}</code></th>'
        f"<td><code>{escape(row.place)}</code>{more}</td></tr>"
    )


def _listed(texts: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""
