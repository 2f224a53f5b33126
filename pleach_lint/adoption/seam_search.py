"""Which packages of a project look like its seams: folders of that name, and folders that define factories."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from pleach_lint.vocabulary import SEAM_DIRECTORY, SEAM_FACTORIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pleach_lint.walk import Target

_DEFINITION: Final = re.compile(rb"^def (" + "|".join(SEAM_FACTORIES.values()).encode() + rb")\b", re.MULTILINE)
_ENOUGH: Final = 2
"""Factories in one folder that tell that it is a seam package whatever it is called; one may be an example."""


def seam_packages(root: Path, targets: Iterable[Target]) -> tuple[str, ...]:
    """Find seam packages below the root.

    Returns:
        Their folders relative to the root, with slashes, sorted; none lies in another.
    """
    called_so: set[PurePosixPath] = set()
    factories: dict[PurePosixPath, set[bytes]] = {}
    for target in targets:
        real = Path(target.real)
        if real.is_relative_to(root) and not target.problem:
            folder = PurePosixPath(real.relative_to(root).parent.as_posix())
            called_so.update(above for above in (folder, *folder.parents) if above.name == SEAM_DIRECTORY)
            factories.setdefault(folder, set()).update(_DEFINITION.findall(real.read_bytes()))
    found = called_so | {folder for folder, names in factories.items() if len(names) >= _ENOUGH and folder.name}
    telling = {
        folder for folder in found if any(names for inner, names in factories.items() if inner.is_relative_to(folder))
    }
    chosen = telling or found
    return tuple(sorted(str(each) for each in chosen if not chosen.intersection(each.parents)))
