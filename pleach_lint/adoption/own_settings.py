"""The step that writes `[tool.pleach-lint]`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pleach_lint.adoption.step import Step, appended
from pleach_lint.neighbours.toml import parsed, read_text, table_at

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHARED: Final = "pyproject.toml"
_OWN: Final = "pleach-lint.toml"
_NONE_FOUND: Final = '# seams = ["src/graph/seams"]  # no seam package was found yet; name yours here\n'


def settings_step(root: Path, seams: Sequence[str], governed_by: str | None) -> Step:
    """Say where the seams are, in `pyproject.toml` when there is one, else in a file of our own.

    Args:
        root: The project.
        seams: Its seam packages, relative to it.
        governed_by: The file that governs the project already, as it is shown to people; None when none does.
    """
    if governed_by is not None:
        return Step(Path(governed_by), None, None, "left alone: it has settings for pleach-lint already")
    path = root / (_SHARED if (root / _SHARED).exists() else _OWN)
    before = read_text(path)
    if before is None and path.exists():
        return Step(path, None, None, f"left alone: it is not UTF-8 text; write the settings into {_OWN} by hand")
    listed = f"seams = {json.dumps(list(seams), ensure_ascii=False)}\n" if seams else _NONE_FOUND
    header = "[tool.pleach-lint]\n" if path.name == _SHARED else ""
    after = appended(before or "", header + listed)
    if not _holds_settings(after, is_shared=bool(header), seams=seams):
        return Step(path, before, None, f"left alone: nothing can be added to it safely; add by hand: {header}{listed}")
    where = f"seams in {', '.join(seams)}" if seams else "without `seams`, since no seam package was found"
    return Step(path, before, after, f"settings of pleach-lint, {where}")


def _holds_settings(text: str, *, is_shared: bool, seams: Sequence[str]) -> bool:
    document = parsed(text)
    if document is None:
        return False
    wanted = {"seams": list(seams)} if seams else {}
    return (table_at(document, "tool", "pleach-lint") if is_shared else document) == wanted
