"""The map as a Mermaid flowchart, for documents that draw such."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.seam_map.model import ClassPart, SeamMap

_STYLES = (
    "classDef word fill:#e8eefc,stroke:#3355aa,color:#111",
    "classDef leak fill:#fde2e1,stroke:#b3261e,color:#111,stroke-width:3px",
    "classDef hidden fill:#fff3cd,stroke:#8a6d00,color:#111,stroke-dasharray:4",
    "classDef open fill:#eeeeee,stroke:#666666,color:#111,stroke-dasharray:2",
)


def as_mermaid(seam_map: SeamMap) -> str:
    """Write the map as `flowchart LR`: factory to class to node, leaks by a dotted line."""
    lines = ["flowchart LR"]
    for part in seam_map.classes:
        lines += _class(part)
    for number, node in enumerate(seam_map.seam_free):
        lines.append(f"free{number}({_text(f'{node.stage} (no calls)', str(node.place))})")
    for number, each in enumerate((*seam_map.undecided, *seam_map.not_analysed)):
        lines.append(f"open{number}>{_text(each.what, str(each.place))}]:::open")
    for number, recorded in enumerate(seam_map.drift):
        lines.append(f"drift{number}>{_text(f'drift: {recorded.stage}', f'{recorded.calls} calls')}]:::leak")
        if recorded.word in {part.word for part in seam_map.classes}:
            lines.append(f"drift{number} -.-> {recorded.word}")
    return "\n  ".join((*lines, *_STYLES)) + "\n"


def _class(part: ClassPart) -> Iterator[str]:
    word = part.word
    yield f"{word}(({_text(word, *part.problems)})):::{'leak' if part.problems else 'word'}"
    for number, factory in enumerate(part.factories):
        yield f"{word}_f{number}[{_text(factory.name, str(factory.place or 'installed'))}] ==> {word}"
    for number, node in enumerate(part.nodes):
        yield f"{word} --> {word}_n{number}({_text(node.stage, str(node.place))})"
    for kind, leaks in (("leak", part.leaks), ("hidden", part.hidden)):
        for number, leak in enumerate(leaks):
            by = f" hidden by {leak.hidden_by}" if leak.hidden_by else ""
            yield f"{word}_{kind}{number}>{_text(f'{leak.code}{by}', str(leak.place))}]:::{kind} -.-> {word}"


def _text(*lines: str) -> str:
    """A label, whatever is in it: Mermaid writes what it could take for syntax as `#code;`."""
    return '"' + "<br/>".join("".join(map(_plain, line)) for line in lines) + '"'


def _plain(char: str) -> str:
    return char if char.isalnum() or char in " _./:-()," else f"#{ord(char)};"
